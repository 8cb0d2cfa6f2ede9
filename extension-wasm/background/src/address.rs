//! What the background has to know about addresses. Pure; the browser has normalised every address that comes here,
//! and the bridge has checked every one that was asked for.

/// Scheme, host and port of an http or https address.
pub(crate) fn origin(url: &str) -> Option<&str> {
    let host = url
        .strip_prefix("https://")
        .or_else(|| url.strip_prefix("http://"))?;
    let end = host.find(['/', '?', '#', '\\']).unwrap_or(host.len());
    let named = &host[..end];
    // A user name or password in front of the host would make another text of the same origin.
    (!named.is_empty() && !named.contains('@')).then(|| &url[..url.len() - host.len() + end])
}

/// Whether an address is on an origin, given as the browser serialises it.
pub(crate) fn is_on(url: &str, wanted: &str) -> bool {
    origin(url) == Some(wanted)
}

/// An address without its fragment.
pub(crate) fn bare(url: &str) -> &str {
    url.split_once('#').map_or(url, |(bare, _)| bare)
}

/// Whether two addresses name the same page, the fragment aside.
pub(crate) fn same_page(one: &str, other: &str) -> bool {
    fn path(url: &str) -> &str {
        let url = bare(url);
        // `https://shop.example` and `https://shop.example/` are one address.
        match origin(url) {
            Some(origin) if url.len() == origin.len() + 1 && url.ends_with('/') => origin,
            _ => url,
        }
    }
    path(one) == path(other)
}

/// Whether a tab of ours may show an address.
pub(crate) fn is_shown(url: &str) -> bool {
    let web = url.starts_with("http://") || url.starts_with("https://");
    url == "about:blank" || url.starts_with("about:blank#") || (web && !is_store(url))
}

/// Whether an address is in a store for extensions, where the browser takes orders from the page.
pub(crate) fn is_store(url: &str) -> bool {
    let Some(origin) = origin(url) else { return false };
    let host = origin.split_once("://").map_or(origin, |(_, host)| host);
    let host = host.split(':').next().unwrap_or(host).trim_end_matches('.');
    match host {
        "chromewebstore.google.com" | "microsoftedge.microsoft.com" | "addons.opera.com" => true,
        "chrome.google.com" => {
            let path = url[origin.len()..].split(['?', '#']).next().unwrap_or_default();
            path == "/webstore" || path.starts_with("/webstore/")
        }
        _ => false,
    }
}

/// Whether an address is one of the browser's or of an extension: no call learns of such a page.
pub(crate) fn is_kept_back(url: &str) -> bool {
    let inner = url.strip_prefix("view-source:").unwrap_or(url);
    let scheme = inner.split(':').next().unwrap_or_default();
    match scheme {
        "chrome" | "chrome-extension" | "chrome-error" | "chrome-native" | "chrome-search"
        | "chrome-untrusted" | "devtools" | "edge" | "brave" | "opera" | "vivaldi" | "extension" => true,
        "about" => inner != "about:blank" && !inner.starts_with("about:blank#"),
        _ => is_store(inner),
    }
}

/// The address as a message may quote it: without query and fragment, which may hold secrets.
pub(crate) fn quoted(url: &str) -> &str {
    let bare = url.split(['?', '#']).next().unwrap_or(url);
    match bare.char_indices().nth(200) {
        Some((end, _)) => &bare[..end],
        None => bare,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_end_where_the_path_starts() {
        assert_eq!(origin("https://a.example/b"), Some("https://a.example"));
        assert_eq!(origin("http://a.example:81?x"), Some("http://a.example:81"));
        assert_eq!(origin("http://[::1]:81#x"), Some("http://[::1]:81"));
        assert_eq!(origin("https://a.example"), Some("https://a.example"));
        for none in [
            "about:blank",
            "javascript:1",
            "https://",
            "https:///x",
            "ftp://a.example/",
            "https://u@a.example/",
        ] {
            assert_eq!(origin(none), None, "{none}");
        }
    }

    #[test]
    fn an_origin_is_no_prefix() {
        assert!(is_on("https://a.example/x", "https://a.example"));
        for other in [
            "https://a.example.evil/",
            "https://a.example:8443/",
            "http://a.example/",
            "https://a.example@evil/",
        ] {
            assert!(!is_on(other, "https://a.example"), "{other}");
        }
    }

    #[test]
    fn fragments_make_no_other_page() {
        assert!(same_page("https://a.example/x#1", "https://a.example/x"));
        assert!(same_page("https://a.example", "https://a.example/#top"));
        assert!(!same_page("https://a.example/x/", "https://a.example/x"));
        assert!(!same_page("https://a.example/x?1", "https://a.example/x"));
    }

    #[test]
    fn only_web_pages_and_blank_ones_are_shown() {
        assert!(is_shown("https://a.example/") && is_shown("about:blank") && is_shown("about:blank#x"));
        for other in [
            "chrome://settings",
            "file:///etc/passwd",
            "data:text/html,x",
            "blob:https://a.example/1",
            "about:srcdoc",
            "https://chromewebstore.google.com/detail/x",
            "http://chromewebstore.google.com.:80/",
            "https://chrome.google.com/webstore?hl=en",
        ] {
            assert!(!is_shown(other), "{other}");
        }
        assert!(is_shown("https://chrome.google.com/webstores"));
    }

    #[test]
    fn pages_of_the_browser_and_of_extensions_are_kept_back() {
        for kept in [
            "chrome://settings/",
            "chrome-extension://abc/popup.html",
            "devtools://devtools/bundled/x",
            "view-source:chrome://version/",
            "chrome-error://chromewebdata/",
            "about:srcdoc",
            "https://chromewebstore.google.com/",
        ] {
            assert!(is_kept_back(kept), "{kept}");
        }
        for told in [
            "https://a.example/chrome://settings",
            "about:blank",
            "about:blank#x",
            "file:///home/x",
            "view-source:https://a.example/",
            "data:text/html,x",
            "",
        ] {
            assert!(!is_kept_back(told), "{told}");
        }
    }
}
