use serde_json::json;

use super::*;
use crate::recipe;

#[test]
fn only_web_addresses_are_opened() {
    for bad in [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "javascript:alert(1)",
        " JavaScript:alert(1)",
        "java\nscript:alert(1)",
        "data:text/html,x",
        "blob:https://a.example/1",
        "view-source:https://a.example/",
        "chrome://settings",
        "chrome-extension://abc/popup.html",
        "devtools://devtools/bundled/x",
        "about:srcdoc",
        "about:blank?x",
        "about:config",
        "ftp://a.example/",
        "filesystem:https://a.example/t/x",
        "ws://a.example/",
        "https://user:pass@a.example/",
        "https://user@a.example/",
        "https://chromewebstore.google.com/detail/x",
        "http://ChromeWebStore.Google.com./",
        "https://chrome.google.com/webstore",
        "https://chrome.google.com/webstore/x",
    ] {
        assert_eq!(
            check(bad, "url").expect_err(bad).code,
            Code::NavigationBlocked,
            "{bad}"
        );
    }
    for bad in [
        "",
        "   ",
        "a.example",
        "/orders",
        "https://",
        "http:///",
        "https://a b/",
    ] {
        assert_eq!(
            check(bad, "url").expect_err(bad).code,
            Code::InvalidArgument,
            "{bad}"
        );
    }
    assert!(check("https://chrome.google.com/webstores", "url").is_ok());
    assert_eq!(
        check(" HTTPS://A.Example:443/x ", "url").unwrap().url,
        "https://a.example/x"
    );
    assert_eq!(
        check("https://a.example:8443/", "url").unwrap().origin.as_deref(),
        Some("https://a.example:8443")
    );
    assert_eq!(check("about:blank#x", "url").unwrap().url, "about:blank");
}

#[test]
fn local_addresses_are_told_apart() {
    for local in [
        "http://localhost/",
        "http://x.localhost:80/",
        "http://127.0.0.1/",
        "http://127.1/",
        "http://0x7f000001/",
        "http://2130706433/",
        "http://0/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://10.0.0.1/",
        "http://192.168.1.1/",
        "http://172.16.0.1/",
        "http://169.254.169.254/",
        "http://100.64.0.1/",
        "http://[fd00::1]/",
        "http://[fe80::1]/",
        "http://router/",
        "http://printer.local/",
        "http://localhost./",
    ] {
        assert!(check(local, "url").unwrap().local, "{local}");
    }
    for public in [
        "https://shop.example/",
        "http://8.8.8.8/",
        "http://172.32.0.1/",
        "http://[2001:db8::1]/",
    ] {
        assert!(!check(public, "url").unwrap().local, "{public}");
    }
}

fn recipe(origin: &str, template: &str, inputs: &[&str]) -> recipe::Recipe {
    let value = json!({
        "version": 1, "name": "r", "description": "d", "origin": origin, "urlTemplate": template, "inputs": inputs,
        "ready": "a", "rows": "a", "fields": [{"name": "t", "read": "text", "required": true}], "limit": 1, "maxPages": 1
    });
    recipe::parse(&value, "recipe").unwrap()
}

fn fill(template: &str, inputs: serde_json::Value) -> Result<String, Error> {
    let names: Vec<&str> = recipe::placeholders(template).unwrap();
    let inputs: Inputs = serde_json::from_value(inputs).unwrap();
    expand(&recipe("https://shop.example", template, &names), &inputs).map(|address| address.url)
}

#[test]
fn inputs_fill_their_placeholder_and_nothing_else() {
    let url = fill(
        "https://shop.example/p/{id}?q={q}",
        json!({"id": "a/b c", "q": "ü&x=1#{id}"}),
    )
    .unwrap();
    assert_eq!(
        url,
        "https://shop.example/p/a%2Fb%20c?q=%C3%BC%26x%3D1%23%7Bid%7D"
    );
    assert_eq!(
        fill("https://shop.example/{n}", json!({"n": 7})).unwrap(),
        "https://shop.example/7"
    );
    for (bad, path) in [
        (json!({}), "inputs.id"),
        (json!({"id": ""}), "inputs.id"),
        (json!({"id": " "}), "inputs.id"),
        (json!({"id": ["x"]}), "inputs.id"),
        (json!({"id": null}), "inputs.id"),
        (json!({"id": "x", "more": "y"}), "inputs.more"),
        (json!({"id": "x".repeat(MAX_TEXT + 1)}), "inputs.id"),
        (json!({"id": ".."}), "inputs"),
        (json!({"id": "."}), "inputs"),
    ] {
        let error = fill("https://shop.example/p/{id}", bad.clone()).expect_err("refused");
        assert_eq!(error.code, Code::InvalidArgument, "{bad}");
        assert!(error.message.starts_with(path), "{bad}: {}", error.message);
    }
}

#[test]
fn origins_are_exact_and_templates_stay_on_them() {
    let inputs = Inputs::new();
    for (origin, template, path) in [
        ("https://shop.example/", "https://shop.example/", "recipe.origin"),
        ("https://SHOP.example", "https://SHOP.example/", "recipe.origin"),
        (
            "https://shop.example:443",
            "https://shop.example:443/",
            "recipe.origin",
        ),
        (
            "https://shop.example/a",
            "https://shop.example/a",
            "recipe.origin",
        ),
        ("javascript:alert(1)", "javascript:alert(1)", "recipe.origin"),
        ("data:text/html,x", "data:text/html,x", "recipe.origin"),
        ("about:blank", "about:blank", "recipe.origin"),
        ("file:///", "file:///", "recipe.origin"),
        (
            "https://shop.example",
            "https://shop.example.evil.test/",
            "recipe.urlTemplate",
        ),
        (
            "https://shop.example",
            "https://shop.example@evil.test/",
            "recipe.urlTemplate",
        ),
        (
            "https://shop.example",
            "https://shop.example:8443/",
            "recipe.urlTemplate",
        ),
        (
            "https://shop.example",
            "http://shop.example/",
            "recipe.urlTemplate",
        ),
        (
            "https://shop.example",
            "javascript:alert(1)",
            "recipe.urlTemplate",
        ),
        ("https://shop.example", "/orders", "recipe.urlTemplate"),
    ] {
        let error = expand(&recipe(origin, template, &[]), &inputs).expect_err(template);
        assert_eq!(error.code, Code::InvalidArgument, "{origin} {template}");
        assert!(
            error.message.starts_with(path),
            "{origin} {template}: {}",
            error.message
        );
    }
    let host = recipe("https://shop.example", "https://shop.example{x}/", &["x"]);
    let inputs: Inputs = serde_json::from_value(json!({"x": ".evil.test"})).unwrap();
    assert!(
        expand(&host, &inputs).is_err(),
        "an input is never part of the origin"
    );
    assert!(
        expand(
            &recipe("http://127.0.0.1:8080", "http://127.0.0.1:8080/a", &[]),
            &Inputs::new()
        )
        .unwrap()
        .local
    );
}
