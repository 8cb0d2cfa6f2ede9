//! What a person has to do by hand. A browser takes none of its own addresses from a command line, so what is opened is
//! a page with the steps, in the browser they are for.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::browsers::Browser;
use crate::browsers::host;
use crate::home::Home;
use crate::output;

/// The page's name in the home; `setup --remove` takes it away with the rest.
pub(super) const FILE: &str = "setup.html";

/// The steps, a line each.
pub(super) fn steps(all: &[Browser], wanting: &[&Browser], extension: Option<&Path>) -> Vec<String> {
    let Some(browser) = wanting.first() else {
        let names: Vec<&str> = all.iter().map(|browser| browser.name.as_str()).collect();
        return vec![format!("the extension is there; start {}", names.join(" or "))];
    };
    let folder = extension.map_or_else(
        || "the extension's folder; the package has it beside the program".to_owned(),
        |folder| folder.display().to_string(),
    );
    vec![
        format!(
            "1. In {}, open this address: {}",
            browser.name, browser.extensions_page
        ),
        "2. Switch on \"Developer mode\", at the top right.".to_owned(),
        format!("3. Press \"Load unpacked\" and choose this folder: {folder}"),
    ]
}

/// Opens the page with the steps in the first browser that can show it. Without a screen, or when it cannot be opened,
/// the terminal has the same words.
pub(super) fn open(home: &Home, wanting: &[&Browser], steps: &[String]) {
    let screen = ["DISPLAY", "WAYLAND_DISPLAY"]
        .iter()
        .any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()));
    let Some(program) = wanting.iter().find_map(|browser| browser.program.as_deref()) else {
        return;
    };
    if !screen && !cfg!(target_os = "macos") {
        return;
    }
    let path = home.root().join(FILE);
    if let Err(error) = host::replace(&path, page(steps).as_bytes(), 0o600) {
        output::tell(&format!("drawbridge: no page with the steps: {error:#}"));
        return;
    }
    let started = Command::new(program)
        .arg(&path)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = started {
        output::tell(&format!(
            "drawbridge: {} does not start: {error}",
            program.display()
        ));
    }
}

fn page(steps: &[String]) -> String {
    let items: String = steps
        .iter()
        .map(|step| format!("<p>{}</p>\n", escaped(step)))
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <title>Drawbridge: two clicks</title>\n\
         <style>body {{ max-width: 40rem; margin: 3rem auto; font: 1.1rem/1.6 system-ui; overflow-wrap: anywhere }}</style>\n\
         <h1>Drawbridge</h1>\n{items}</html>\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_markup_in_its_name_stays_text() {
        let page = page(&["choose /home/<b>ü & co</b>".to_owned()]);
        assert!(page.contains("/home/&lt;b&gt;ü &amp; co&lt;/b&gt;"), "{page}");
    }
}
