//! What opens other tabs.

/// The page with a name.
pub(super) fn body(name: &str) -> Option<&'static str> {
    Some(match name {
        "blank-link" => "<a id=go target=_blank href='/act/visible?by=blank'>Go</a>",
        "noopener" => "<a id=go target=_blank rel=noopener href='/act/visible?by=noopener'>Go</a>",
        "window-open" => "<button id=go onclick=\"window.open('/act/visible?by=open')\">Go</button>",
        "popup" => {
            "<button id=go onclick=\"window.open('/act/visible?by=popup', '', 'width=300,height=200')\">Go</button>"
        }
        "delayed" => {
            "<button id=go onclick=\"setTimeout(() => window.open('/act/visible?by=delayed'), 250)\">Go</button>"
        }
        "named" => "<button id=go onclick=\"window.open('/act/visible?by=named', 'one')\">Go</button>",
        "blob" => {
            "<button id=go onclick=\"window.open(window.URL.createObjectURL(new Blob(['<p>Blob</p>'], {type: 'text/html'})))\">Go</button>"
        }
        "empty" => "<button id=go onclick=\"window.open('about:blank')\">Go</button>",
        "data" => "<button id=go onclick=\"window.open('data:text/html,x')\">Go</button>",
        "leaves" => "<a id=go href='/act/visible?by=link'>Go</a>",
        _ => return None,
    })
}
