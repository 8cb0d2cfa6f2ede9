//! The real program as others start it: many at once, as an MCP server, as a native host.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use drawbridge_protocol::version::EXTENSION_ID;
use serde_json::{Value, json};

/// A home whose daemon is ended with it.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self) -> PathBuf {
        self.0.path().join("home")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_drawbridge"));
        command.args(arguments).env("DRAWBRIDGE_HOME", self.path());
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn daemon(&self) -> String {
        std::fs::read_to_string(self.path().join("run/daemon.pid")).unwrap()
    }

    /// Kills the daemon without a word to it; returns the process id it had.
    fn kill_daemon(&self) -> String {
        let pid = self.daemon();
        assert!(
            Command::new("kill")
                .args(["-9", &pid])
                .status()
                .unwrap()
                .success()
        );
        pid
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let stopped = self.command(&["daemon", "--stop"]).output().unwrap();
        assert!(stopped.status.success(), "{stopped:?}");
    }
}

/// How long the end of a process may take: a second on a machine that is not busy.
const SOON: Duration = Duration::from_secs(10);

/// Waits for a process, but not for ever.
fn ended(child: &mut Child, limit: Duration) -> Option<i32> {
    let until = Instant::now() + limit;
    while Instant::now() < until {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    panic!("it did not end within {limit:?}");
}

fn frame(body: &[u8]) -> Vec<u8> {
    [&(body.len() as u32).to_le_bytes()[..], body].concat()
}

fn alive(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

#[test]
fn many_at_once_start_one_daemon() {
    let home = Home::new();
    for round in 0..3 {
        let started: Vec<Child> = (0..16)
            .map(|_| {
                home.command(&["settings", "get", "recipe.window"])
                    .spawn()
                    .unwrap()
            })
            .collect();
        for child in started {
            let output = child.wait_with_output().unwrap();
            assert!(
                output.status.success(),
                "round {round}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "when_needed");
        }
        let log = std::fs::read_dir(home.path().join("logs")).unwrap();
        let ups: usize = log
            .map(|file| {
                std::fs::read_to_string(file.unwrap().path())
                    .unwrap()
                    .matches("daemon up")
                    .count()
            })
            .sum();
        assert_eq!(ups, round + 1, "one daemon per round");
        // A daemon that is killed leaves its socket and pid file; the next one cleans up.
        home.kill_daemon();
    }
}

#[test]
fn a_home_that_others_can_write_into_is_refused_in_words() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_drawbridge"))
        .args(["chrome", "status"])
        .env("DRAWBRIDGE_HOME", folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&output.stderr).contains("mode 777"),
        "{output:?}"
    );
}

#[test]
fn a_database_of_a_newer_version_is_named_to_whoever_asks() {
    let home = Home::new();
    assert!(
        home.command(&["settings", "get", "recipe.window"])
            .output()
            .unwrap()
            .status
            .success()
    );
    assert!(
        home.command(&["daemon", "--stop"])
            .output()
            .unwrap()
            .status
            .success()
    );
    let database = home.path().join("drawbridge.db");
    // The version stands at byte 60 of the file. <https://www.sqlite.org/fileformat.html#the_database_header>
    let mut bytes = std::fs::read(&database).unwrap();
    bytes[60..64].copy_from_slice(&99_u32.to_be_bytes());
    std::fs::write(&database, bytes).unwrap();
    let output = home.command(&["chrome", "status"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("newer version"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}

/// A raw MCP client: one line of JSON each way.
struct Mcp {
    child: Child,
    lines: BufReader<std::process::ChildStdout>,
}

impl Mcp {
    fn start(home: &Home) -> Self {
        let mut child = home.command(&["mcp"]).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        let mut this = Self { child, lines };
        let reply = this.ask(json!({
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
        }));
        assert_eq!(reply["result"]["serverInfo"]["name"], "drawbridge");
        this.say(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        this
    }

    fn say(&mut self, message: Value) {
        let stdin = self.child.stdin.as_mut().unwrap();
        stdin.write_all(format!("{message}\n").as_bytes()).unwrap();
        stdin.flush().unwrap();
    }

    fn ask(&mut self, message: Value) -> Value {
        self.say(message);
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn call(&mut self, name: &str, arguments: Value) -> Value {
        let params = json!({"name": name, "arguments": arguments});
        self.ask(json!({"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": params}))["result"]
            .clone()
    }
}

#[test]
fn an_mcp_client_gets_tools_and_typed_errors_and_survives_the_daemon() {
    let home = Home::new();
    let mut mcp = Mcp::start(&home);
    assert!(
        !home.path().join("run/daemon.pid").exists(),
        "the handshake needs no daemon"
    );
    let tools = mcp.ask(json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}));
    assert!(
        tools["result"]["tools"]
            .as_array()
            .unwrap()
            .iter()
            .any(|tool| tool["name"] == "browser_extract")
    );
    let code = if cfg!(feature = "sandbox") {
        "not_connected"
    } else {
        "needs_approval"
    };
    for _ in 0..2 {
        let result = mcp.call("browser_tabs", json!({}));
        assert_eq!(
            (&result["isError"], &result["structuredContent"]["error"]["code"]),
            (&json!(true), &json!(code))
        );
        let text: Value = serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap();
        assert_eq!(text, result["structuredContent"]);
        assert_eq!(result["_meta"]["drawbridge/hops"][0]["name"], "client");
        let pid = home.kill_daemon();
        // Not a wait for us, but until the kernel has taken it away.
        while alive(&pid)
            && !std::fs::read_to_string(format!("/proc/{pid}/stat"))
                .unwrap_or_default()
                .contains(") Z")
        {
            std::thread::yield_now();
        }
    }
    drop(mcp.child.stdin.take());
    assert_eq!(ended(&mut mcp.child, SOON), Some(0));
}

#[test]
fn a_native_host_writes_frames_alone_and_ends_with_its_browser() {
    let home = Home::new();
    let origin = format!("chrome-extension://{EXTENSION_ID}/");
    let hello = json!({
        "type": "hello", "protocol": 99, "build": "9.9.9", "capabilityRevision": 1, "target": "one",
        "browser": "Chromium", "browserVersion": "156", "attempt": 1, "owned": []
    });
    let mut host = home.command(&[&origin]).spawn().unwrap();
    host.stdin
        .as_mut()
        .unwrap()
        .write_all(&frame(hello.to_string().as_bytes()))
        .unwrap();
    let mut answer = Vec::new();
    host.stdout.take().unwrap().read_to_end(&mut answer).unwrap();
    let length = u32::from_le_bytes(answer[..4].try_into().unwrap()) as usize;
    assert_eq!(answer.len(), 4 + length, "one frame and nothing else");
    let refused: Value = serde_json::from_slice(&answer[4..]).unwrap();
    assert_eq!(
        (&refused["type"], &refused["error"]["code"]),
        (&json!("refused"), &json!("version_mismatch"))
    );
    assert_eq!(ended(&mut host, SOON), Some(2), "the daemon closed it");

    let mut host = home.command(&[&origin]).spawn().unwrap();
    drop(host.stdin.take());
    assert_eq!(ended(&mut host, SOON), Some(0));

    for (bytes, code) in [(&[255_u8; 4][..], 3), (&[0; 4][..], 3), (&[1, 0][..], 3)] {
        let mut host = home.command(&[&origin]).spawn().unwrap();
        host.stdin.as_mut().unwrap().write_all(bytes).unwrap();
        if bytes.len() < 4 {
            drop(host.stdin.take());
        }
        let ended = ended(&mut host, SOON);
        assert!(
            ended == Some(code) || (bytes.len() < 4 && ended == Some(0)),
            "{bytes:?}: {ended:?}"
        );
        let mut out = Vec::new();
        host.stdout.take().unwrap().read_to_end(&mut out).unwrap();
        assert!(out.is_empty());
    }
}

#[test]
fn a_native_host_serves_one_extension_and_says_nothing_on_stdout() {
    let home = Home::new();
    for arguments in [
        &["chrome-extension://someoneelse/"][..],
        &["native-host"],
        &["native-host", "--help"],
    ] {
        let output = home.command(arguments).stdin(Stdio::null()).output().unwrap();
        assert!(
            output.stdout.is_empty() && !output.stderr.is_empty(),
            "{arguments:?}"
        );
    }
}
