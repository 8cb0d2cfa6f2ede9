use drawbridge_protocol::page::{PageFound, PageRead, Suggestion};
use drawbridge_protocol::recipe::{self, Read};

use crate::sample::ask::ask;

fn suggestions(html: &str, goal: Option<&str>) -> Vec<Suggestion> {
    let read = PageRead::Suggest {
        goal: goal.map(str::to_owned),
        limit: 5,
    };
    let found = match ask(html, &read) {
        Ok(PageFound::Suggestions { suggestions }) => suggestions,
        other => panic!("{other:?}"),
    };
    for one in &found {
        recipe::check(&one.recipe, "recipe").unwrap();
        assert_eq!(one.evidence.len(), one.recipe.fields.len());
        for (field, evidence) in one.recipe.fields.iter().zip(&one.evidence) {
            assert_eq!(field.name, evidence.field);
            assert_eq!(field.required, evidence.present == one.rows, "{field:?}");
        }
        let value = serde_json::to_value(&one.recipe).unwrap();
        assert_eq!(recipe::parse(&value, "recipe").unwrap(), one.recipe);
    }
    found
}

/// Name, selector and what is read of each field.
fn fields(one: &Suggestion) -> Vec<String> {
    one.recipe
        .fields
        .iter()
        .map(|field| {
            let read = match field.attribute {
                Some(attribute) => format!("@{}", attribute.name()),
                None => String::new(),
            };
            let optional = if field.required { "" } else { "?" };
            format!(
                "{}{optional}: {}{read}",
                field.name,
                field.selector.as_deref().unwrap_or(".")
            )
        })
        .collect()
}

fn card(title: &str, price: &str, more: &str) -> String {
    format!(
        "<li class='card css-1q2w3e'><a class=pic href=/p/{title}><img src=/{title}.png alt={title}></a>\
         <h3><a href=/p/{title}>{title}</a></h3><span class=price>{price}</span>{more}</li>"
    )
}

fn shop() -> String {
    let cards: String = ["Alpha", "Beta", "Gamma", "Delta"]
        .iter()
        .enumerate()
        .map(|(nth, title)| {
            card(
                title,
                &format!("{nth} €"),
                if nth == 2 { "<em class=note>New</em>" } else { "" },
            )
        })
        .collect();
    format!(
        "<title>Shop</title><header><nav><ul><li><a href=/a>One</a><li><a href=/b>Two</a><li><a href=/c>Three</a><li><a href=/d>Four</a></ul></nav></header>\
         <main><h1>All laptops</h1><ul class=results>{cards}</ul><p><a href='?page=1'>1</a> <a class=next href='?page=2'>Next ›</a></p></main>\
         <footer><ul><li><a href=/x>Imprint</a><li><a href=/y>Terms</a><li><a href=/z>Privacy</a></ul></footer>"
    )
}

#[test]
fn cards_become_a_recipe() {
    let found = suggestions(&shop(), None);
    let best = &found[0];
    assert_eq!((best.recipe.rows.as_str(), best.rows), ("li.card", 4));
    assert_eq!(best.recipe.ready, best.recipe.rows);
    assert_eq!(best.recipe.origin, "https://shop.example");
    assert_eq!(best.recipe.url_template, "https://shop.example/list");
    assert_eq!(best.recipe.name, "All laptops");
    assert_eq!(best.recipe.next.as_deref(), Some("a.next"));
    assert_eq!(best.recipe.max_pages, 10);
    let fields = fields(best);
    assert!(fields.contains(&"price: span.price".to_owned()), "{fields:?}");
    assert!(
        fields
            .iter()
            .any(|field| field.contains("h3") && !field.contains('@')),
        "{fields:?}"
    );
    assert!(fields.iter().any(|field| field.ends_with("@href")), "{fields:?}");
    assert!(
        fields.iter().any(|field| field.ends_with("img@src")),
        "{fields:?}"
    );
    let price = best
        .evidence
        .iter()
        .find(|evidence| evidence.field == "price")
        .unwrap();
    assert_eq!(
        (price.present, price.distinct, price.samples.join(" ")),
        (4, 4, "0 € 1 € 2 €".to_owned())
    );
    assert!(best.why[0].starts_with("4 rows of the same shape"));
}

#[test]
fn tables_are_named_by_their_headers() {
    let rows: String = (1..=5)
        .map(|nth| {
            format!("<tr><td>Item {nth}</td><td>{nth} kg</td><td><a href=/i/{nth}>open {nth}</a></td></tr>")
        })
        .collect();
    let html = format!(
        "<table id=t><thead><tr><th>Product name</th><th>Weight</th><th></th></tr></thead><tbody>{rows}</tbody></table>"
    );
    let best = &suggestions(&html, None)[0];
    assert_eq!(best.rows, 5);
    assert!(best.recipe.rows.ends_with("tr"), "{}", best.recipe.rows);
    let fields = fields(best);
    assert_eq!(fields[0], "productName: td:nth-of-type(1)");
    assert_eq!(fields[1], "weight: td:nth-of-type(2)");
    assert!(
        fields[2].starts_with("link: ") && fields[3].starts_with("url: "),
        "{fields:?}"
    );
}

#[test]
fn what_some_rows_lack_is_optional_and_what_is_twice_in_a_row_is_no_field() {
    let cards: String = (0..6)
        .map(|nth| {
            let note = if nth > 1 { "<em class=note>Sale</em>" } else { "" };
            let tags = "<i class=tag>a</i><i class=tag>b</i>";
            format!("<article><h2>Title {nth}</h2><p class=by>Author {nth}</p>{note}{tags}</article>")
        })
        .collect();
    let best = &suggestions(&format!("<div>{cards}</div>"), None)[0];
    let fields = fields(best);
    assert!(fields.iter().any(|field| field == "note?: em.note"), "{fields:?}");
    assert!(
        fields
            .iter()
            .all(|field| !field.ends_with("i.tag") || field.contains("nth")),
        "{fields:?}"
    );
}

#[test]
fn a_goal_decides_between_lists() {
    let list = |class: &str, words: &[&str]| {
        let rows: String = words.iter().map(|word| format!("<div class={class}><b class=word>{word}</b><span class=x>{word} text of its own</span></div>")).collect();
        format!("<section><h2>{class}s</h2>{rows}</section>")
    };
    let html = list("employee", &["Ann", "Ben", "Cid", "Dan", "Eve"])
        + &list("invoice", &["2024-1", "2024-2", "2024-3"]);
    assert_eq!(suggestions(&html, None)[0].recipe.rows, "div.employee");
    let best = &suggestions(&html, Some("list of all invoices"))[0];
    assert_eq!(best.recipe.rows, "div.invoice");
    assert!(
        best.why.iter().any(|why| why.contains("invoice")),
        "{:?}",
        best.why
    );
}

#[test]
fn nothing_is_suggested_where_nothing_repeats() {
    assert_eq!(suggestions("<h1>Title</h1><p>One paragraph.</p>", None), []);
    assert_eq!(suggestions("", None), []);
}

#[test]
fn more_rows_than_a_recipe_returns_are_no_hindrance() {
    let cards: String = (0..2_500)
        .map(|nth| format!("<li class=c><b>Title {nth}</b><i class=x>{nth} kg</i></li>"))
        .collect();
    let best = &suggestions(&format!("<ul>{cards}</ul>"), None)[0];
    assert_eq!((best.rows, best.evidence[0].present), (100, 100));
    assert!(best.why[0].starts_with("2500 rows"), "{}", best.why[0]);
}

#[test]
fn values_are_what_a_recipe_reads() {
    for field in &suggestions(&shop(), None)[0].recipe.fields {
        assert_eq!(field.read == Read::Attribute, field.attribute.is_some());
    }
}
