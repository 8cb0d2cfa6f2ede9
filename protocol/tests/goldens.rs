//! Every message that crosses a wire, as it stands there, with a twin that must be refused.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use drawbridge_protocol::approval::{Ask, Verdict};
use drawbridge_protocol::link::{Answer, BrowserCall, BrowserReply, Hello, Place, ToBridge, ToExtension};
use drawbridge_protocol::local::{Admin, FromDaemon, Grant, ToDaemon};
use drawbridge_protocol::page::{PageFound, PageRead};
use drawbridge_protocol::reader::{PortOp, ReadReply, ReadRequest};
use drawbridge_protocol::recipe::{Recipe, RecipeResult};
use drawbridge_protocol::socket::{Accepting, Opening};
use drawbridge_protocol::tools::doctor::{Diagnosis, Health};
use drawbridge_protocol::tools::interact::Done;
use drawbridge_protocol::tools::page::WaitDone;
use drawbridge_protocol::{Code, Error, Outcome};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};

/// Reads a golden, writes it again and expects the same JSON; then expects the twin to be refused.
fn golden<T: Serialize + DeserializeOwned>(name: &str, good: Value, twin: Value) {
    let read: T = serde_json::from_value(good.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(
        serde_json::to_value(&read).unwrap(),
        good,
        "{name} changes on the way"
    );
    assert!(
        serde_json::from_value::<T>(twin).is_err(),
        "{name}: the twin passes"
    );
}

fn recipe() -> Value {
    json!({
        "version": 1, "name": "n", "description": "d", "origin": "https://a.example",
        "urlTemplate": "https://a.example/", "inputs": [], "ready": "a", "rows": "a",
        "fields": [{"name": "f", "read": "textContent", "required": true}], "limit": 1, "maxPages": 1
    })
}

#[test]
fn errors_and_outcomes() {
    golden::<Error>(
        "error",
        json!({"code": "target_required", "message": "m", "hint": "h", "effect": "none", "data": {"targets": []}}),
        json!({"code": "target_required"}),
    );
    golden::<Outcome>(
        "ok",
        json!({"ok": true, "result": {"a": 1}}),
        json!({"ok": true, "error": {"code": "internal", "message": "m"}}),
    );
    golden::<Outcome>(
        "failed",
        json!({"ok": false, "error": {"code": "timeout", "message": "m"}}),
        json!({"ok": false}),
    );
    let newer: Error = serde_json::from_value(json!({"code": "from_the_future", "message": "m"})).unwrap();
    assert_eq!(newer.code, Code::Internal, "an unknown code reads as internal");
}

#[test]
fn link_messages() {
    golden::<ToExtension>(
        "welcome",
        json!({"type": "welcome", "protocol": 1, "build": "0.1.0", "name": "n", "liveSessions": ["s-1"]}),
        json!({"type": "welcome", "protocol": "1", "build": "0.1.0", "name": "n", "liveSessions": []}),
    );
    golden::<ToExtension>(
        "cancel",
        json!({"type": "cancel", "id": 7}),
        json!({"type": "cancel", "id": -7}),
    );
    golden::<ToExtension>(
        "ping",
        json!({"type": "ping", "nonce": 7}),
        json!({"type": "pingg", "nonce": 7}),
    );
    golden::<ToExtension>(
        "call",
        json!({"type": "call", "id": 1, "deadlineMs": 20000, "call": {"do": "closeTab", "session": "s-1", "tab": "t1.a"}}),
        json!({"type": "call", "id": 1, "deadlineMs": 20000, "call": {"do": "closeWindow", "session": "s-1"}}),
    );
    golden::<BrowserCall>(
        "recipe",
        json!({"do": "recipe", "recipe": recipe(), "url": "https://a.example/", "window": "when_needed"}),
        json!({"do": "recipe", "recipe": recipe(), "url": "https://a.example/", "window": "always"}),
    );
    golden::<Place>(
        "place",
        json!({"in": "tab", "session": "s-1", "tab": "t1.a", "document": "D"}),
        json!({"in": "tab", "session": "s-1", "tab": "t1.a"}),
    );
    golden::<ToBridge>(
        "reply",
        json!({"type": "reply", "id": 1, "done": {"got": "closed"}, "hops": [{"name": "read", "ms": 1.5}]}),
        json!({"type": "reply", "id": 1}),
    );
    golden::<ToBridge>(
        "failed reply",
        json!({"type": "reply", "id": 1, "failed": {"code": "tab_gone", "message": "m"}}),
        json!({"type": "reply", "id": 1, "failed": {"message": "m"}}),
    );
    golden::<Answer>(
        "answer",
        json!({"done": {"got": "echo", "text": "a", "fill": ""}}),
        json!({"done": {"got": "echo"}}),
    );
    golden::<BrowserCall>("health", json!({"do": "health"}), json!({"do": "Health"}));
    golden::<BrowserReply>(
        "undone",
        json!({"got": "undone", "error": {"code": "ambiguous", "message": "m", "effect": "none"}, "nextRef": 7}),
        json!({"got": "undone", "nextRef": 7}),
    );
    golden::<BrowserReply>(
        "health",
        json!({"got": "health", "allSites": true, "incognito": false, "files": false}),
        json!({"got": "health", "allSites": true}),
    );
    let place = json!({"in": "tab", "session": "s-1", "tab": "t1.a", "document": "d"});
    golden::<BrowserCall>(
        "snapshot",
        json!({"do": "snapshot", "place": place, "frames": ["f"], "depth": null}),
        json!({"do": "snapshot", "frames": ["f"], "depth": null}),
    );
    let table = json!({"page": "table", "target": null, "columns": null, "maxRows": 9});
    golden::<BrowserCall>(
        "read by scrolling",
        json!({"do": "readScrolling", "place": place, "frames": null, "ask": table, "nextRef": 4}),
        json!({"do": "readScrolling", "place": place, "frames": null, "ask": {"page": "tables"}, "nextRef": 4}),
    );
    golden::<BrowserReply>(
        "snapshot",
        json!({"got": "snapshot", "document": "d", "url": "u", "title": "t", "snapshot": "s", "omitted": {},
               "nodes": [{"ref": "a1", "role": "button", "name": "Go", "kind": "control"}]}),
        json!({"got": "snapshot", "document": "d", "url": "u", "title": "t", "snapshot": "s", "omitted": {},
               "nodes": [{"ref": "1", "role": "button"}]}),
    );
    golden::<BrowserReply>(
        "document",
        json!({"got": "document", "document": "D", "url": "https://a.example/", "title": "t"}),
        json!({"got": "document", "url": "https://a.example/"}),
    );
    golden::<BrowserReply>(
        "document without a title",
        json!({"got": "document", "document": "D", "url": "https://a.example/"}),
        json!({"got": "document", "document": "D", "url": "https://a.example/", "title": 1}),
    );
    golden::<BrowserReply>(
        "opened",
        json!({"got": "opened", "tab": "t1.a", "url": "about:blank", "phase": "load"}),
        json!({"got": "opened", "tab": "t1.a", "url": "about:blank", "phase": "painted"}),
    );
    let offer = json!({"port": 4711, "id": "ab", "token": "cd"});
    golden::<ToExtension>(
        "socket",
        json!({"type": "socket", "offer": offer}),
        json!({"type": "socket", "offer": {"port": 65536, "id": "ab", "token": "cd"}}),
    );
    golden::<ToExtension>(
        "no socket",
        json!({"type": "socket", "offer": null}),
        json!({"type": "socket", "offer": "none"}),
    );
    golden::<ToExtension>(
        "taken",
        json!({"type": "taken", "number": 1}),
        json!({"type": "taken", "number": -1}),
    );
    golden::<ToExtension>(
        "again",
        json!({"type": "again", "number": 1, "message": {"type": "cancel", "id": 7}}),
        json!({"type": "again", "number": 1, "message": {"type": "cancel"}}),
    );
    golden::<ToBridge>(
        "want socket",
        json!({"type": "wantSocket"}),
        json!({"type": "wantsocket"}),
    );
    golden::<ToBridge>(
        "taken",
        json!({"type": "taken", "number": 1}),
        json!({"type": "taken"}),
    );
    golden::<ToBridge>(
        "again",
        json!({"type": "again", "number": 1, "message": {"type": "reply", "id": 1, "done": {"got": "closed"}}}),
        json!({"type": "again", "number": 1}),
    );
    golden::<Opening>(
        "opening",
        json!({"id": "a", "nonce": "b", "mac": "c"}),
        json!({"id": "a", "nonce": "b", "mac": "c", "token": "d"}),
    );
    golden::<Accepting>(
        "accepting",
        json!({"nonce": "b", "mac": "c"}),
        json!({"nonce": "b"}),
    );
    golden::<Hello>(
        "hello",
        json!({"protocol": 1, "build": "0.1.0", "capabilityRevision": 1, "target": "T", "key": "04ab", "browser": "Chromium",
               "browserVersion": "156", "attempt": 1, "owned": [{"tab": "t1.a", "session": "s-1"}]}),
        json!({"build": "0.1.0"}),
    );
}

#[test]
fn trust_messages() {
    golden::<ToExtension>(
        "challenge",
        json!({"type": "challenge", "nonce": "ab"}),
        json!({"type": "challenge"}),
    );
    golden::<ToExtension>("paired", json!({"type": "paired"}), json!({"type": "pair"}));
    golden::<ToExtension>(
        "ask",
        json!({"type": "ask", "approval": {"id": "a-1", "expiresMs": 1, "ask": {"kind": "admit", "client": "cli", "name": "n", "sensitive": 3}}}),
        json!({"type": "ask", "approval": {"id": "a-1", "expiresMs": 1, "ask": {"kind": "admitAll", "client": "cli"}}}),
    );
    golden::<ToExtension>(
        "withdraw",
        json!({"type": "withdraw", "id": "a-1"}),
        json!({"type": "withdraw"}),
    );
    golden::<ToBridge>(
        "proof",
        json!({"type": "proof", "signature": "ab"}),
        json!({"type": "proof", "signature": 1}),
    );
    golden::<ToBridge>(
        "decision",
        json!({"type": "decision", "id": "a-1", "answer": {"verdict": "allowSites", "sites": ["a.example"]}}),
        json!({"type": "decision", "id": "a-1", "answer": {"verdict": "yes"}}),
    );
    golden::<ToExtension>(
        "end of the record",
        json!({"type": "record", "home": "h", "end": {"seq": 7, "hash": "ab"}}),
        json!({"type": "record", "home": "h"}),
    );
    golden::<ToBridge>(
        "kept end of the record",
        json!({"type": "record", "home": "h", "end": {"seq": 7, "hash": "ab"}}),
        json!({"type": "record", "home": "h", "end": {"seq": -7, "hash": "ab"}}),
    );
    golden::<ToBridge>(
        "nothing kept",
        json!({"type": "record", "home": "h"}),
        json!({"type": "record"}),
    );
    golden::<ToExtension>(
        "welcome to a home",
        json!({"type": "welcome", "protocol": 1, "build": "0.1.0", "name": "n", "liveSessions": [], "home": "h"}),
        json!({"type": "welcome", "protocol": 1, "build": "0.1.0", "name": "n", "liveSessions": [], "home": 1}),
    );
    let asks = [
        json!({"kind": "grant", "client": "*", "action": "*", "site": "*", "decision": "ask"}),
        json!({"kind": "use", "client": "cli", "action": "browser.read", "site": null}),
        json!({"kind": "use", "client": "cli", "action": "browser.read", "site": "a.example", "title": "t"}),
        json!({"kind": "unlist", "sites": ["a.example"]}),
        json!({"kind": "pair", "name": "n", "browser": "b", "fingerprint": "f"}),
        json!({"kind": "deleteAudit", "rows": 1}),
    ];
    for ask in asks {
        let mut twin = ask.clone();
        twin["kind"] = json!("?");
        golden::<Ask>("question", ask, twin);
    }
    for verdict in ["deny", "allow", "allowEverywhere"] {
        golden::<Verdict>(
            verdict,
            json!({"verdict": verdict}),
            json!({"verdict": "allowSites"}),
        );
    }
    for admin in [
        json!({"admin": "openPairing"}),
        json!({"admin": "pair", "target": "p-1", "yes": false}),
        json!({"admin": "unpair", "target": "p-1"}),
        json!({"admin": "verifyAudit"}),
        json!({"admin": "deleteAudit", "yes": true}),
    ] {
        golden::<Admin>("trust command", admin, json!({"admin": "pair", "target": "p-1"}));
    }
}

#[test]
fn local_messages() {
    golden::<ToDaemon>(
        "client hello",
        json!({"type": "client", "protocol": 1, "build": "0.1.0", "client": "cli", "name": "drawbridge", "secret": "ab"}),
        json!({"type": "client", "protocol": 1, "build": "0.1.0", "client": "cli", "name": "drawbridge", "secret": 1}),
    );
    golden::<ToDaemon>(
        "drain",
        json!({"type": "drain", "protocol": 1, "build": "0.2.0"}),
        json!({"type": "drain", "protocol": 1}),
    );
    golden::<FromDaemon>(
        "draining",
        json!({"type": "draining", "pid": 7, "limitMs": 30000}),
        json!({"type": "draining", "pid": 7}),
    );
    golden::<ToDaemon>(
        "link hello",
        json!({"type": "link", "protocol": 1, "build": "0.1.0", "origin": "chrome-extension://a/", "browserPid": 7, "label": "p"}),
        json!({"type": "link", "protocol": 1, "build": "0.1.0", "origin": "chrome-extension://a/", "browserPid": "7"}),
    );
    golden::<ToDaemon>(
        "call",
        json!({"type": "call", "id": 1, "tool": "browser_tabs", "args": {}}),
        json!({"type": "call", "tool": "browser_tabs"}),
    );
    golden::<FromDaemon>(
        "reply",
        json!({"type": "reply", "id": 1, "outcome": {"ok": true, "result": null}}),
        json!({"type": "reply", "id": 1, "outcome": {"result": 1}}),
    );
    golden::<Admin>(
        "set grant",
        json!({"admin": "setGrant", "grant": {"subject": "cli", "action": "browser.read", "site": "*", "decision": "off"}, "yes": false}),
        json!({"admin": "setGrant", "grant": {"subject": "cli", "action": "browser.read", "site": "*", "decision": "maybe"}, "yes": false}),
    );
    golden::<Admin>(
        "health",
        json!({"admin": "health", "bench": true, "settle": false}),
        json!({"admin": "health", "bench": "yes", "settle": false}),
    );
    golden::<Health>(
        "health's answer",
        json!({"build": "0.1.0", "uptimeMs": 5, "admitted": true,
               "links": [{"target": "T", "name": "n", "pid": 7, "extension": "0.1.0", "capabilityRevision": 1,
                          "state": "connected", "socket": "no_port", "answerMs": 1.5,
                          "page": {"ms": 2.5, "allSites": true, "incognito": false, "files": false}}],
               "refusals": [{"hop": "worker", "error": {"code": "version_mismatch", "message": "m"}, "ageMs": 9}],
               "recordChanged": "how",
               "bench": {"rounds": 50, "medianMs": 1.0, "worstMs": 2.0}}),
        json!({"build": "0.1.0", "uptimeMs": 5, "admitted": true, "links": [], "refusals": [{"hop": "page_one"}]}),
    );
    golden::<Diagnosis>(
        "diagnosis",
        json!({"healthy": false, "recommendation": "r", "requiredCapabilityRevision": 1, "restart": "s",
               "hops": [{"name": "native_host", "ok": false, "issue": "host_missing", "repair": "r"}],
               "browsers": [{"browser": "b", "folder": "/f", "host": "ready", "extension": "absent", "running": false}]}),
        json!({"healthy": false, "recommendation": "r", "requiredCapabilityRevision": 1, "restart": "s",
               "hops": [{"name": "nativeHost", "ok": false}], "browsers": []}),
    );
    golden::<Grant>(
        "grant",
        json!({"subject": "cli", "action": "*", "site": "a.example", "decision": "allow"}),
        json!({"subject": "cli", "action": "*", "site": "a.example", "decision": "allow", "until": 1}),
    );
}

#[test]
fn reader_messages_and_recipes() {
    golden::<PortOp>(
        "match",
        json!({"op": "match", "sets": [{"selector": "a", "within": null, "reads": ["innerText", {"attribute": "href"}, "resolvedHref"], "most": 8}]}),
        json!({"op": "match", "sets": [{"selector": "a", "within": null, "reads": ["outerHTML"], "most": 8}]}),
    );
    golden::<ReadRequest>(
        "recipe page",
        json!({"read": "recipePage", "recipe": recipe(), "page": 1, "room": 1, "redirected": false}),
        json!({"read": "recipePage", "page": 1, "room": 1, "redirected": false}),
    );
    golden::<PortOp>(
        "capture",
        json!({"op": "capture", "select": ["a"], "generated": true}),
        json!({"op": "capture", "select": "a", "generated": true}),
    );
    golden::<PortOp>(
        "number",
        json!({"op": "number", "capture": 3, "numbers": [[0, 12]]}),
        json!({"op": "number", "capture": 3, "numbers": [{"at": 0, "ref": 12}]}),
    );
    golden::<PortOp>(
        "scroll",
        json!({"op": "scroll", "capture": 3, "at": -1, "to": -1}),
        json!({"op": "scroll", "capture": 3, "at": null, "to": -1}),
    );
    golden::<ReadRequest>(
        "page",
        json!({"read": "page", "ask": {"page": "html", "target": {"by": {"ref": "e7"}}, "maxBytes": 9},
               "parts": [{"bytes": 5, "parent": null}], "missing": [{"parent": 0, "url": "u", "why": "notGranted"}], "nextRef": 8}),
        json!({"read": "page", "ask": {"page": "html", "target": {"by": {"ref": "7"}}, "maxBytes": 9},
               "parts": [], "missing": [], "nextRef": 8}),
    );
    golden::<ReadReply>(
        "want markup",
        json!({"got": "wantMarkup", "part": 0, "capture": 3, "at": 12}),
        json!({"got": "wantMarkup", "part": 0, "capture": 3}),
    );
    golden::<Recipe>("recipe", recipe(), {
        let mut twin = recipe();
        twin["steps"] = json!([]);
        twin
    });
    golden::<RecipeResult>(
        "result",
        json!({"state": "ok", "rows": [{"f": "x"}], "complete": true, "pages": 1, "sourceUrl": "https://a.example/",
               "checkedAt": "2026-01-01T00:00:00.000Z", "visibility": "background",
               "issues": [{"kind": "repeated_row", "row": 2, "page": 1}]}),
        json!({"state": "fine", "rows": [], "complete": true, "pages": 1, "sourceUrl": "", "checkedAt": "", "visibility": "background", "issues": []}),
    );
}

#[test]
fn every_question_to_a_page() {
    let by = |by: Value| json!({"by": by});
    let within = json!({"by": {"role": {"role": "row", "name": "Alice"}}, "exact": true, "index": 2,
                        "scope": {"by": {"selector": "main"}}, "hasText": "x"});
    let questions = [
        json!({"page": "outline", "within": within, "depth": 3, "viewportOnly": true, "hidden": false}),
        json!({"page": "text", "within": null, "scope": "log", "format": "markdown", "hidden": false, "tail": true,
               "logMatch": "error", "logMaxMatches": 5, "maxChars": 100}),
        json!({"page": "find", "within": null, "what": {"locator": by(json!({"label": "City"}))}, "limit": 5, "told": "bounds"}),
        json!({"page": "find", "within": null, "what": {"words": "the blue one"}, "limit": 5, "told": {"text": 80}}),
        json!({"page": "table", "target": by(json!({"testId": "t"})), "columns": ["a"], "maxRows": 10}),
        json!({"page": "html", "target": by(json!({"placeholder": "Name"})), "maxBytes": 10}),
        json!({"page": "listed", "within": by(json!({"text": "Total"})), "limit": 10}),
        json!({"page": "selectors", "scope": "body", "limit": 10}),
        json!({"page": "suggest", "goal": "prices", "limit": 3}),
        json!({"page": "watch", "failures": ["declined"], "texts": ["thanks"], "element": by(json!({"label": "City"})),
               "nearest": true}),
        json!({"page": "cover"}),
    ];
    for question in questions {
        let mut twin = question.clone();
        twin["page"] = json!("screen");
        golden::<PageRead>("question", question, twin);
    }
    golden::<PageRead>(
        "a locator by two things",
        json!({"page": "html", "target": by(json!({"ref": "e7"})), "maxBytes": 10}),
        json!({"page": "html", "target": by(json!({"ref": "e7", "text": "x"})), "maxBytes": 10}),
    );
}

#[test]
fn every_answer_of_a_page() {
    let node = json!({"depth": 1, "ref": "e3", "role": "textbox", "name": "City", "states": ["focused", "required"],
                      "value": "Ghent", "notes": [{"about": "placeholder", "text": "where"}], "kind": "control"});
    let answers = [
        json!({"found": "outline", "nodes": [node], "omitted": {"hidden": 2}}),
        json!({"found": "text", "text": "t", "omitted": {"characters": 9}, "matched": {"count": 1, "numbers": [4]}}),
        json!({"found": "matches", "total": 2, "visible": 1, "matches": [
            {"node": node, "visible": true, "context": ["main"], "why": ["its name"], "value": "v",
             "state": {"visible": true, "inViewport": true, "enabled": true, "editable": true, "focused": false, "filled": true},
             "bounds": {"x": -1, "y": 2, "width": 3, "height": 4}}], "omitted": {"frames": 1}}),
        json!({"found": "table", "table": {"ref": "e4", "kind": "grid", "columns": ["a"], "rows": [["1"]], "declaredRows": 9,
               "scroll": {"scroller": [0, 7], "positions": [-3]}}, "omitted": {"rows": 8}}),
        json!({"found": "html", "html": "<p>", "bytes": 3, "secrets": 0}),
        json!({"found": "listed", "nodes": [], "omitted": {}}),
        json!({"found": "selectors", "entries": [], "omitted": 0}),
        json!({"found": "suggestions", "suggestions": [{"recipe": recipe(), "rows": 2, "why": ["w"],
               "evidence": [{"field": "f", "present": 2, "distinct": 2, "samples": ["x"]}]}]}),
        json!({"found": "watched", "failure": null, "text": "thanks", "total": 2, "visible": 1, "enabled": 0,
               "nearest": "one match can be seen, and it is disabled"}),
        json!({"found": "covered", "secrets": [{"x": -1, "y": 2, "width": 3, "height": 4}], "frames": [], "width": 800}),
    ];
    for answer in answers {
        let reply =
            json!({"got": "read", "document": "d", "url": "u", "title": "t", "found": answer, "nextRef": 5});
        let mut twin = reply.clone();
        twin["found"]["found"] = json!("picture");
        golden::<BrowserReply>("read", reply, twin);
        let mut twin = answer.clone();
        twin["found"] = json!("outlines");
        golden::<PageFound>("answer", answer, twin);
    }
    golden::<ReadReply>(
        "page",
        json!({"got": "page", "header": {"epoch": 1, "readyState": 2, "frames": 0, "url": "u", "origin": "o", "title": "t"},
               "found": {"found": "listed", "nodes": [], "omitted": {}},
               "minted": [{"part": 0, "capture": 3, "numbers": [[4, 12]]}], "nextRef": 13}),
        json!({"got": "page", "header": {}, "minted": [], "nextRef": 13}),
    );
    golden::<ReadReply>(
        "failed",
        json!({"got": "failed", "error": {"code": "not_found", "message": "m"}}),
        json!({"got": "failed", "error": "not_found"}),
    );
}

#[test]
fn acting_messages() {
    let place = json!({"in": "tab", "session": "s-1", "tab": "t1.a", "document": "d"});
    let act = |action: Value| {
        json!({"do": "act", "place": place, "frames": ["f"], "may": {"act": ["d"], "submit": []},
               "target": {"by": {"ref": "e3"}}, "action": action, "settleMs": 0, "nextRef": 9})
    };
    for (name, good, wrong) in [
        (
            "click",
            json!({"act": "click", "button": "left", "count": 1, "modifiers": ["Shift"]}),
            json!({"act": "click", "button": "back", "count": 1, "modifiers": []}),
        ),
        (
            "wheel",
            json!({"act": "wheel", "deltaX": 0, "deltaY": -120}),
            json!({"act": "wheel", "deltaX": 0}),
        ),
        (
            "fill",
            json!({"act": "fill", "value": "", "append": false}),
            json!({"act": "fill", "append": false}),
        ),
        (
            "select",
            json!({"act": "select", "choose": [{"label": "Two"}, {"index": 2}]}),
            json!({"act": "select", "choose": ["Two"]}),
        ),
        (
            "drag",
            json!({"act": "drag", "path": [{"element": {"by": {"selector": "#bin"}}}, {"by": [4, -4]}]}),
            json!({"act": "drag", "path": [[4, -4]]}),
        ),
        (
            "set",
            json!({"act": "set", "value": true}),
            json!({"act": "set", "value": 1}),
        ),
        ("submit", json!({"act": "submit"}), json!({"act": "send"})),
        (
            "pointer",
            json!({"act": "pointer", "gesture": {"gesture": "move", "at": {"x": 1.5, "y": 2.0}}}),
            json!({"act": "pointer", "gesture": {"gesture": "move"}}),
        ),
    ] {
        golden::<BrowserCall>(name, act(good), act(wrong));
    }
    let wait = |until: Value| {
        json!({"do": "wait", "place": place, "frames": null,
               "wait": {"until": until, "failures": ["Refused"], "waitedMs": 7}})
    };
    golden::<BrowserCall>(
        "wait",
        wait(json!({"until": "text", "any": ["Paid"]})),
        wait(json!({"until": "text", "text": "Paid"})),
    );
    golden::<BrowserCall>(
        "history",
        json!({"do": "history", "session": "s-1", "tab": "t1.a", "go": "hardReload", "waitUntil": "load", "maySubmit": true}),
        json!({"do": "history", "session": "s-1", "tab": "t1.a", "go": "hard", "waitUntil": "load", "maySubmit": true}),
    );
    golden::<BrowserCall>(
        "dialog",
        json!({"do": "dialog", "session": "s-1", "tab": "t1.a", "answer": {"accept": true, "text": null, "id": "d1"}}),
        json!({"do": "dialog", "session": "s-1", "tab": "t1.a", "answer": {"text": null, "id": "d1"}}),
    );
    golden::<BrowserCall>(
        "picture",
        json!({"do": "picture", "place": place, "frames": [], "format": "png", "most": 1280}),
        json!({"do": "picture", "place": place, "frames": [], "format": "gif", "most": 1280}),
    );
    golden::<BrowserReply>(
        "acted",
        json!({"got": "acted", "nextRef": 9, "acted": {"ref": "e3", "confirmed": ["click"], "changed": {
            "navigation": {"url": "https://a.example/", "document": "e"},
            "newTabs": [{"tab": "t2.a", "opener": "t1.a", "url": ""}], "focused": "link \"x\"", "nodes": 4
        }}}),
        json!({"got": "acted", "nextRef": 9, "acted": {"ref": "e3", "changed": {}}}),
    );
    golden::<BrowserReply>(
        "waited",
        json!({"got": "waited", "waited": {"ended": "timedOut", "nearest": "1 match, hidden"}, "url": "https://a.example/"}),
        json!({"got": "waited", "waited": {"ended": "late"}, "url": "https://a.example/"}),
    );
    let dialog = json!({"id": "d1", "kind": "beforeunload", "message": "", "answerable": true});
    golden::<BrowserReply>(
        "dialog reply",
        json!({"got": "dialog", "open": null, "answered": dialog}),
        json!({"got": "dialog", "open": {"id": "d1", "kind": "popup", "message": "", "answerable": true}}),
    );
}

#[test]
fn outcomes_of_actions() {
    golden::<Done>(
        "done",
        json!({"session": "s-1", "tab": "t1.a", "document": "d", "effect": "committed", "ref": "e3",
               "confirmed": ["click"], "changed": {}}),
        json!({"session": "s-1", "tab": "t1.a", "document": "d", "effect": "done", "confirmed": [], "changed": {}}),
    );
    golden::<WaitDone>(
        "waited",
        json!({"session": "s-1", "tab": "t1.a", "document": "d", "url": "https://a.example/", "matched": false,
               "terminalState": "timeout", "elapsedMs": 30_000, "nearest": "no match", "reloads": 5}),
        json!({"session": "s-1", "tab": "t1.a", "document": "d", "url": "https://a.example/", "matched": false,
               "terminalState": "late", "elapsedMs": 30_000}),
    );
}
