//! Text that is hard to handle, set by script so that no encoding on the way changes it.

use axum::Router;
use axum::response::Html;
use axum::routing::get;

use super::Shared;
use super::pages::page;

pub(super) fn router() -> Router<Shared> {
    Router::new().route("/torture", get(torture))
}

/// Each kind of text as the text of a paragraph, the name of a button, and the value of a field, in this order.
async fn torture() -> Html<String> {
    const SCRIPT: &str = r"<script>
const texts = {
  lone: 'lone \uD83D end', low: 'low \uDE00 end', reversed: 'rev \uDE00\uD83D end', last: 'last \uD83D',
  family: '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}\u200D\u{1F466} family'.repeat(3), flag: '\u{1F1E7}\u{1F1EA} flag', tone: '\u{1F44D}\u{1F3FD} tone',
  combining: 'e\u0301 a\u0308\u0323 combining', bidi: 'a \u202Egnitirw\u202C b \u2066isolate\u2069 \u200Fmark',
  nbsp: 'foo\u00A0bar\u202Fbaz\u2003qux', hyphen: 'soft\u00ADhyphen', joiners: 'a\u200Bb\u200Cc\u2060d\uFEFFe', rtl: 'שלום עולם', arabic: 'مرحبا بالعالم',
  cjk: '東京都は日本の首都です。', hangul: '\u1112\u1161\u11AB 한글', nul: 'nul \u0000 \u0001 \u0002 end', controls: 'bell \u0007 esc \u001B[31mred\u001B[0m',
  lines: 'first\r\nsecond\u2028third\u2029fourth\u0085fifth', quotes: 'quote \u0022 back \\ tick ` apos \' < & >', noncharacter: '\uFFFE \uFFFF \u{1FFFE}',
  separators: 'a\u001Fb\u001Ec\u001Dd;e,f|g', astral: '\u{20000}\u{2A6DF} astral', zalgo: 'z' + '\u0301\u0302\u0303\u0304'.repeat(50) + 'algo',
};
for (const [id, text] of Object.entries(texts)) {
  const add = (tag, set) => { const one = document.createElement(tag); one.id = `${id}-${tag}`; set(one); document.body.append(one); };
  add('p', (one) => one.append(text));
  add('button', (one) => one.append(text));
  add('input', (one) => { one.value = text; one.title = text; one.setAttribute('aria-label', `field ${id}`); });
}
document.title = `torture ${texts.lone} ${texts.bidi}`;
</script>";
    page("Torture", format!("<h1>Torture</h1>{SCRIPT}"))
}
