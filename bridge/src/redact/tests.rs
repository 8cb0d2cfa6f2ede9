use super::*;

/// What goes, by the word `SEEDED` that must not be left, and what stays around it.
const GOES: &[(&str, &str)] = &[
    (
        "https://user:SEEDED@shop.example/x",
        "https://[redacted]@shop.example/x",
    ),
    (
        "https://shop.example/?token=SEEDED&page=2",
        "https://shop.example/?token=[redacted]&page=2",
    ),
    (
        "https://shop.example/#access_token=SEEDED",
        "https://shop.example/#access_token=[redacted]",
    ),
    (
        "https://shop.example/cb?code=SEEDED&state=SEEDED",
        "?code=[redacted]&state=[redacted]",
    ),
    (
        "https://shop.example/?x=SEEDED00112233445566778899aabbccddeeff00112233",
        "?x=[redacted]",
    ),
    (
        "https://shop.example/?x=00112233445566778899aabbccddeeff",
        "?x=[redacted]",
    ),
    ("Authorization: Bearer SEEDED.x-y", "Authorization: [redacted]"),
    (
        "{\"authorization\":\"Basic SEEDED==\"}",
        "{\"authorization\":\"[redacted]\"}",
    ),
    (
        "Cookie: a=SEEDED; b=SEEDED\nHost: x",
        "Cookie: [redacted]\nHost: x",
    ),
    ("set-cookie: sid=SEEDED; HttpOnly", "set-cookie: [redacted]"),
    ("bearer SEEDED0123456789", "bearer [redacted]"),
    (
        "{\"password\": \"SEEDED\", \"user\": \"ann\"}",
        "\"user\": \"ann\"",
    ),
    ("api_key=SEEDED", "api_key=[redacted]"),
    ("client_secret=SEEDED", "client_secret=[redacted]"),
    (
        "got eyJSEEDEDhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln now",
        "got [redacted] now",
    ),
    ("key ghp_SEEDED0123456789abcdef", "key [redacted]"),
    ("AKIASEEDED0123456789", "[redacted]"),
    (
        "-----BEGIN EC PRIVATE KEY-----\nSEEDED\n-----END EC PRIVATE KEY-----",
        "[redacted]",
    ),
    (
        "paid with 4242 4242 4242 4242 today",
        "paid with [redacted] today",
    ),
    ("paid with 5555555555554444.", "paid with [redacted]."),
];

/// What is no secret and has to stay readable.
const STAYS: &[&str] = &[
    "https://shop.example/orders?year=2026&page=2",
    "session s-0123456789abcdef in p-0123456789abcdef",
    "link refused refusal=conflict: this profile's id belongs to another one target=p-1 pid=77",
    "client test-0123456789abcdef0123456789abcdef is not admitted",
    "order 1234567890123456 of 2026-11-30T12:00:00.000Z",
    "invalid_argument: recipe.fields[2].read: must be text",
    "código de página 🎉",
    "",
];

#[test]
fn secrets_go_and_the_rest_stays() {
    for (text, left) in GOES {
        let clean = redact(text);
        assert!(
            !clean.contains("SEEDED") && !clean.contains("4242"),
            "{text} → {clean}"
        );
        assert!(clean.contains(left), "{text} → {clean}");
    }
    for text in STAYS {
        assert_eq!(redact(text), *text);
    }
}

#[test]
fn every_form_is_one() {
    assert_eq!(COMPILED.len(), FORMS.len());
    assert!(CARDS.is_some());
}

#[test]
fn what_is_redacted_stays_as_it_is() {
    for (text, _) in GOES {
        let once = redact(text).into_owned();
        assert_eq!(redact(&once), once, "{text}");
    }
}

#[test]
fn a_writer_passes_on_only_what_is_clean() {
    use std::io::Write as _;

    let mut sink = Redacting(Vec::new());
    sink.write_all(b"loading https://shop.example/?token=SEEDED\n")
        .unwrap();
    assert_eq!(sink.0, b"loading https://shop.example/?token=[redacted]\n");
}
