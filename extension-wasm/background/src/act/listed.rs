//! Comboboxes and listboxes of a page's own making: opened and chosen in by presses, as a person does.

use std::time::Duration;

use drawbridge_protocol::act::{Acted, Button, Choice};
use drawbridge_protocol::reader::filling::FillOp;
use drawbridge_protocol::{Code, Effect, Error};
use serde_json::json;

use super::choose::{AGAIN, Entry, folded, meant, reverted};
use super::field::Field;
use super::fill::cut;
use super::keys::table;
use super::look::Watch;
use super::{Act, gone};
use crate::port;
use crate::time::{now, sleep};

/// How long options may take to come once the list was opened.
const OPENS: Duration = Duration::from_secs(4);
/// How long a choice may take to be shown.
const SHOWN: Duration = Duration::from_millis(600);
/// Longest wait for a change between two looks.
const LOOKS: Duration = Duration::from_millis(60);
/// Times that a long list is scrolled on.
const SCROLLS: usize = 60;

/// A list as it was last looked at.
#[derive(Clone, Debug, Default, PartialEq)]
struct List {
    /// px that it can be scrolled down.
    rest: i32,
    /// Options that can be seen.
    entries: Vec<Entry>,
    /// Texts that show what is chosen, the field's own first.
    texts: Vec<String>,
}

impl List {
    /// Whether an option is shown as chosen.
    fn shows(&self, label: &str, before: &Self) -> bool {
        if let Some(entry) = self.entries.iter().find(|entry| entry.label == label)
            && entry.chosen
        {
            return true;
        }
        let contains = |list: &Self| list.texts.iter().any(|text| text.contains(label));
        self.texts.iter().any(|text| text == label) || (contains(self) && !contains(before))
    }
}

impl Act<'_> {
    /// Chooses options of a list: exactly these where several can be chosen.
    ///
    /// # Errors
    /// `option_not_found` with labels that there are, `ambiguous`, `not_enabled`, `unconfirmed`, `reverted`.
    pub(super) async fn select_listed(&self, field: &Field, choose: &[Choice]) -> Result<Acted, Error> {
        let looked = self.look_at(&field.element, true).await;
        let aimed = looked.map_err(|error| field.told(error))?;
        self.person(aimed.person_ms)?;
        aimed.enabled()?;
        let before = self.list(field).await?;
        let opened = before.entries.is_empty();
        let mut watch = self.watch(&field.element, &[]).await?;
        if opened {
            watch = self.press_field(field).await?;
            self.list_opens(field).await?;
        }
        let done = self.choose_listed(field, choose, &before, &mut watch).await;
        let labels = match done {
            Ok(labels) => labels,
            Err(error) if error.code == Code::DialogOpen => {
                return self.confirm_field(field, watch, "dialog").await;
            }
            Err(_) if self.is_leaving(&watch) => {
                return self.confirm_field(field, watch, "navigation").await;
            }
            Err(error) => {
                if opened {
                    self.close_list(field).await;
                }
                return Err(field.told(error));
            }
        };
        if opened {
            self.close_list(field).await;
        }
        let mut acted = self.confirm_field(field, watch, "selected").await?;
        acted.changed.selected = (!field.is_secret).then(|| labels.iter().map(|label| cut(label)).collect());
        Ok(acted)
    }

    async fn choose_listed(
        &self,
        field: &Field,
        choose: &[Choice],
        before: &List,
        watch: &mut Watch,
    ) -> Result<Vec<String>, Error> {
        let mut labels = Vec::new();
        for choice in choose {
            if self.list(field).await?.entries.is_empty() {
                *watch = self.press_field(field).await?;
            }
            let entry = self.entry_of(field, choice).await?;
            if !entry.chosen {
                *watch = self.press_entry(field, &entry).await?;
                self.shown(field, &entry.label, before).await?;
            }
            labels.push(entry.label);
        }
        // Not every list that takes several says so: whatever else is chosen beside them is taken away.
        let list = self.list(field).await?;
        let others = list
            .entries
            .iter()
            .filter(|one| one.chosen && !labels.contains(&one.label));
        for entry in others {
            *watch = self.press_entry(field, entry).await?;
        }
        sleep(AGAIN.min(self.left())).await;
        let now = self.list(field).await?;
        if let Some(label) = labels.iter().find(|label| !now.shows(label, before)) {
            let shown: Vec<_> = now.texts.iter().take(2).map(|text| cut(text)).collect();
            return Err(reverted(field, false).data(json!({"wanted": cut(label), "shown": shown})));
        }
        Ok(labels)
    }

    /// Presses an option, wherever it is by now.
    async fn press_entry(&self, field: &Field, entry: &Entry) -> Result<Watch, Error> {
        let element = Self::entry(field, entry.handle);
        Ok(self.press(&element, Button::Left, 1, &[]).await?.0)
    }

    /// The option that is meant, once the list shows it.
    async fn entry_of(&self, field: &Field, choice: &Choice) -> Result<Entry, Error> {
        let mut seen: Vec<Entry> = Vec::new();
        for _ in 0..SCROLLS {
            let list = self.list_opens(field).await?;
            for entry in &list.entries {
                if !seen
                    .iter()
                    .any(|one| one.label == entry.label && one.value == entry.value)
                {
                    seen.push(entry.clone());
                }
            }
            match meant(&list.entries, std::slice::from_ref(choice)) {
                Ok(found) => {
                    let entry = found.first().and_then(|at| list.entries.get(*at)).cloned();
                    return entry.ok_or_else(|| Error::internal("an option without a place"));
                }
                Err(error)
                    if error.code == Code::OptionNotFound && list.rest > 0 && !self.left().is_zero() => {}
                Err(error) if error.code == Code::OptionNotFound => {
                    // With all that was seen on the way.
                    return Err(meant(&seen, std::slice::from_ref(choice)).err().unwrap_or(error));
                }
                Err(error) => return Err(error),
            }
            if let Some(last) = list.entries.last() {
                let aimed = self.look_at(&Self::entry(field, last.handle), true).await?;
                // So that the turn of the wheel is not taken for a person's.
                self.watch(&field.element, &["wheel"]).await?;
                self.mouse("mouseWheel", &aimed, json!({"deltaX": 0, "deltaY": 150}))
                    .await?;
                sleep(LOOKS).await;
            }
        }
        Err(Error::new(Code::OptionNotFound, "the list has no end").effect(Effect::None))
    }

    /// Waits until options can be seen and stay the same.
    async fn list_opens(&self, field: &Field) -> Result<List, Error> {
        let began = now();
        let mut last: Option<List> = None;
        loop {
            let list = self.list(field).await?;
            if !list.entries.is_empty() && last.as_ref().is_some_and(|last| same(last, &list)) {
                return Ok(list);
            }
            if now().saturating_sub(began) >= OPENS || self.left().is_zero() {
                return Err(
                    Error::new(Code::OptionNotFound, format!("{} shows no options", field.words))
                        .hint("observe the page: options may need some text first")
                        .effect(Effect::Unknown),
                );
            }
            last = Some(list);
            let changed = port::changed(self.tab, &field.element.document, LOOKS.min(self.left())).await;
            changed.map_err(|trouble| self.trouble(&trouble))?;
        }
    }

    /// Waits until an option is shown as chosen.
    async fn shown(&self, field: &Field, label: &str, before: &List) -> Result<(), Error> {
        let began = now();
        loop {
            let list = self.list(field).await?;
            if list.shows(label, before) {
                return Ok(());
            }
            if now().saturating_sub(began) >= SHOWN || self.left().is_zero() {
                let shown: Vec<_> = list.texts.iter().take(2).map(|text| cut(text)).collect();
                return Err(Error::new(
                    Code::Unconfirmed,
                    format!("the option was pressed, and {} does not show it", field.words),
                )
                .effect(Effect::Unknown)
                .data(json!({"wanted": cut(label), "shown": shown})));
            }
            let changed = port::changed(self.tab, &field.element.document, LOOKS.min(self.left())).await;
            changed.map_err(|trouble| self.trouble(&trouble))?;
        }
    }

    /// Closes a list that was opened here and is still open.
    async fn close_list(&self, field: &Field) {
        let closed = async {
            if self.list(field).await?.entries.is_empty() {
                return Ok(());
            }
            let watched = self.watch(&field.element, &["keydown"]).await?;
            self.stroke(&[], &table::read("Escape")?.1, Duration::ZERO)
                .await?;
            drop(watched);
            Ok::<(), Error>(())
        };
        if let Err(error) = closed.await {
            crate::log(&format!("closing a list: {}", error.message));
        }
    }

    async fn list(&self, field: &Field) -> Result<List, Error> {
        let op = FillOp::List {
            r#ref: field.element.r#ref,
        };
        let mut columns = self.ask(&field.element.document, &op).await?;
        if columns.int()? != 1 {
            return Err(gone(&field.target));
        }
        columns.int()?;
        columns.int()?;
        let mut list = List {
            rest: columns.int()?,
            ..List::default()
        };
        for _ in 0..columns.int()? {
            list.entries.push(Entry {
                handle: columns.int()?,
                chosen: columns.int()? == 1,
                disabled: columns.int()? == 1,
                value: columns.text()?.unwrap_or_default(),
                label: folded(&columns.text()?.unwrap_or_default()),
            });
        }
        for _ in 0..columns.int()? {
            list.texts.push(columns.text()?.unwrap_or_default());
        }
        Ok(list)
    }
}

/// Whether two looks found the same options.
fn same(one: &List, other: &List) -> bool {
    let labels = |list: &List| {
        list.entries
            .iter()
            .map(|entry| entry.label.clone())
            .collect::<Vec<_>>()
    };
    one.rest == other.rest && labels(one) == labels(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(texts: &[&str], entries: &[(&str, bool)]) -> List {
        let entry = |(label, chosen): &(&str, bool)| Entry {
            label: (*label).to_owned(),
            chosen: *chosen,
            ..Entry::default()
        };
        List {
            texts: texts.iter().map(|text| (*text).to_owned()).collect(),
            entries: entries.iter().map(entry).collect(),
            ..List::default()
        }
    }

    #[test]
    fn a_choice_is_shown_by_its_option_or_by_the_field() {
        let before = list(&["", "option10"], &[]);
        assert!(list(&[""], &[("option1", true)]).shows("option1", &before));
        assert!(!list(&["", "option10"], &[("option1", false)]).shows("option1", &before));
        assert!(
            !list(&["", "option10"], &[]).shows("option1", &before),
            "a part of another label"
        );
        assert!(list(&["", "option1"], &[]).shows("option1", &before));
        let before = list(&["Pick"], &[]);
        assert!(list(&["× Amber"], &[]).shows("Amber", &before));
    }
}
