//! Elements that look alike are not all looked at: whatever tells one of them apart still counts.

use anyhow::{Result, ensure};
use drawbridge_tests::oracle::shown::inspect;
use drawbridge_tests::world::World;
use serde_json::json;

use crate::outline::{WHOLE, navigate, open, text};

/// Of so many alike one is hidden, and none of those that are looked at first.
const MANY: usize = 40;
const HIDDEN: usize = 30;

/// What stands before the paragraphs, and what follows them.
const WAYS: &[(&str, &str)] = &[
    ("<style>p:nth-of-type(30) { opacity: .01 }</style>", ""),
    ("<style>p:nth-of-type(30) { color: #fff }</style>", ""),
    ("<style>#r30 { opacity: .01 }</style>", ""),
    ("<style>[title=x30] { opacity: .01 }</style>", ""),
    ("<style>b + p { opacity: .01 }</style>", ""),
    ("<style>b ~ p { opacity: .01 } i ~ p { opacity: 1 }</style>", ""),
    ("<style>p:has(u) { text-indent: -9999px }</style>", ""),
    (
        "<style>@media all { p:nth-of-type(30) { opacity: .01 } }</style>",
        "",
    ),
    (
        "<style>@layer one { p:nth-of-type(30) { clip-path: inset(50%) } }</style>",
        "",
    ),
    ("<style>body { & b + p { font-size: 1px } }</style>", ""),
    (
        "<style>@scope (body) { b + p { transform: scale(.01) } }</style>",
        "",
    ),
    (
        "<style>p { position: relative; z-index: 1; margin: 0; font: 9px/10px sans-serif; color: #fff }
         img { position: absolute; left: 0; width: 500px } .one { top: 0; height: 298px } .two { top: 308px; height: 200px }
         </style><img class=one><img class=two>",
        "",
    ),
    (
        "<style>@import url('data:text/css,b%2Bp{opacity:.01}');</style>",
        "",
    ),
    (
        "<style></style>",
        "<script>document.styleSheets[0].insertRule('b + p { opacity: .01 }')</script>",
    ),
    (
        "",
        "<script>const sheet = new CSSStyleSheet(); sheet.replaceSync('b + p { opacity: .01 }');
         document.adoptedStyleSheets = [sheet]</script>",
    ),
    (
        "",
        "<script>r30.animate([{opacity: .01}, {opacity: .01}], {duration: 1e9})</script>",
    ),
    (
        "",
        "<script>r30.animate([{opacity: .01}, {opacity: .01}], {duration: 1, fill: 'forwards'})</script>",
    ),
    (
        "",
        "<script>const inside = [...document.querySelectorAll('body > *')], host = document.createElement('div');
         document.body.append(host); const root = host.attachShadow({mode: 'open'});
         root.innerHTML = '<style>b + p { opacity: .01 }</style>'; root.append(...inside)</script>",
    ),
    (
        "",
        "<script>const inside = [...document.querySelectorAll('body > *')], host = document.createElement('div');
         document.body.append(host); host.append(...inside);
         host.attachShadow({mode: 'open'}).innerHTML = '<style>::slotted(#r30) { opacity: .01 }</style><slot></slot>'</script>",
    ),
];

#[tokio::test(flavor = "multi_thread")]
async fn one_of_many_alike_that_is_hidden_is_left_out() -> Result<()> {
    let world = World::shared().await?;
    open(&world, "/states/empty").await?;
    let mut leaks = Vec::new();
    for (number, (before, after)) in WAYS.iter().enumerate() {
        let path = format!("/alike/{number}");
        let rows: String = (1..=MANY)
            .map(|row| match row {
                HIDDEN => "<b></b><p id=r30 title=x30>gone<u></u></p><i></i>".to_owned(),
                _ => format!("<p id=r{row} title=x{row}>shown {row}.</p>"),
            })
            .collect();
        world
            .site
            .put(&path, format!("<!doctype html>{before}<body>{rows}{after}"));
        navigate(&world, &path).await?;
        let outline = text(&world, json!({"maxTokens": WHOLE})).await?;
        let readable = inspect(&world.client, "text", json!({"maxTokens": WHOLE}))
            .await?
            .to_string();
        for read in [&outline, &readable] {
            ensure!(
                read.contains("shown 1.") && read.contains("shown 40."),
                "{before}{after}: {read}"
            );
            if read.contains("gone") {
                leaks.push(format!("{before}{after}"));
            }
        }
    }
    ensure!(leaks.is_empty(), "{leaks:#?}");
    world.leaves_nothing().await
}
