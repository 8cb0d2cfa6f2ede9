//! A shop's account: a login with a cookie, and orders behind it.

use axum::Router;
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use serde::Deserialize;

use super::Shared;
use super::pages::page;

/// Orders in all, and on one page.
const ORDERS: usize = 12;
const PER_PAGE: usize = 4;

pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/login", get(form).post(sign_in))
        .route("/logout", get(sign_out))
        .route("/account", get(account))
        .route("/orders", get(orders))
        .route("/cookie", get(cookie))
}

async fn form() -> Html<String> {
    page(
        "Sign in",
        "<main><h1>Sign in</h1><form class=\"login\" method=\"post\" action=\"/login\">
         <label>Name <input name=\"user\" autocomplete=\"username\"></label>
         <label>Password <input name=\"password\" type=\"password\" autocomplete=\"current-password\"></label>
         <button>Sign in</button></form></main>",
    )
}

#[derive(Deserialize)]
struct SignIn {
    user: String,
    password: String,
}

async fn sign_in(State(shared): State<Shared>, Form(form): Form<SignIn>) -> Response {
    let plain = !form.user.is_empty()
        && form
            .user
            .chars()
            .all(|character| character.is_ascii_alphanumeric());
    if !plain || form.password.is_empty() {
        return (
            StatusCode::FORBIDDEN,
            page("Sign in", "<p>Wrong name or password.</p>"),
        )
            .into_response();
    }
    with_cookie(
        &format!(
            "session={}.{}; Path=/; HttpOnly; SameSite=Lax",
            form.user, shared.secret
        ),
        "/account",
    )
}

async fn sign_out() -> Response {
    with_cookie("session=; Path=/; Max-Age=0", "/login")
}

fn with_cookie(cookie: &str, to: &str) -> Response {
    let mut response = Redirect::to(to).into_response();
    if let Ok(value) = HeaderValue::from_str(cookie) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    response
}

async fn account(State(shared): State<Shared>, headers: HeaderMap) -> Response {
    match user(&shared, &headers) {
        Some(user) => page("Account", format!("<main><h1>Account of {user}</h1></main>")).into_response(),
        None => Redirect::to("/login").into_response(),
    }
}

#[derive(Deserialize)]
struct Which {
    #[serde(default = "first")]
    page: usize,
    #[serde(default)]
    renamed: u8,
}

fn first() -> usize {
    1
}

async fn orders(State(shared): State<Shared>, headers: HeaderMap, Query(which): Query<Which>) -> Response {
    let Some(user) = user(&shared, &headers) else {
        return Redirect::to("/login").into_response();
    };
    let title = format!("<h1>Orders of {user}</h1>");
    if user == "new" {
        return page(
            "Orders",
            format!("<main>{title}<p class=\"empty\">No orders yet.</p></main>"),
        )
        .into_response();
    }
    let class = if which.renamed == 0 { "order" } else { "purchase" };
    let first = (which.page.max(1) - 1) * PER_PAGE;
    let rows: String = (first..ORDERS.min(first + PER_PAGE))
        .map(|index| order(class, index))
        .collect();
    let next = if first + PER_PAGE < ORDERS {
        format!(
            "<nav><a rel=\"next\" href=\"/orders?page={}\">Next</a></nav>",
            which.page + 1
        )
    } else {
        String::new()
    };
    page("Orders", format!("<main>{title}<ul>{rows}</ul>{next}</main>")).into_response()
}

fn order(class: &str, index: usize) -> String {
    let (number, day) = (1001 + index, 1 + index);
    let note = if index.is_multiple_of(3) {
        "<em class=\"note\">Gift wrapped</em>"
    } else {
        ""
    };
    format!(
        "<li class=\"{class}\"><a class=\"number\" href=\"/orders/A-{number}\">A-{number}</a>
         <time datetime=\"2026-09-{day:02}\">{day} September</time> <span class=\"total\">{}.90 EUR</span> {note}</li>\n",
        10 + 7 * index
    )
}

async fn cookie(headers: HeaderMap) -> String {
    cookies(&headers).to_owned()
}

/// Who is signed in, by the cookie.
fn user(shared: &Shared, headers: &HeaderMap) -> Option<String> {
    let session = cookies(headers)
        .split("; ")
        .find_map(|cookie| cookie.strip_prefix("session="))?;
    let (user, secret) = session.split_once('.')?;
    (secret == &*shared.secret).then(|| user.to_owned())
}

fn cookies(headers: &HeaderMap) -> &str {
    headers
        .get(header::COOKIE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default()
}
