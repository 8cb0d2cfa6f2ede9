//! What the browser's refusals mean to a caller. Pure.

use drawbridge_protocol::{Code, Effect, Error};

use crate::address;
use crate::chrome::Failure;
use crate::navigate::Trouble;

/// The API failed where it has no reason to.
pub(crate) fn failed(doing: &str, failure: &Failure) -> Error {
    match failure {
        Failure::Said(words) if words.contains("No tab with id") => {
            Error::new(Code::TabGone, "the tab was closed")
        }
        Failure::Said(words) => Error::internal(format!("{doing}: {words}")),
        Failure::Late => Error::new(
            Code::Timeout,
            format!("{doing}: the browser did not answer in time"),
        ),
    }
}

/// What a load that gave no document means.
pub(crate) fn trouble(trouble: &Trouble, asked: &str) -> Error {
    let asked = address::quoted(asked);
    match trouble {
        Trouble::Gone => Error::new(Code::TabGone, "the tab was closed while it loaded"),
        Trouble::Failed(error) if error == "net::ERR_UNSAFE_REDIRECT" => Error::new(
            Code::NavigationBlocked,
            format!("{asked} leads to an address that is never opened"),
        )
        .hint("only http: and https: addresses are opened"),
        Trouble::Failed(error) => Error::new(
            Code::PageUnreadable,
            format!("{asked} could not be loaded: {error}"),
        )
        .hint(hint_for(error)),
        Trouble::Dropped(error) => Error::new(
            Code::PageUnreadable,
            format!("{asked} gave no page: a download, or nothing ({error})"),
        )
        .hint("look before trying again: the browser may have written a file, or the address leads to one that is never opened"),
        Trouble::Blocked(url) => {
            let message = format!("{asked} led to a {} page, which is never opened", scheme(url));
            Error::new(Code::NavigationBlocked, message).hint("only http:, https: and about:blank")
        }
    }
}

/// What such a load has changed in the tab.
pub(crate) fn effect(trouble: &Trouble) -> Effect {
    match trouble {
        // The tab shows what it showed, and a download has written a file.
        Trouble::Gone | Trouble::Dropped(_) => Effect::Unknown,
        // An error page or a blank one stands where the old document was.
        Trouble::Failed(_) | Trouble::Blocked(_) => Effect::Committed,
    }
}

/// A private tab was led to another origin.
pub(crate) fn off_origin(wanted: &str, shown: &str) -> Error {
    let shown = match address::origin(shown) {
        Some(origin) => origin.to_owned(),
        None => format!("a {} page", scheme(shown)),
    };
    Error::new(
        Code::NavigationBlocked,
        format!("{wanted} led to {shown}; a read stays on its origin"),
    )
    .hint("use the origin that the site really answers on")
}

/// Why no extension may read a page, from its address or from the browser's words.
pub(crate) fn page(url: &str, words: &str) -> Error {
    let (problem, hint) = if words.contains("error page") {
        ("the tab shows the browser's error page", "load the address again")
    } else if url == "about:blank" || url.starts_with("about:blank#") {
        ("the tab is blank", "load an address first")
    } else if url.starts_with("view-source:") {
        (
            "the browser lets no extension read a page's source view",
            "open the page itself",
        )
    } else if words.contains("gallery") || address::is_store(url) {
        (
            "the browser lets no extension read the web store",
            "read it in another browser, or ask the person",
        )
    } else if url.starts_with("chrome-extension://") {
        (
            "pages of extensions are never read",
            "read the site's own page instead",
        )
    } else if ["blob:", "data:", "file:", "filesystem:"]
        .iter()
        .any(|scheme| url.starts_with(scheme))
    {
        (
            "the tab shows no page of a site but a file, or data that a page made",
            "load the site's page again",
        )
    } else if url.starts_with("http://") || url.starts_with("https://") {
        (
            "the browser does not let the extension read this site",
            "the person can give access: extensions page, Drawbridge, site access, on all sites",
        )
    } else {
        (
            "the browser lets no extension read its own pages",
            "only http: and https: pages can be read",
        )
    };
    Error::new(Code::PageUnreadable, problem).hint(hint)
}

/// The document is the browser's PDF viewer.
pub(crate) fn pdf() -> Error {
    Error::new(
        Code::PageUnreadable,
        "the tab shows a PDF, whose text the browser keeps from extensions",
    )
    .hint("look for the same text as a page, or ask the person for the file")
}

fn hint_for(error: &str) -> &'static str {
    match error {
        "net::ERR_NAME_NOT_RESOLVED" => "check the address: there is no such host",
        "net::ERR_CONNECTION_REFUSED" => "nothing answers on that host and port",
        "net::ERR_INTERNET_DISCONNECTED" => "the computer is offline",
        _ if error.starts_with("net::ERR_CERT") || error.starts_with("net::ERR_SSL") => {
            "the site's certificate is not accepted; that is for a person to look at"
        }
        _ => "try again later, or check the address",
    }
}

fn scheme(url: &str) -> &str {
    let end = url.find(':').map_or(0, |at| at + 1);
    &url[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_page_has_its_reason() {
        let cases = [
            (
                "chrome://settings/",
                "Cannot access a chrome:// URL",
                "its own pages",
            ),
            ("view-source:https://a.example/", "", "source view"),
            ("https://chromewebstore.google.com/detail/x", "", "web store"),
            (
                "https://a.example/",
                "The extensions gallery cannot be scripted.",
                "web store",
            ),
            (
                "https://a.example/",
                "Frame with ID 0 is showing error page",
                "error page",
            ),
            (
                "https://a.example/",
                "Cannot access contents of the page.",
                "read this site",
            ),
            (
                "about:blank#drawbridge-x",
                "Cannot access contents of url",
                "blank",
            ),
            ("chrome-extension://abc/x.html", "", "pages of extensions"),
        ];
        for (url, words, part) in cases {
            let error = page(url, words);
            assert_eq!(error.code, Code::PageUnreadable);
            assert!(error.message.contains(part), "{url}: {}", error.message);
        }
    }

    #[test]
    fn an_address_that_gave_no_page_may_have_given_a_file() {
        let dropped = Trouble::Dropped("net::ERR_ABORTED".into());
        assert_eq!(effect(&dropped), Effect::Unknown);
        let error = trouble(&dropped, "https://a.example/report");
        assert!(error.message.contains("a download, or nothing"), "{error}");
    }

    #[test]
    fn a_message_names_no_query() {
        let error = trouble(
            &Trouble::Failed("net::ERR_FAILED".into()),
            "https://a.example/x?token=1",
        );
        assert_eq!(
            error.message,
            "https://a.example/x could not be loaded: net::ERR_FAILED"
        );
        assert!(
            !off_origin("https://a.example", "https://b.example/?token=1")
                .message
                .contains("token")
        );
    }
}
