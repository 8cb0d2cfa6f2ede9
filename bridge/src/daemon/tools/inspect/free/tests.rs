use proptest::prelude::*;
use unicode_segmentation::UnicodeSegmentation;

use super::*;

const GRAPHEMES: [&str; 8] = ["a", "👨‍👩‍👧‍👦", "e\u{301}", "🇧🇪", "好", "ש", "👍🏽", "z"];

#[test]
fn a_cut_tears_no_character_wherever_it_is_asked_for() {
    let text = GRAPHEMES.concat();
    for count in 0..=text.len() {
        let fits = |graphemes: &mut dyn Iterator<Item = &&str>| {
            let mut taken = 0;
            for grapheme in graphemes {
                if taken + grapheme.len() > count {
                    break;
                }
                taken += grapheme.len();
            }
            taken
        };
        assert_eq!(
            whole(&text, 0, count, false),
            fits(&mut GRAPHEMES.iter()),
            "{count}"
        );
        assert_eq!(
            whole(&text, 0, count, true),
            fits(&mut GRAPHEMES.iter().rev()),
            "{count}"
        );
    }
}

#[test]
fn marks_without_end_do_not_hide_what_follows() {
    let text = format!("a{}b", "\u{301}".repeat(100_000));
    let count = whole(&text, 0, 10_000, false);
    assert!(count > 9_000 && text.is_char_boundary(count));
}

proptest! {
    #[test]
    fn parts_one_after_another_are_the_whole(text in "[a-e\u{301}\u{200d}👩👧🇧🇪好\\n ]{0,60}", step in 1_usize..20, tail: bool) {
        let (mut from, mut parts) = (0, Vec::new());
        while from < text.len() {
            let count = whole(&text, from, step, tail);
            // A character that is longer than the step is given whole.
            let count = if count == 0 { (step..).map(|more| whole(&text, from, more, tail)).find(|count| *count > 0).unwrap() } else { count };
            let given = part(&text, from, count, tail);
            prop_assert_eq!(given.len(), count);
            parts.push(given.to_owned());
            from += count;
        }
        if tail {
            parts.reverse();
        }
        let graphemes: Vec<&str> = parts.iter().flat_map(|part| part.graphemes(true)).collect();
        prop_assert_eq!(parts.concat(), text.clone());
        prop_assert_eq!(graphemes, text.graphemes(true).collect::<Vec<_>>());
    }
}
