use bpe_openai::o200k_base;
use proptest::prelude::*;

use super::*;

fn agrees(text: &str) {
    let theirs = o200k_base().count(text);
    assert_eq!(count(text), theirs, "{text:?}");
    assert!(at_most(text, theirs) && (theirs == 0 || !at_most(text, theirs - 1)));
}

#[test]
fn the_pattern_is_one() {
    assert!(SPLIT.is_some());
}

#[test]
fn texts_of_many_kinds_count_as_the_library_counts_them() {
    for text in [
        "",
        "a",
        "Hello, world!",
        "  e12 button \"Delete the order 17\" [disabled]\n    text \"好的 שלום مرحبا नमस्ते\"\n",
        "it's WE'LL they'Re don'T I'm\r\n\r\n  \t x",
        "trailing   ",
        "   leading",
        "a \u{a0} b\u{2003}\u{3000}c\u{85}d",
        "1234567890 3.14159 ²³ Ⅷ",
        "https://shop.example/a/b?c=d#e////\n\n//",
        "👨‍👩‍👧‍👦👍🏽🇧🇪 e\u{301}\u{302}\u{303}",
        "ǅungla ʰʱ ªº \u{fffd}\u{0}\u{1b}",
    ] {
        agrees(text);
    }
    for (unit, times) in [
        (" ", 3_000),
        ("=", 700),
        ("ab", 2_000),
        ("\n", 500),
        ("\t ", 500),
        ("ﷺ𓀀", 300),
        ("é", 999),
    ] {
        agrees(&unit.repeat(times));
        agrees(&format!("x{}y", unit.repeat(times)));
    }
}

#[test]
fn a_piece_without_end_is_counted() {
    // Work that grows with the square of a piece's length would not end here.
    assert!(count(&"abcdefghij".repeat(30_000)) > 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn any_text_counts_as_the_library_counts_it(text in any::<String>()) {
        prop_assert_eq!(count(&text), o200k_base().count(text.as_str()));
    }

    #[test]
    fn text_of_words_and_white_space_counts_as_the_library_counts_it(
        text in r#"([A-Za-zÀ-ž'好ש]{1,9}|[0-9]{1,5}|[ \t\r\n\u{a0}]{1,4}|["\[\]{}=/.,:;!?-]{1,4}){0,60}"#
    ) {
        prop_assert_eq!(count(&text), o200k_base().count(text.as_str()));
    }
}
