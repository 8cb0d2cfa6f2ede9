//! Choosing options: which ones are meant, and native selects. Lists of a page's own making are in `listed`.

use std::time::Duration;

use drawbridge_protocol::act::{Acted, Choice};
use drawbridge_protocol::reader::filling::{FillOp, kinds};
use drawbridge_protocol::{Code, Effect, Error};
use serde_json::{Value, json};

use super::field::{Field, not_editable};
use super::fill::cut;
use super::{Act, Element, gone};
use crate::time::sleep;

/// When it is looked again whether the page left the choice as it was.
pub(super) const AGAIN: Duration = Duration::from_millis(350);
/// Labels told of options that there are.
const LABELS: usize = 10;

/// An option.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Entry {
    pub(super) value: String,
    /// White space folded.
    pub(super) label: String,
    pub(super) chosen: bool,
    pub(super) disabled: bool,
    /// Of a list of the page's own making.
    pub(super) handle: i32,
}

impl Act<'_> {
    pub(super) async fn select(&self, target: &Element, choose: &[Choice]) -> Result<Acted, Error> {
        let field = self.field(target).await?;
        self.select_field(&field, choose).await
    }

    /// Chooses exactly these options of a native select or a list.
    ///
    /// # Errors
    /// `option_not_found` with labels that there are, `ambiguous`, `not_enabled`, `reverted`.
    pub(super) async fn select_field(&self, field: &Field, choose: &[Choice]) -> Result<Acted, Error> {
        match field.kind {
            kinds::SELECT => self.select_native(field, choose).await,
            kinds::LIST => self.select_listed(field, choose).await,
            kinds::TEXT if field.suggests => self.select_listed(field, choose).await,
            kinds::SEVERAL => Err(not_editable(field)),
            _ => Err(Error::new(
                Code::Unsupported,
                format!("{} is no select, combobox or listbox", field.words),
            )
            .hint("click the options of it yourself, or fill it where it takes text")
            .effect(Effect::None)),
        }
    }

    async fn select_native(&self, field: &Field, choose: &[Choice]) -> Result<Acted, Error> {
        self.usable(field).await.map_err(|error| {
            if error.code == Code::NotVisible {
                return error.hint("the page shows something in its place: observe it and select there");
            }
            error
        })?;
        let watch = self.watch(&field.element, &["change"]).await?;
        let (multiple, entries) = self.options(field).await?;
        if !multiple && choose.len() != 1 {
            return Err(Error::argument(
                "values",
                format!("{} takes exactly one option", field.words),
            ));
        }
        let indexes = meant(&entries, choose)?;
        let is_so = |entries: &[Entry]| {
            let chosen = entries.iter().enumerate().filter(|(_, one)| one.chosen);
            chosen.map(|(at, _)| at).eq(indexes.iter().copied())
        };
        if is_so(&entries) {
            return self.confirm_field(field, watch, "selected").await;
        }
        crate::stop::refuse(self.app, Some(self.tab))?;
        self.dispatching();
        let op = FillOp::Choose {
            r#ref: field.element.r#ref,
            indexes: indexes.iter().filter_map(|at| u32::try_from(*at).ok()).collect(),
        };
        let chosen = match self.ask(&field.element.document, &op).await {
            Err(error) if error.code == Code::DialogOpen => {
                return self.confirm_field(field, watch, "dialog").await;
            }
            chosen => chosen?.int()?,
        };
        if chosen != 1 {
            return Err(gone(&field.target).effect(Effect::None));
        }
        for look in 0..2 {
            match self.options(field).await {
                Ok((_, now)) if !is_so(&now) => {
                    if field.is_secret {
                        return Err(reverted(field, look == 0));
                    }
                    let chosen: Vec<_> = now
                        .iter()
                        .filter(|one| one.chosen)
                        .map(|one| cut(&one.label))
                        .collect();
                    return Err(reverted(field, look == 0).data(json!({"selected": chosen})));
                }
                Ok(_) => {}
                // What it set off is in the way of looking again.
                Err(error) if error.code == Code::DialogOpen || self.is_leaving(&watch) => break,
                Err(error) => return Err(field.told(error)),
            }
            if look == 0 {
                sleep(AGAIN.min(self.left())).await;
            }
        }
        self.confirm_field(field, watch, "selected").await
    }

    /// Options of a native select, and whether several can be chosen.
    async fn options(&self, field: &Field) -> Result<(bool, Vec<Entry>), Error> {
        let op = FillOp::Options {
            r#ref: field.element.r#ref,
        };
        let mut columns = self.ask(&field.element.document, &op).await?;
        if columns.int()? != 1 {
            return Err(gone(&field.target));
        }
        let multiple = columns.int()? == 1;
        let mut entries = Vec::new();
        for _ in 0..columns.int()? {
            entries.push(Entry {
                chosen: columns.int()? == 1,
                disabled: columns.int()? == 1,
                value: columns.text()?.unwrap_or_default(),
                label: columns.text()?.unwrap_or_default(),
                handle: 0,
            });
        }
        Ok((multiple, entries))
    }
}

/// The page undid a choice.
pub(super) fn reverted(field: &Field, at_once: bool) -> Error {
    let when = if at_once { "at once" } else { "shortly after" };
    Error::new(
        Code::Reverted,
        format!("the page undid the choice in {} {when}", field.words),
    )
    .hint("observe the page for why it does not take it")
    .effect(Effect::Unknown)
}

/// Which options are meant, in their order.
///
/// # Errors
/// `option_not_found`, `ambiguous`, `not_enabled`.
pub(super) fn meant(entries: &[Entry], choose: &[Choice]) -> Result<Vec<usize>, Error> {
    let mut indexes = choose
        .iter()
        .map(|choice| one(entries, choice))
        .collect::<Result<Vec<_>, _>>()?;
    indexes.sort_unstable();
    indexes.dedup();
    Ok(indexes)
}

fn one(entries: &[Entry], choice: &Choice) -> Result<usize, Error> {
    let fits = |at: usize, entry: &Entry| match choice {
        Choice::Value(value) => entry.value == *value,
        Choice::Label(label) => entry.label == folded(label),
        Choice::Index(index) => usize::try_from(*index) == Ok(at),
        Choice::Either(text) => entry.value == *text || entry.label == folded(text),
    };
    let found: Vec<usize> = entries
        .iter()
        .enumerate()
        .filter(|(at, entry)| fits(*at, entry))
        .map(|(at, _)| at)
        .collect();
    match found[..] {
        [only] if entries[only].disabled => Err(Error::new(
            Code::NotEnabled,
            format!("the option {:?} is disabled", cut(&entries[only].label)),
        )
        .effect(Effect::None)),
        [only] => Ok(only),
        [] => Err(not_found(entries, choice)),
        _ => {
            let told: Vec<Value> = found
                .iter()
                .take(LABELS)
                .map(|at| json!({"index": at, "label": cut(&entries[*at].label), "value": cut(&entries[*at].value)}))
                .collect();
            Err(Error::new(
                Code::Ambiguous,
                format!("{} options fit {}", found.len(), words(choice)),
            )
            .hint("name it by indexes, or by values or labels alone where these differ")
            .effect(Effect::None)
            .data(json!({"options": told})))
        }
    }
}

fn not_found(entries: &[Entry], choice: &Choice) -> Error {
    let labels: Vec<String> = entries
        .iter()
        .take(LABELS)
        .map(|entry| cut(&entry.label))
        .collect();
    Error::new(Code::OptionNotFound, format!("no option fits {}", words(choice)))
        .hint("labels and values are compared whole, upper and lower case apart")
        .effect(Effect::None)
        .data(json!({"labels": labels, "options": entries.len()}))
}

fn words(choice: &Choice) -> String {
    match choice {
        Choice::Value(value) => format!("the value {:?}", cut(value)),
        Choice::Label(label) => format!("the label {:?}", cut(label)),
        Choice::Index(index) => format!("the index {index}"),
        Choice::Either(text) => format!("{:?}", cut(text)),
    }
}

pub(super) fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(all: &[(&str, &str)]) -> Vec<Entry> {
        let entry = |(value, label): &(&str, &str)| Entry {
            value: (*value).to_owned(),
            label: (*label).to_owned(),
            disabled: *value == "off",
            ..Entry::default()
        };
        all.iter().map(entry).collect()
    }

    fn chosen(all: &[(&str, &str)], choice: Choice) -> Result<Vec<usize>, Code> {
        meant(&entries(all), &[choice]).map_err(|error| error.code)
    }

    #[test]
    fn an_option_is_meant_whole() {
        let all = [
            ("1", "option1"),
            ("10", "option10"),
            ("3", "option3"),
            ("off", "Off"),
        ];
        assert_eq!(chosen(&all, Choice::Label("option1".into())), Ok(vec![0]));
        assert_eq!(chosen(&all, Choice::Label(" option10 ".into())), Ok(vec![1]));
        assert_eq!(chosen(&all, Choice::Value("1".into())), Ok(vec![0]));
        assert_eq!(chosen(&all, Choice::Index(2)), Ok(vec![2]));
        assert_eq!(
            chosen(&all, Choice::Label("option".into())),
            Err(Code::OptionNotFound)
        );
        assert_eq!(chosen(&all, Choice::Index(9)), Err(Code::OptionNotFound));
        assert_eq!(chosen(&all, Choice::Value("off".into())), Err(Code::NotEnabled));
    }

    #[test]
    fn what_fits_several_is_ambiguous() {
        let all = [("a", "Alpha"), ("Alpha", "Trick"), ("b", "Same"), ("c", "Same")];
        assert_eq!(chosen(&all, Choice::Either("Alpha".into())), Err(Code::Ambiguous));
        assert_eq!(chosen(&all, Choice::Label("Alpha".into())), Ok(vec![0]));
        assert_eq!(chosen(&all, Choice::Value("Alpha".into())), Ok(vec![1]));
        assert_eq!(chosen(&all, Choice::Label("Same".into())), Err(Code::Ambiguous));
        assert_eq!(chosen(&all, Choice::Either("c".into())), Ok(vec![3]));
    }

    #[test]
    fn several_are_told_in_their_order_and_once() {
        let all = entries(&[("a", "A"), ("b", "B"), ("c", "C")]);
        let choose = [
            Choice::Value("c".into()),
            Choice::Label("A".into()),
            Choice::Index(2),
        ];
        assert_eq!(meant(&all, &choose), Ok(vec![0, 2]));
    }

    #[test]
    fn a_missing_option_comes_with_those_that_there_are() {
        let all: Vec<Entry> = (0..30)
            .map(|number| Entry {
                label: format!("L{number}"),
                ..Entry::default()
            })
            .collect();
        let error = meant(&all, &[Choice::Label("none".into())]).unwrap_err();
        let data = error.data.unwrap_or_default();
        assert_eq!(data["labels"].as_array().map(Vec::len), Some(10));
        assert_eq!(data["options"], 30);
    }
}
