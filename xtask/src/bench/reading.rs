//! The DOM port and the reader against a walk in hand-written JavaScript that gives the same kind of result, all in
//! one page of the local site.

use std::fs;

use anyhow::{Context, Result};
use drawbridge_protocol::page::{PageRead, TextFormat, TextScope};
use drawbridge_protocol::reader::{self, Part, PortOp, ReadRequest};
use drawbridge_protocol::recipe;
use drawbridge_tests::project;
use drawbridge_tests::sandbox::Sandbox;
use drawbridge_tests::site::Site;
use serde::Deserialize;
use serde_json::json;

use super::figures::Figures;

/// Sets the page up: the reader as `read(request, columns)`, the rivals as `hand`.
const SCRIPT: &str = include_str!("reading.js");

#[derive(Deserialize)]
struct Measured {
    /// Medians in milliseconds.
    port: f64,
    reader: f64,
    hand: f64,
    /// Elements in the document.
    elements: f64,
}

pub(super) async fn measure(sandbox: &Sandbox, site: &Site, figures: &mut Figures) -> Result<()> {
    let browser = sandbox.profile().browser().await?;
    let recipe_text = site.recipe("/big");
    let recipe = recipe::parse(&recipe_text, "recipe")?;
    let room = recipe.limit;
    let text = (
        "text",
        PortOp::Capture {
            select: Vec::new(),
            generated: false,
            watch: false,
        },
        ReadRequest::Page {
            ask: Box::new(PageRead::Text {
                within: None,
                scope: TextScope::Body,
                format: TextFormat::Text,
                hidden: false,
                tail: false,
                log_match: None,
                log_max_matches: 0,
                max_chars: 200_000,
            }),
            // The page fills in how long its columns are.
            parts: vec![Part::default()],
            missing: Vec::new(),
            next_ref: 1,
        },
    );
    let outline = (
        "outline",
        PortOp::Capture {
            watch: false,
            select: Vec::new(),
            generated: true,
        },
        ReadRequest::Page {
            ask: Box::new(PageRead::Outline {
                within: None,
                depth: None,
                viewport_only: false,
                hidden: false,
            }),
            parts: vec![Part::default()],
            missing: Vec::new(),
            next_ref: 1,
        },
    );
    let rows = (
        "recipe",
        reader::recipe_sets(&recipe, room),
        ReadRequest::RecipePage {
            recipe: Box::new(recipe),
            page: 1,
            room,
            redirected: false,
        },
    );
    let module = fs::read(project::extension().join("reader.wasm")).context("no reader.wasm")?;
    let mut port = String::new();
    for part in ["port", "look", "ink", "match", "style", "capture", "watch"] {
        let file = project::extension().join(format!("dom-{part}.js"));
        port.push_str(&fs::read_to_string(&file).with_context(|| format!("no {}", file.display()))?);
    }
    for size in [330, 3300] {
        let page = browser.open(&site.url(&format!("/big?rows={size}"))).await?;
        page.evaluate::<bool>(&format!("{port};\ntrue"))
            .await
            .context("dom-port.js")?;
        let bytes = module.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
        page.evaluate::<bool>(&format!("{SCRIPT};\nsetUp([{bytes}])"))
            .await?;
        for (name_of, operation, request) in [&text, &outline, &rows] {
            let (operation, request) = (
                json!(serde_json::to_string(operation)?),
                json!(serde_json::to_string(request)?),
            );
            let measured: Measured = page
                .evaluate(&format!("measure({}, {operation}, {request})", json!(name_of)))
                .await?;
            let title = format!("{name_of} of {} elements", measured.elements);
            figures.note(&format!("{title}: DOM port"), measured.port, "ms");
            figures.note(&format!("{title}: reader"), measured.reader, "ms");
            figures.note(&format!("{title}: by hand"), measured.hand, "ms");
            let ratio = (measured.port + measured.reader) / measured.hand.max(0.001);
            let name = format!("{title}: port and reader, by hand = 1");
            match *name_of {
                "outline" => figures.add(&name, ratio, 1.5, "×"),
                _ => figures.note(&name, ratio, "×"),
            }
        }
        page.close().await?;
    }
    Ok(())
}
