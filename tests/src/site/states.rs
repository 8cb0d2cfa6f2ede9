//! Pages for the rules of recipes, version 1: one rule each, read by [`super::recipes::list`].

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;

use super::Shared;
use super::pages::{list, next, page, price, row, row_with, rows};

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/states/{name}", get(state))
        .route("/big", get(big))
}

#[derive(Deserialize)]
struct Which {
    #[serde(default = "first")]
    page: usize,
}

fn first() -> usize {
    1
}

#[derive(Deserialize)]
struct Size {
    rows: usize,
}

async fn big(Query(size): Query<Size>) -> Response {
    list(&rows(1..=size.rows.min(200_000)), "").into_response()
}

const EMPTY: &str = "<p class=\"empty\">Nothing here.</p>";

async fn state(
    State(shared): State<Shared>,
    Path(name): Path<String>,
    Query(which): Query<Which>,
) -> Response {
    let number = which.page;
    let here = format!("/states/{name}");
    let at = |page: usize| format!("{here}?page={page}");
    let other = &shared.origins[1];
    // Second of three rows, with something about it.
    let second = |row: String| format!("{}{row}{}", self::row(1), self::row(3));
    let three = || rows(1..=3);
    let found = match name.as_str() {
        "ok" => list(&three(), ""),
        "moved" => return Redirect::to("/states/ok").into_response(),
        "empty" => list("", EMPTY),
        "empty-hidden" => list("", "<p class=\"empty\" hidden>Nothing here.</p>"),
        "rows-and-empty" => list(&three(), EMPTY),
        "nothing" => list("", ""),
        "renamed" => list(&three().replace("class=\"row\"", "class=\"item\""), ""),
        "no-ready" => page("List", format!("<ul>{}</ul>", three())),

        "many" => list(&rows(1..=150), ""),
        "paged" if number < 15 => list(&rows(2 * number - 1..=2 * number), next(at(number + 1))),
        "paged" => list(&rows(2 * number - 1..=2 * number), ""),
        // One row moves on between two requests, as when something new comes in at the top.
        "shifting" if number < 3 => list(&rows(2 * number - 1..=2 * number + 1), next(at(number + 1))),
        "shifting" => list(&rows(2 * number - 1..=2 * number + 1), ""),
        "ends-empty" if number == 1 => list(&three(), next(at(2))),
        "ends-empty" => list("", EMPTY),
        "ends-changed" if number == 1 => list(&three(), next(at(2))),
        "ends-changed" => list("", ""),

        "login-element" => page("List", "<main><p class=\"login\">Please sign in.</p></main>"),
        "login-redirect" => return Redirect::to("/login").into_response(),
        "login-redirect-other" => return Redirect::to(&format!("{other}/login")).into_response(),
        "redirect-other" => return Redirect::to(&format!("{other}/states/ok")).into_response(),
        // A password field beside the rows, as shops have in their header, is no login.
        "password-beside" => list(&three(), "<form><input type=\"password\"></form>"),

        "ambiguous-optional" => list(&second(row_with("", 2, &price(2).repeat(2))), ""),
        "ambiguous-required" => list(&second(row_with("", 2, "<b class=\"title\">Again</b>")), ""),
        "missing-optional" => list(&second(row_with("", 2, "")), ""),
        "blank-optional" => list(&second(row_with("", 2, "<span class=\"price\"> \n </span>")), ""),
        "missing-required" => list(&second("<li class=\"row\">Item 2</li>".to_owned()), ""),
        "blank-required" => list(
            &second("<li class=\"row\"><a class=\"title\" href=\"/item/2\"> </a></li>".to_owned()),
            "",
        ),

        "hidden-row" => list(&second(row_with("hidden", 2, "")), ""),
        "visibility" => list(&visibility(), ""),
        "copy" => list(
            &three().replace(
                "<span class=\"price\">",
                "<span class=\"copy\" hidden>copy: </span><span class=\"price\">",
            ),
            "",
        ),
        "hidden-copy" => list(
            &second(row_with(
                "",
                2,
                &format!("{}{}", price(2), price(9).replace("<span", "<span hidden")),
            )),
            "",
        ),

        "next-two" => list(&three(), next(at(2)) + &next(at(3))),
        "next-hidden" => list(&three(), next(at(2)).replace("<a", "<a hidden")),
        "next-no-href" => list(&three(), "<a class=\"next\">Next</a>"),
        "next-loop" => list(&rows(3 * number - 2..=3 * number), next(at(3 - number.min(2)))),
        "next-same" => list(&three(), next(&here)),
        "next-fragment" => list(&three(), next("#more")),
        "next-other-origin" => list(&three(), next(format!("{other}{here}"))),
        "next-script" => list(&three(), next("javascript:void(0)")),
        "next-redirect-other" if number == 1 => list(&three(), next(at(2))),
        "next-redirect-other" => return Redirect::to(&format!("{other}/states/ok")).into_response(),
        _ => return (StatusCode::NOT_FOUND, page("Not found", "<h1>No such state</h1>")).into_response(),
    };
    found.into_response()
}

/// Rows that can be seen say so in their price, and the others too.
fn visibility() -> String {
    let price = |seen: &str| format!("<span class=\"price\">{seen}</span>");
    let wrapped = |style: &str, row: String| format!("<div style=\"{style}\">{row}</div>");
    [
        row_with("", 1, &price("seen")),
        row_with("style=\"display: none\"", 2, &price("unseen")),
        row_with("style=\"visibility: hidden\"", 3, &price("unseen")),
        row_with("style=\"opacity: 0\"", 4, &price("unseen")),
        wrapped("opacity: 0", row_with("", 5, &price("unseen"))),
        wrapped(
            "visibility: hidden",
            row_with("style=\"visibility: visible\"", 6, &price("seen")),
        ),
        wrapped("display: contents", row_with("", 7, &price("seen"))),
        row_with("style=\"display: contents\"", 8, &price("seen")),
        row_with(
            "style=\"width: 0; height: 0; overflow: hidden\"",
            9,
            &price("unseen"),
        ),
        row_with(
            "style=\"position: absolute; left: -9999px\"",
            10,
            &price("unseen"),
        ),
        row_with("style=\"margin-top: 4000px\"", 11, &price("seen")),
        row_with("aria-hidden=\"true\"", 12, &price("seen")),
    ]
    .concat()
}
