use super::*;

fn frame(document: &str, parent: &str, url: &str) -> FrameSeen {
    FrameSeen {
        document: document.into(),
        parent: parent.into(),
        url: url.to_owned(),
    }
}

fn site(host: &str) -> Option<Site> {
    Some(Site {
        host: Some(host.to_owned()),
        local: false,
    })
}

#[test]
fn a_frame_is_of_its_own_address_or_of_the_document_that_wrote_it() {
    let frames = [
        frame("deep", "blank", "about:srcdoc"),
        frame("blank", "other", "about:blank"),
        frame("other", "main", "https://ads.example/x"),
        frame("own", "main", "about:blank"),
        frame("data", "own", "data:text/html,x"),
        frame("strange", "main", "chrome-extension://abc/page.html"),
        frame("below", "strange", "about:blank"),
        frame("lost", "nowhere", "about:blank"),
        frame("ring", "gnir", "about:blank"),
        frame("gnir", "ring", "about:blank"),
        frame("self", "self", "about:blank"),
    ];
    let main = site("shop.example").unwrap();
    let origins = origins(&"main".into(), &main, &frames);
    let of = |document: &str| origins[&DocumentId::from(document)].clone();
    for document in ["other", "blank", "deep"] {
        assert_eq!(of(document), site("ads.example"), "{document}");
    }
    for document in ["own", "data"] {
        assert_eq!(of(document), site("shop.example"), "{document}");
    }
    for document in ["strange", "below", "lost", "ring", "gnir", "self"] {
        assert_eq!(of(document), None, "{document}");
    }
}
