//! Which addresses a call may name, and how a recipe's template becomes one. Pure.

use serde_json::Value;
use url::{Host, Url};

use crate::error::{Code, Effect, Error};
use crate::recipe::{Inputs, MAX_TEXT, Recipe};

/// An address that an action may open.
#[derive(Clone, Debug, PartialEq)]
pub struct Address {
    /// As the browser will see it.
    pub url: String,
    /// Scheme, host and port; `None` for `about:blank`.
    pub origin: Option<String>,
    /// The host alone, lower case and punycode; `None` for `about:blank`.
    pub host: Option<String>,
    /// Loopback, private, link-local and single-label hosts: sites of their own, never part of "all sites".
    pub local: bool,
}

/// Takes `http`, `https` and `about:blank`; nothing else may be opened.
///
/// # Errors
/// `navigation_blocked` for another scheme or for credentials in the address, `invalid_argument` for no address at all.
pub fn check(text: &str, path: &str) -> Result<Address, Error> {
    let text = text.trim();
    if text.is_empty() || text.len() > 8 * MAX_TEXT {
        return Err(Error::argument(path, "is no address"));
    }
    let url = Url::parse(text).map_err(|error| {
        Error::argument(path, format!("is no absolute address: {error}"))
            .hint("give the whole address, such as https://shop.example/orders")
    })?;
    match url.scheme() {
        "http" | "https" => {}
        "about" if url.path() == "blank" && url.query().is_none() => {
            return Ok(Address {
                url: "about:blank".to_owned(),
                origin: None,
                host: None,
                local: false,
            });
        }
        scheme => {
            return Err(blocked(format!("{path}: {scheme}: addresses are never opened"))
                .hint("only http:, https: and about:blank"));
        }
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(blocked(format!(
            "{path}: an address with a user name or password is never opened"
        )));
    }
    let Some(host) = url.host() else {
        return Err(Error::argument(path, "has no host"));
    };
    if is_store(&url) {
        return Err(
            blocked(format!("{path}: the store for extensions is never opened"))
                .hint("what is installed in the browser is for the person alone"),
        );
    }
    Ok(Address {
        origin: Some(url.origin().ascii_serialization()),
        host: Some(host.to_string()),
        local: is_local(&host),
        url: url.into(),
    })
}

fn blocked(message: String) -> Error {
    Error::new(Code::NavigationBlocked, message).effect(Effect::None)
}

/// Whether an address is in a store for extensions, where the browser takes orders from the page.
fn is_store(url: &Url) -> bool {
    let path = url.path();
    match url.host_str().map(|host| host.trim_end_matches('.')) {
        Some("chromewebstore.google.com" | "microsoftedge.microsoft.com" | "addons.opera.com") => true,
        Some("chrome.google.com") => path == "/webstore" || path.starts_with("/webstore/"),
        _ => false,
    }
}

fn is_local(host: &Host<&str>) -> bool {
    match host {
        Host::Ipv4(ip) => {
            ip.is_loopback()
                || ip.is_private()
                || ip.is_link_local()
                || ip.is_unspecified()
                || ip.is_broadcast()
                || (ip.octets()[0] == 100 && (64..128).contains(&ip.octets()[1]))
        }
        Host::Ipv6(ip) => {
            ip.is_loopback()
                || ip.is_unspecified()
                || (ip.segments()[0] & 0xfe00) == 0xfc00
                || (ip.segments()[0] & 0xffc0) == 0xfe80
                || ip.to_ipv4_mapped().is_some_and(|ip| is_local(&Host::Ipv4(ip)))
        }
        Host::Domain(name) => {
            let name = name.trim_end_matches('.');
            !name.contains('.')
                || [".localhost", ".local", ".internal", ".home.arpa"]
                    .iter()
                    .any(|end| name.ends_with(end))
        }
    }
}

/// Fills a recipe's template: the address of its first page.
///
/// # Errors
/// `invalid_argument` with the JSON path: an origin that is none, a template off that origin, a missing, blank, extra
/// or oversized input, or a value that would change the path's shape.
pub fn expand(recipe: &Recipe, inputs: &Inputs) -> Result<Address, Error> {
    let origin = check_origin(&recipe.origin)?;
    let template = recipe.url_template.as_str();
    let on_origin = template
        .strip_prefix(origin.as_str())
        .is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']));
    if !on_origin {
        return Err(Error::argument(
            "recipe.urlTemplate",
            format!("must start with {origin}/"),
        ));
    }
    if let Some(extra) = inputs.keys().find(|name| !recipe.inputs.contains(name)) {
        return Err(Error::argument(
            &format!("inputs.{extra}"),
            "is not declared by the recipe",
        ));
    }
    let mut values = Vec::new();
    for name in &recipe.inputs {
        let path = format!("inputs.{name}");
        let value = inputs
            .get(name)
            .ok_or_else(|| Error::argument(&path, "is missing"))?;
        values.push((format!("{{{name}}}"), encode(&plain(&path, value)?)));
    }
    let filled = values.iter().fold(template.to_owned(), |text, (hole, value)| {
        text.replace(hole, value)
    });
    let address = check(&filled, "recipe.urlTemplate")?;
    if address.origin.as_deref() != Some(origin.as_str()) || address.url != expected(template, &values)? {
        return Err(Error::argument(
            "inputs",
            "a value changes the address beyond its placeholder",
        ));
    }
    Ok(address)
}

/// The address with the values put in after parsing: differs from the parsed whole when a value such as `..` has
/// changed more than its own place.
fn expected(template: &str, values: &[(String, String)]) -> Result<String, Error> {
    let marker = |index: usize| format!("hole{index}hole");
    let neutral = values
        .iter()
        .enumerate()
        .fold(template.to_owned(), |text, (index, (hole, _))| {
            text.replace(hole, &marker(index))
        });
    let address = check(&neutral, "recipe.urlTemplate")?;
    Ok(values
        .iter()
        .enumerate()
        .fold(address.url, |text, (index, (_, value))| {
            text.replace(&marker(index), value)
        }))
}

fn check_origin(origin: &str) -> Result<String, Error> {
    let address = check(origin, "recipe.origin").map_err(|error| Error {
        code: Code::InvalidArgument,
        ..error
    })?;
    match address.origin {
        Some(bare) if bare == origin => Ok(bare),
        Some(bare) => Err(Error::argument(
            "recipe.origin",
            format!("must be a bare origin, such as {bare}"),
        )),
        None => Err(Error::argument(
            "recipe.origin",
            "must be an http or https origin",
        )),
    }
}

fn plain(path: &str, value: &Value) -> Result<String, Error> {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(truth) => truth.to_string(),
        _ => return Err(Error::argument(path, "must be a string, a number or a boolean")),
    };
    if text.trim().is_empty() {
        return Err(Error::argument(path, "must not be blank"));
    }
    if text.len() > MAX_TEXT {
        return Err(Error::argument(
            path,
            format!("has {} bytes, may have {MAX_TEXT}", text.len()),
        ));
    }
    Ok(text)
}

/// Percent-encodes everything but the unreserved characters of RFC 3986, section 2.3.
fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~') {
            encoded.push(byte as char);
        } else {
            encoded.push_str(&format!("%{byte:02X}"));
        }
    }
    encoded
}

#[cfg(test)]
mod tests;
