//! What cannot be seen, by every way to hide it, and what must not be told.

use axum::Router;
use axum::response::Html;
use axum::routing::get;

use super::Shared;
use super::pages::page;

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/hidden/methods", get(methods))
        .route("/hidden/finer", get(finer))
        .route("/hidden/around", get(around))
        .route("/hidden/rows", get(rows))
        .route("/hidden/shown", get(shown))
        .route("/hidden/secrets", get(secrets))
}

/// Ways to hide, by the marker word that each hides: in a text, and in a button's name.
pub const METHODS: &[(&str, &str)] = &[
    ("display", "display: none"),
    ("visibility", "visibility: hidden"),
    ("opacity", "opacity: 0"),
    ("faint", "opacity: 0.01"),
    ("zerosize", "width: 0; height: 0; overflow: hidden"),
    ("zeroheight", "height: 0; overflow: hidden"),
    (
        "rectclip",
        "position: absolute; width: 1px; height: 1px; overflow: hidden; clip: rect(0, 0, 0, 0)",
    ),
    ("pathclip", "clip-path: inset(100%)"),
    (
        "sizeclip",
        "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)",
    ),
    ("offleft", "position: absolute; left: -9999px"),
    ("offtop", "position: absolute; top: -9999px"),
    (
        "indent",
        "text-indent: -9999px; overflow: hidden; white-space: nowrap",
    ),
    ("transform", "transform: scale(0)"),
    ("moved", "transform: translateX(-9999px)"),
    ("samecolour", "color: #fff; background: #fff"),
    ("inherited", "color: #ffffff"),
    ("nocolour", "color: transparent"),
    ("fontzero", "font-size: 0"),
    ("fontone", "font-size: 1px"),
    ("contentvisibility", "content-visibility: hidden"),
    ("filter", "filter: opacity(0)"),
];

/// The same by finer means.
pub const FINER: &[(&str, &str)] = &[
    ("faintfilter", "filter: opacity(4%)"),
    ("nearcolour", "color: #fbfbfb"),
    ("oklch", "color: oklch(0.995 0 0)"),
    ("colorfunction", "color: color(srgb 0.99 0.99 0.99)"),
    ("lab", "color: lab(99.5 0 0)"),
    ("colormix", "color: color-mix(in srgb, white 98%, black)"),
    ("faintcolour", "color: rgba(0, 0, 0, .04)"),
    ("ongrey", "color: oklch(0.5 0 0); background: oklch(0.51 0 0)"),
    ("throughglass", "color: #7f7f7f; background: rgba(0, 0, 0, .5)"),
    ("fillclear", "-webkit-text-fill-color: transparent"),
    ("fillsame", "-webkit-text-fill-color: white"),
    (
        "clearshadow",
        "color: transparent; text-shadow: 0 0 2px rgba(0, 0, 0, 0)",
    ),
    (
        "rectempty",
        "position: absolute; width: 300px; height: 60px; clip: rect(0, 0, 0, 0)",
    ),
    (
        "rectoutside",
        "position: absolute; width: 300px; height: 60px; clip: rect(0, 900px, 60px, 400px)",
    ),
    ("polygonpoint", "clip-path: polygon(0 0, 0 0, 0 0)"),
    (
        "polygonline",
        "clip-path: polygon(0 0, 100% 0, calc(50% - 1px) 0)",
    ),
    ("polygonoutside", "clip-path: polygon(200% 0, 300% 0, 300% 100%)"),
    ("pathpoint", "clip-path: path('M0 0')"),
    ("pathline", "clip-path: path('M 0 0 h 300 Z')"),
    ("circle", "clip-path: circle(0)"),
    ("circleoutside", "clip-path: circle(9px at -50px -50px)"),
    ("turned", "transform: rotateY(90deg)"),
    ("tiny", "transform: scale(.01)"),
    ("flat", "transform: scaleY(.001)"),
    ("shrunk", "scale: .01"),
    ("zoomed", "zoom: .01"),
    ("fixedright", "position: fixed; left: 9999px; top: 0"),
    ("fixedbelow", "position: fixed; top: 9999px"),
    (
        "wholeindent",
        "text-indent: 100%; overflow: hidden; white-space: nowrap",
    ),
];

/// Hidden by what is around it or by what it is part of; each with its word. What says `plainly` is shown.
const AROUND: &str = "
    <div style=\"opacity: .2\"><div style=\"opacity: .2\"><p>text product</p></div></div>
    <div style=\"opacity: .2\"><div style=\"filter: opacity(20%)\"><p>text mixedproduct</p></div></div>
    <div style=\"opacity: .2\"><p style=\"color: rgba(0, 0, 0, .2)\">text colourproduct</p><p>plainly dimmed</p></div>
    <svg width=200 height=40><defs><text>text defs</text></defs><symbol id=s><text>text symbol</text></symbol>text insvg
      <text y=20>plainly drawn</text></svg>
    <div style=\"overflow: hidden; height: 40px\"><p style=\"margin: 0\">plainly kept</p><div style=\"height: 200px\"></div><p>text cutoff</p></div>
    <div style=\"overflow: hidden; position: relative; width: 200px; height: 30px\"><p style=\"position: absolute; left: 500px\">text cutaside</p></div>
    <div style=\"overflow: hidden; height: 4px\"><p style=\"position: absolute; left: 300px\">plainly escaped</p></div>
    <div style=\"overflow: hidden; height: 60px\"><div style=\"overflow: auto; height: 50px\"><div style=\"height: 400px\"></div><p>plainly scrolled</p></div></div>
    <div style=\"overflow: hidden; height: 40px\"><div style=\"height: 90px\"></div><div style=\"overflow: auto; height: 50px\"><p>text cutscroller</p></div></div>
    <p style=\"position: absolute; top: 2px; right: 2px; color: #fff\">text absolutewhite</p>
    <p style=\"color: transparent; text-shadow: 0 0 1px #000\">plainly shadowed</p>
    <p style=\"clip-path: polygon(0 0, 100% 0, 100% 100%, 0 100%)\">plainly clipped</p>
    <p style=\"clip-path: path('M 0 0 H 900 V 90 H 0 Z')\">plainly pathed</p>
    <p style=\"color: #767676\">plainly grey</p>
    <p style=\"transform: rotate(90deg); width: 90px\">plainly turned</p>
    <canvas>text incanvas</canvas><canvas><span style=\"display: contents\">text canvascontents</span></canvas>
    <video>text invideo</video><audio controls>text inaudio</audio><progress>text inprogress</progress>
    <object type=\"text/html\" data=\"/states/empty\" width=90 height=40>text inobject</object>
    <iframe srcdoc=\"plainly framed\">text iniframe</iframe>
    <select aria-label=Choice><option>plainly chosen<option hidden>text optionhidden<option style=\"display: none\">text optionstyle
      <optgroup label=G hidden><option>text ingroup</optgroup></select>
    <details>text baredetails<summary>plainly summed</summary></details>
    <div style=\"content-visibility: hidden\">text barevisibility</div>";

/// The words of what is hidden so.
pub const HIDDEN_AROUND: &[&str] = &[
    "product",
    "mixedproduct",
    "colourproduct",
    "defs",
    "symbol",
    "insvg",
    "cutoff",
    "cutaside",
    "cutscroller",
    "absolutewhite",
    "incanvas",
    "canvascontents",
    "invideo",
    "inaudio",
    "inprogress",
    "inobject",
    "iniframe",
    "optionhidden",
    "optionstyle",
    "ingroup",
    "baredetails",
    "barevisibility",
];

/// What is shown beside it.
pub const SHOWN_AROUND: &[&str] = &[
    "dimmed", "drawn", "kept", "escaped", "scrolled", "shadowed", "clipped", "pathed", "grey", "turned",
    "framed", "chosen", "summed",
];

fn each(methods: &[(&str, &str)]) -> String {
    methods
        .iter()
        .map(|(word, style)| {
            format!("<div style=\"{style}\"><p>text {word}</p><button>button {word}</button></div>\n")
        })
        .collect()
}

/// One text and one button per finer method.
async fn finer() -> Html<String> {
    page(
        "Finer",
        format!(
            "<style>body {{ background: #fff; color: #000 }}</style><h1>plainly shown</h1>{}<p>plainly last</p>",
            each(FINER)
        ),
    )
}

/// One text and one button per method, each with the method's word. More words: `closeddetails`, `hiddenattribute`,
/// `untilfound`, `inside`, `template`, `noscript`, `closeddialog`.
async fn methods() -> Html<String> {
    let all = each(METHODS);
    page(
        "Hidden",
        format!(
            "<style>body {{ background: #fff; color: #000 }}</style><h1>plainly shown</h1>{all}
             <details><summary>More</summary><p>text closeddetails</p><button>button closeddetails</button></details>
             <div hidden><p>text hiddenattribute</p></div><div hidden=until-found><p>text untilfound</p></div>
             <div style=\"visibility: hidden\"><div style=\"visibility: hidden\"><p>text inside</p></div></div>
             <template><p>text template</p></template><noscript><p>text noscript</p></noscript>
             <dialog><p>text closeddialog</p></dialog><p>plainly last</p>"
        ),
    )
}

/// What is hidden by what is around it.
async fn around() -> Html<String> {
    page(
        "Around",
        format!("<style>body {{ background: #fff; color: #000 }}</style><main>{AROUND}</main>"),
    )
}

/// Every method in the rows of a table and of a list, beside what is shown.
async fn rows() -> Html<String> {
    let all = |around: &dyn Fn(usize, &str) -> String| -> String {
        METHODS
            .iter()
            .chain(FINER)
            .enumerate()
            .map(|(number, (word, style))| {
                around(
                    number,
                    &format!("<div style=\"{style}\"><span>text {word}</span></div>"),
                )
            })
            .collect()
    };
    let table = all(&|number, hidden| format!("<tr><td>cell {number}<td>{hidden}"));
    let list = all(&|number, hidden| {
        format!(
            "<li class=row><a href=\"/item/{number}\">item {number}</a><p class=word>more {number} {hidden}</p></li>"
        )
    });
    page(
        "Rows",
        format!(
            "<style>body, li, td {{ background: #fff; color: #000 }}</style><table><tr><th>Cell<th>Word{table}</table>
             <ul class=rows>{list}</ul>"
        ),
    )
}

/// What looks hidden to a careless reader and is plainly on the screen.
async fn shown() -> Html<String> {
    page(
        "Shown",
        "<h1>Shown</h1>
         <div style=\"visibility: hidden\"><button>hidden outer</button>
           <div style=\"visibility: visible\"><button>visible inside hidden</button>
             <div style=\"visibility: hidden\"><button>hidden inner</button><b style=\"visibility: visible\">visible innermost</b></div></div></div>
         <div style=\"display: contents\"><button>in display contents</button></div>
         <button style=\"display: contents\">itself display contents</button>
         <div aria-hidden=\"true\"><p>aria hidden text</p><button>aria hidden button</button></div>
         <div style=\"height: 0\"><button>overflows a box without height</button></div>
         <div style=\"width: 0; height: 0; overflow: hidden\"><button style=\"position: fixed; top: 4px; right: 4px\">fixed out of a clip</button></div>
         <div style=\"content-visibility: auto\"><button>laid out when near</button></div>
         <div style=\"color: #fff; background: #000\"><button>white on black</button><p>white on black text</p></div>
         <div style=\"color: #fff; background: url(data:,) #fff\"><span style=\"background: #000\">own background</span></div>
         <details open><summary>Open</summary><button>in open details</button></details>
         <label style=\"position: relative\"><input type=checkbox style=\"opacity: 0; position: absolute; width: 0; height: 0\">
           <span style=\"display: inline-block; width: 14px; height: 14px; border: 1px solid\"></span> styled box</label>
         <div style=\"overflow: auto; height: 40px\"><div style=\"height: 400px\"></div><button>scrolled out of a box</button></div>
         <div style=\"margin-top: 5000px\"><button>far below</button></div>",
    )
}

/// Secrets that no read may tell, each with a value of its own: `secret-1` to `secret-15`; and what may be told.
async fn secrets() -> Html<String> {
    const FIELDS: &[&str] = &[
        "type=password",
        "type=password autocomplete=new-password",
        "type=text autocomplete=current-password",
        "type=text autocomplete=one-time-code",
        "type=text inputmode=numeric autocomplete=cc-number",
        "type=text autocomplete=cc-csc",
        "type=text autocomplete=cc-exp",
        "type=text autocomplete=\"section-a billing cc-number\"",
        "type=text autocomplete=new-password readonly",
        "type=tel autocomplete=one-time-code name=token",
    ];
    let fields: String = FIELDS
        .iter()
        .enumerate()
        .map(|(index, field)| {
            let number = index + 1;
            format!("<label>Secret {number} <input {field} value=\"secret-{number}\"></label><br>")
        })
        .collect();
    page(
        "Secrets",
        format!(
            "<h1>Secrets</h1><form>{fields}
             <label>Shown later <input id=toggled type=password value=\"secret-11\"></label>
             <button type=button onclick=\"toggled.type = 'text'\">Show it</button><br>
             <label>Set by script <input id=typed type=password></label><br>
             <textarea autocomplete=one-time-code aria-label=\"Code area\">secret-13</textarea>
             <label>Passwort <input value=\"secret-14\"></label>
             <div role=textbox contenteditable aria-label=\"PIN\">secret-15</div>
             <label>Name <input autocomplete=username value=\"told-name\"></label>
             <label>Empty <input type=password></label></form>
             <script>typed.value = 'secret-12';</script>"
        ),
    )
}
