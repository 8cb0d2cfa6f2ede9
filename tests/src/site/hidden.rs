//! What cannot be seen, by every way to hide it, and what must not be told.

use axum::Router;
use axum::response::Html;
use axum::routing::get;

use super::Shared;
use super::pages::page;

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/hidden/methods", get(methods))
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

/// One text and one button per method, each with the method's word. More words: `closeddetails`, `hiddenattribute`,
/// `untilfound`, `inside`, `template`, `noscript`, `closeddialog`.
async fn methods() -> Html<String> {
    let all: String = METHODS
        .iter()
        .map(|(word, style)| {
            format!("<div style=\"{style}\"><p>text {word}</p><button>button {word}</button></div>\n")
        })
        .collect();
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
