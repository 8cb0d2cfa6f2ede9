//! What an element's own markup says of its name, and what a field inside of a name adds to it.

use drawbridge_protocol::reader::flags;

use super::super::{Role, assign, is_blank, key, native as tags, relations};
use super::content::Run;
use super::{From, tidy};

/// Options of a list that are looked at for chosen ones.
const OPTIONS: usize = 1_000;

/// Writes the name that an element's language gives it. `Some`: it has one, even if it is empty.
pub(super) fn native(run: &mut Run<'_, '_, '_>, index: usize) -> Option<From> {
    let semantics = run.semantics();
    let page = semantics.page;
    let element = &page.elements[index];
    if element.is(flags::FOREIGN) {
        let title = assign::title_inside(page, index)?;
        run.write(&page.elements[title].own);
        return Some(From::Label);
    }
    if relations::is_labelable(element) {
        let labels = semantics.labels(index);
        if !labels.is_empty() {
            run.labels(labels);
            return Some(From::Label);
        }
    }
    let attribute = |run: &mut Run<'_, '_, '_>, key| {
        let text = semantics.get(index, key)?;
        run.write(text);
        Some(From::Attribute)
    };
    let browser = |run: &mut Run<'_, '_, '_>, text: &str| {
        run.write(text);
        Some(From::Browser)
    };
    match element.tag.as_ref() {
        "input" => match tags::input_kind(element) {
            "submit" => attribute(run, key::VALUE).or_else(|| browser(run, "Submit")),
            "reset" => attribute(run, key::VALUE).or_else(|| browser(run, "Reset")),
            "button" => attribute(run, key::VALUE),
            "image" => attribute(run, key::ALT)
                .or_else(|| attribute(run, key::VALUE))
                .or_else(|| title(run, index))
                .or_else(|| browser(run, "Submit")),
            "file" if semantics.has(index, key::MULTIPLE) => browser(run, "Choose Files"),
            "file" => browser(run, "Choose File"),
            _ => None,
        },
        "img" | "area" => attribute(run, key::ALT),
        "fieldset" => inside(run, index, "legend"),
        "table" => inside(run, index, "caption"),
        "option" | "optgroup" if semantics.said(index, key::LABEL).is_some() => attribute(run, key::LABEL),
        _ => None,
    }
}

/// Writes what names an element that nothing else names.
pub(super) fn fallback(run: &mut Run<'_, '_, '_>, index: usize) -> From {
    let semantics = run.semantics();
    let element = &semantics.page.elements[index];
    // A field made of other elements whose title repeats what it holds is not named by it.
    let field = matches!(semantics.role_of(index), Role::Textbox | Role::Searchbox);
    let repeats = field
        && semantics
            .said(index, key::TITLE)
            .is_some_and(|title| tidy(title) == tidy(&element.own));
    if !repeats && let Some(from) = title(run, index) {
        return from;
    }
    let placeholder = semantics
        .said(index, key::PLACEHOLDER)
        .filter(|_| matches!(semantics.page.elements[index].tag.as_ref(), "input" | "textarea"))
        .or_else(|| semantics.said(index, key::ARIA_PLACEHOLDER));
    match placeholder {
        Some(text) => {
            run.write(text);
            From::Placeholder
        }
        None => From::Nothing,
    }
}

/// Writes what a field inside of a name adds to it. Never what a secret one holds.
pub(super) fn value(run: &mut Run<'_, '_, '_>, index: usize) -> bool {
    let semantics = run.semantics();
    let element = &semantics.page.elements[index];
    let own = semantics
        .get(index, key::FIELD_VALUE)
        .filter(|_| !element.is(flags::SECRET));
    let start = run.text().len();
    match semantics.role_of(index) {
        Role::Textbox | Role::Searchbox | Role::Combobox => match element.tag.as_ref() {
            "input"
                if !matches!(
                    tags::input_kind(element),
                    "text" | "search" | "email" | "tel" | "url"
                ) => {}
            "input" | "textarea" => run.write(own.unwrap_or_default()),
            "select" => run.write(&own.unwrap_or_default().replace('\u{1}', " ")),
            _ if semantics.role_of(index) == Role::Combobox => chosen(run, index),
            _ => run.deeper(index),
        },
        Role::Listbox if element.is_html("select") => {
            run.write(&own.unwrap_or_default().replace('\u{1}', " "))
        }
        Role::Listbox => chosen(run, index),
        Role::Slider | Role::SpinButton | Role::Scrollbar | Role::Meter | Role::Progressbar => {
            let text = [
                key::ARIA_VALUETEXT,
                key::ARIA_VALUENOW,
                key::FIELD_VALUE,
                key::VALUE,
            ]
            .into_iter()
            .find_map(|key| semantics.said(index, key));
            match text.and_then(|text| text.trim().parse::<f64>().ok()) {
                Some(number) if number.is_finite() => run.write(&number.to_string()),
                _ => run.write(text.unwrap_or_default()),
            }
        }
        _ => {}
    }
    !is_blank(&run.text()[start..])
}

fn title(run: &mut Run<'_, '_, '_>, index: usize) -> Option<From> {
    let title = run.semantics().said(index, key::TITLE)?;
    run.write(title);
    Some(From::Title)
}

/// The text of the first child with a tag.
fn inside(run: &mut Run<'_, '_, '_>, index: usize, tag: &str) -> Option<From> {
    let page = run.semantics().page;
    let child = page
        .children(index)
        .find(|&child| page.elements[child].is_html(tag))?;
    run.labels(&[child]);
    Some(From::Label)
}

/// The chosen options of a list that is made of other elements.
fn chosen(run: &mut Run<'_, '_, '_>, index: usize) {
    let semantics = run.semantics();
    let end = semantics.page.elements[index].end.min(index + 1 + OPTIONS);
    let chosen: Vec<usize> = (index + 1..end)
        .filter(|&option| semantics.role_of(option) == Role::Option)
        .filter(|&option| semantics.get(option, key::ARIA_SELECTED) == Some("true"))
        .collect();
    run.labels(&chosen);
}
