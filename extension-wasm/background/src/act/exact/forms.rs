//! Dates, times, colours and numbers as HTML writes them, from that or from how people write them.

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The value in the form that a field of this type has in HTML; else why it is none. `language`: the browser's, such as
/// `en-US`.
pub(crate) fn exact(kind: &str, value: &str, language: &str) -> Result<String, String> {
    let text = value.trim();
    if text.is_empty() && kind != "color" && kind != "range" {
        return Ok(String::new());
    }
    let made = match kind {
        "date" => date(text, language)?,
        "time" => time(text),
        "datetime-local" => moment(text, language)?,
        "month" => month(text),
        "week" => week(text),
        "color" => color(text),
        "range" => text
            .parse::<f64>()
            .ok()
            .filter(|number| number.is_finite())
            .map(|_| text.to_owned()),
        _ => Some(text.to_owned()),
    };
    made.ok_or_else(|| {
        let example = match kind {
            "date" => "2026-11-30",
            "time" => "13:45",
            "datetime-local" => "2026-11-30T13:45",
            "month" => "2026-11",
            "week" => "2026-W48",
            "color" => "#ff8800",
            _ => "5",
        };
        format!("a field of type {kind} takes {example}")
    })
}

/// Whether two values of a field mean the same, such as `13:45` and `13:45:00`.
pub(crate) fn same(kind: &str, one: &str, other: &str) -> bool {
    match kind {
        "time" | "datetime-local" => full_time(one) == full_time(other),
        "color" => one.eq_ignore_ascii_case(other),
        "range" => {
            matches!((one.parse::<f64>(), other.parse::<f64>()), (Ok(one), Ok(other)) if (one - other).abs() < 1e-9)
        }
        _ => one == other,
    }
}

fn full_time(text: &str) -> String {
    let text = text.replace(' ', "T");
    let text = text.strip_suffix(".000").unwrap_or(&text);
    if text.matches(':').count() == 1 {
        return format!("{text}:00");
    }
    text.to_owned()
}

fn date(text: &str, language: &str) -> Result<Option<String>, String> {
    let parts: Vec<&str> = text
        .split(|sign: char| sign.is_whitespace() || "-/.,年月日".contains(sign))
        .filter(|part| !part.is_empty())
        .collect();
    let [one, two, three] = parts[..] else {
        return Ok(None);
    };
    let number = |part: &str| {
        let ordinal = ["st", "nd", "rd", "th"]
            .iter()
            .find_map(|end| part.strip_suffix(end));
        ordinal.unwrap_or(part).parse::<u32>().ok()
    };
    let made = |year: Option<u32>, month: Option<u32>, day: Option<u32>| {
        let (year, month, day) = (year?, month?, day?);
        (year >= 1000 && (1..=12).contains(&month) && (1..=days(year, month)).contains(&day))
            .then(|| format!("{year:04}-{month:02}-{day:02}"))
    };
    if one.len() == 4 && one.parse::<u32>().is_ok() {
        return Ok(made(number(one), number(two), number(three)));
    }
    if let Some(month) = named(two) {
        return Ok(made(number(three), Some(month), number(one)));
    }
    if let Some(month) = named(one) {
        return Ok(made(number(three), Some(month), number(two)));
    }
    let year = number(three);
    let day_first = made(year, number(two), number(one));
    let month_first = made(year, number(one), number(two));
    if text.contains('.') {
        return Ok(day_first);
    }
    Ok(match (day_first, month_first) {
        (Some(one), Some(other)) if one != other => {
            // Only the browser's language says which, where it is sure.
            return match language {
                "en-US" => Ok(Some(other)),
                "" | "en" => Err(format!(
                    "{text} can be read as {one} or {other}: write it as one of these"
                )),
                _ => Ok(Some(one)),
            };
        }
        (one, other) => one.or(other),
    })
}

fn named(text: &str) -> Option<u32> {
    let text = text.to_lowercase();
    if text.chars().count() < 3 {
        return None;
    }
    let at = MONTHS.iter().position(|month| month.starts_with(&text))?;
    u32::try_from(at + 1).ok()
}

fn days(year: u32, month: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

fn time(text: &str) -> Option<String> {
    let lower = text.to_lowercase().replace('.', "");
    let (clock, half) = match lower.strip_suffix("am").or_else(|| lower.strip_suffix("pm")) {
        Some(clock) => (clock.trim_end(), Some(lower.ends_with("pm"))),
        None => (lower.as_str(), None),
    };
    // Points go only where letters had them: fractions of seconds stay.
    let clock = if half.is_none() { text } else { clock };
    let mut parts = clock.split(':');
    let mut hour: u32 = parts.next()?.parse().ok()?;
    let minute: u32 = match parts.next() {
        Some(part) if part.len() == 2 => part.parse().ok()?,
        Some(_) => return None,
        None => {
            half?;
            0
        }
    };
    let second = parts.next();
    if parts.next().is_some() || minute > 59 {
        return None;
    }
    if let Some(late) = half {
        if !(1..=12).contains(&hour) {
            return None;
        }
        hour = hour % 12 + if late { 12 } else { 0 };
    }
    if hour > 23 {
        return None;
    }
    match second {
        None => Some(format!("{hour:02}:{minute:02}")),
        Some(second) => {
            let whole: f64 = second.parse().ok()?;
            let is_plain =
                second.len() >= 2 && second.chars().all(|sign| sign.is_ascii_digit() || sign == '.');
            (is_plain && (0.0..60.0).contains(&whole)).then(|| format!("{hour:02}:{minute:02}:{second}"))
        }
    }
}

fn moment(text: &str, language: &str) -> Result<Option<String>, String> {
    let parted = text.split_once('T').or_else(|| {
        let at = text.find(':')?;
        let start = text[..at].rfind(char::is_whitespace)?;
        Some((&text[..start], &text[start + 1..]))
    });
    let Some((day, clock)) = parted else {
        return Ok(None);
    };
    let day = date(day.trim().trim_end_matches(','), language)?;
    Ok(day
        .zip(time(clock.trim()))
        .map(|(day, clock)| format!("{day}T{clock}")))
}

fn month(text: &str) -> Option<String> {
    let parts: Vec<&str> = text
        .split(|sign: char| sign.is_whitespace() || "-/.,".contains(sign))
        .filter(|part| !part.is_empty())
        .collect();
    let [one, two] = parts[..] else {
        return None;
    };
    let (year, month) = if one.len() == 4 && one.chars().all(|sign| sign.is_ascii_digit()) {
        (one, two)
    } else {
        (two, one)
    };
    let month = named(month)
        .or_else(|| month.parse().ok())
        .filter(|month| (1..=12).contains(month))?;
    let year: u32 = year.parse().ok().filter(|year| *year >= 1000)?;
    Some(format!("{year:04}-{month:02}"))
}

fn week(text: &str) -> Option<String> {
    let (year, week) = text.split_once("-W").or_else(|| text.split_once("-w"))?;
    let year: u32 = year.parse().ok().filter(|year| (1000..=9999).contains(year))?;
    let week: u32 = week.parse().ok().filter(|week| (1..=53).contains(week))?;
    Some(format!("{year:04}-W{week:02}"))
}

fn color(text: &str) -> Option<String> {
    let digits = text.strip_prefix('#').unwrap_or(text).to_ascii_lowercase();
    if !digits.chars().all(|sign| sign.is_ascii_hexdigit()) {
        return None;
    }
    match digits.len() {
        6 => Some(format!("#{digits}")),
        3 => Some(
            digits
                .chars()
                .fold("#".to_owned(), |made, sign| format!("{made}{sign}{sign}")),
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(kind: &str, value: &str, language: &str) -> Option<String> {
        exact(kind, value, language).ok()
    }

    #[test]
    fn dates_are_read_as_people_write_them() {
        for text in [
            "2026-11-30",
            "2026/11/30",
            "30.11.2026",
            "30/11/2026",
            "11/30/2026",
            "30 November 2026",
            "Nov 30, 2026",
            "30th Nov 2026",
            " 2026-11-30 ",
        ] {
            assert_eq!(
                made("date", text, "en-US").as_deref(),
                Some("2026-11-30"),
                "{text}"
            );
        }
        for text in [
            "2026-13-01",
            "2026-02-29",
            "30.2.2026",
            "yesterday",
            "26-1-2",
            "2026-11",
            "0",
        ] {
            assert_eq!(made("date", text, "de"), None, "{text}");
        }
    }

    #[test]
    fn the_language_says_which_number_is_the_month() {
        assert_eq!(made("date", "3/4/2026", "en-US").as_deref(), Some("2026-03-04"));
        assert_eq!(made("date", "3/4/2026", "en-GB").as_deref(), Some("2026-04-03"));
        assert_eq!(made("date", "3.4.2026", "en-US").as_deref(), Some("2026-04-03"));
        let told = exact("date", "3/4/2026", "en").unwrap_err();
        assert!(
            told.contains("2026-03-04") && told.contains("2026-04-03"),
            "{told}"
        );
    }

    #[test]
    fn times_and_the_rest() {
        for (kind, text, wanted) in [
            ("time", "13:45", "13:45"),
            ("time", "1:45 pm", "13:45"),
            ("time", "12 a.m.", "00:00"),
            ("time", "9:05:07.5", "09:05:07.5"),
            ("datetime-local", "2026-11-30T13:45", "2026-11-30T13:45"),
            ("datetime-local", "30.11.2026, 13:45", "2026-11-30T13:45"),
            ("datetime-local", "11/30/2026 1:45", "2026-11-30T01:45"),
            ("month", "2026-11", "2026-11"),
            ("month", "November 2026", "2026-11"),
            ("month", "11/2026", "2026-11"),
            ("week", "2026-W48", "2026-W48"),
            ("week", "2026-w7", "2026-W07"),
            ("color", "#F80", "#ff8800"),
            ("color", "FF8800", "#ff8800"),
            ("range", "7.5", "7.5"),
            ("date", "", ""),
        ] {
            assert_eq!(
                made(kind, text, "en-US").as_deref(),
                Some(wanted),
                "{kind} {text}"
            );
        }
        for (kind, text) in [
            ("time", "25:00"),
            ("time", "1345"),
            ("time", "13:5"),
            ("time", "13 pm"),
            ("datetime-local", "2026-11-30"),
            ("month", "13/2026"),
            ("week", "48"),
            ("color", "orange"),
            ("color", ""),
            ("range", "loud"),
        ] {
            assert_eq!(made(kind, text, "en-US"), None, "{kind} {text}");
        }
    }

    #[test]
    fn the_browser_leaves_out_what_is_nothing() {
        assert!(same("time", "13:45", "13:45:00") && !same("time", "13:45", "13:46"));
        assert!(same("range", "8", "8.0") && !same("range", "8", "6"));
        assert!(same("color", "#FF8800", "#ff8800") && !same("date", "2026-11-30", "2026-11-29"));
    }
}
