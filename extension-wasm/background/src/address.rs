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
    url == "about:blank"
        || url.starts_with("about:blank#")
        || url.starts_with("http://")
        || url.starts_with("https://")
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
        ] {
            assert!(!is_shown(other), "{other}");
        }
    }
}
