//! Tasks in an inbox, asked for in many ways.

use anyhow::{Context, Result, bail};

use super::hands::{Hands, between};

/// What is asked for.
enum Wish {
    Delete,
    Star,
    Reply(String),
    Forward(String),
}

/// Where a word stands that is this name, with or without what clings to it.
fn is_name(word: &str, name: &str) -> bool {
    let word = word.trim_matches(|one: char| !one.is_alphanumeric());
    word == name || word.strip_suffix("'s") == Some(name)
}

/// How much speaks for the mail being from this name.
fn sent_by(words: &[&str], name: &str) -> i32 {
    let mut score = 0;
    for (at, word) in words.iter().enumerate() {
        if !is_name(word, name) {
            continue;
        }
        let before = at.checked_sub(1).map_or("", |at| words[at]);
        let after = words.get(at + 1).copied().unwrap_or_default();
        if ["by", "from", "by:"].contains(&before.to_lowercase().as_str()) {
            score += 3;
        }
        if word.contains("'s") {
            score += 2;
        }
        if ["sent", "wrote", "wants", "gave"].contains(&after) {
            score += 1;
        }
        if ["to", "give", "send", "forward", "for", "with"].contains(&before.to_lowercase().as_str()) {
            score -= 2;
        }
    }
    score
}

/// `Find the email by Ann and forward that email to Bob.` and many other ways to say so.
pub(super) async fn mail(hands: &Hands<'_>) -> Result<()> {
    let query = hands.query().await?;
    let senders = hands.texts("#main .email-thread .email-sender").await?;
    let words: Vec<_> = query.split(' ').collect();
    let at = (0..senders.len())
        .filter(|at| words.iter().any(|word| is_name(word, senders[*at].value.trim())))
        .max_by_key(|at| sent_by(&words, senders[*at].value.trim()))
        .with_context(|| query.clone())?;
    let names: Vec<_> = senders.iter().map(|one| one.value.trim()).collect();
    match wish(&query, &words, names[at], &names)? {
        Wish::Delete => {
            let bins = hands.boxes("#main .email-thread .trash").await?;
            hands.click(&bins.get(at).context("no bin")?.r#ref).await
        }
        Wish::Star => {
            let stars = hands.boxes("#main .email-thread .star").await?;
            hands.click(&stars.get(at).context("no star")?.r#ref).await
        }
        Wish::Reply(text) => {
            hands.click(&senders[at].r#ref).await?;
            hands.click("#email .email-reply").await?;
            hands.fill("#reply-text", &text).await?;
            hands.click("#send-reply").await
        }
        Wish::Forward(to) => {
            hands.click(&senders[at].r#ref).await?;
            hands.click("#email .email-forward").await?;
            hands.fill("#forward .forward-sender", &to).await?;
            hands.click("#send-forward").await
        }
    }
}

fn wish(query: &str, words: &[&str], sender: &str, names: &[&str]) -> Result<Wish> {
    let lower = query.to_lowercase();
    let has = |all: &[&str]| all.iter().any(|one| lower.contains(one));
    if query.contains('"') {
        let (from, to) = (query.find('"'), query.rfind('"'));
        let (from, to) = (from.context("no text")?, to.context("no text")?);
        return Ok(Wish::Reply(query[from + 1..to].to_owned()));
    }
    if let Ok(to) = between(query, "forward that email to ", ".") {
        return Ok(Wish::Forward(to.to_owned()));
    }
    if has(&["important", "star"]) {
        return Ok(Wish::Star);
    }
    if has(&["delete", "trash", "get rid", "remove", "erase"]) {
        return Ok(Wish::Delete);
    }
    // Whom it goes to is somebody else of the inbox.
    let other = names
        .iter()
        .filter(|name| **name != sender)
        .find(|name| words.iter().any(|word| is_name(word, name)));
    match other {
        Some(to) => Ok(Wish::Forward((*to).to_owned())),
        None => bail!("to whom? {query}"),
    }
}
