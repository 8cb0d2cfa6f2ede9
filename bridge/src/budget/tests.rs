use super::*;

const HEAD: &str = "https://shop.example/orders \"Orders\"\n";

/// Checks the answer against every number of units.
fn agrees(lines: &[String], tokens: u32) {
    let text = |units: usize| format!("{HEAD}{}", lines[..units].concat());
    let bytes = |units: usize| lines[..units].iter().map(String::len).sum::<usize>();
    let budget = Budget::tokens(tokens);
    let best = (1..=lines.len())
        .take_while(|units| at_most(&text(*units), budget.tokens))
        .last();
    match (most(budget, lines.len(), bytes, text), best) {
        (Ok(found), Some(best)) => assert_eq!(found, best, "{tokens} tokens"),
        (Err(needed), None) => assert_eq!(needed, count(&text(1)), "{tokens} tokens"),
        other => panic!("{tokens} tokens: {other:?}"),
    }
}

#[test]
fn it_is_the_most_that_fits_whatever_the_budget() {
    let lines: Vec<String> = (0..80)
        .map(|n| {
            format!(
                "  e{n} button \"Delete the order {} of Alice 好 👩‍👩‍👧\" [disabled]\n",
                n * 7919
            )
        })
        .collect();
    for tokens in (1..100).chain([500, 1_000, 2_000, 5_000, 20_000]) {
        agrees(&lines, tokens);
    }
}

#[test]
fn lines_of_very_different_lengths_are_no_obstacle() {
    let lines: Vec<String> = (0..40)
        .map(|n: usize| match n % 4 {
            0 => format!("{}\n", " ".repeat(900)),
            1 => format!("{}\n", "=".repeat(700)),
            2 => "x\n".to_owned(),
            _ => format!("{}\n", "ﷺ𓀀".repeat(n)),
        })
        .collect();
    for tokens in [1, 20, 100, 333, 1_000, 100_000] {
        agrees(&lines, tokens);
    }
}

#[test]
fn nothing_to_give_is_still_a_reply() {
    let text = |_| HEAD.to_owned();
    assert_eq!(most(Budget::tokens(2_000), 0, |_| 0, text), Ok(0));
    assert_eq!(most(Budget::tokens(2), 0, |_| 0, text), Err(count(HEAD)));
}

#[test]
fn bytes_are_a_bound_of_their_own() {
    let budget = Budget {
        tokens: 1_000_000,
        bytes: 1_000,
    };
    let text = |units: usize| "a b ".repeat(units);
    assert_eq!(most(budget, 10_000, |units| units * 4, text), Ok(250));
}
