//! What each command does: one question to the daemon, and its answer made fit for people.

use std::process::ExitCode;
use std::time::Duration;

use drawbridge_protocol::error::{Code, Error, Outcome};
use drawbridge_protocol::ids::{ClientId, TargetId};
use drawbridge_protocol::local::{Admin, Grant};
use drawbridge_protocol::tools as table;
use serde_json::{Map, Value, json};
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::args::{Audit, Chrome, Clients, Command, Grants, Settings, Targets};
use crate::client::Client;
use crate::home::Home;
use crate::mcp::{Surface, offered};
use crate::output;

/// How long a daemon may take to end.
const STOP_LIMIT: Duration = Duration::from_secs(15);

/// Runs a command that asks the daemon.
pub(super) async fn run(home: &Home, id: &ClientId, command: Command, json: bool) -> Result<ExitCode, Error> {
    let client = Client::open(home, id, "command line").await?;
    match command {
        Command::Call { tool, args, hops } => call(&client, &tool, &args, hops).await,
        Command::Chrome {
            look: Chrome::Status { target },
        } => {
            let status = ask(&client, "browser_status", json!({ "target": target })).await?;
            Ok(show(json, status, status_lines))
        }
        Command::Chrome {
            look: Chrome::Tabs { target, query },
        } => {
            let tabs = ask(
                &client,
                "browser_tabs",
                json!({ "target": target, "query": query }),
            )
            .await?;
            Ok(show(json, tabs, |tabs| {
                let columns = ["id", "owner", "window", "index", "lifecycle", "title", "url"];
                output::table(&columns, cells(&tabs["tabs"], &columns));
            }))
        }
        Command::Grants { act } => {
            let rows = client.admin(grants(act)).await?;
            Ok(show(json, rows, |rows| {
                let columns = ["subject", "action", "site", "decision"];
                output::table(&columns, cells(&listed(rows), &columns));
            }))
        }
        Command::Clients { act: Clients::List } => {
            let rows = client.admin(Admin::Clients).await?;
            Ok(show(json, rows, |rows| {
                let columns = ["client", "name", "admitted"];
                output::table(&columns, cells(rows, &columns));
            }))
        }
        Command::Clients {
            act: act @ Clients::Admit { .. },
        } => {
            let done = client.admin(admit(act)).await?;
            Ok(show(json, done, |_| output::line("admitted")))
        }
        Command::Targets { act } => {
            let rows = client.admin(targets(act)).await?;
            Ok(show(json, rows, |rows| match rows {
                Value::Null => output::line("done"),
                rows => {
                    let columns = ["id", "name", "browser", "pid", "state"];
                    output::table(&columns, cells(rows, &columns));
                }
            }))
        }
        Command::Settings { act } => {
            let admin = match act {
                Settings::Get { key } => Admin::GetSetting { key },
                Settings::Set { key, value } => Admin::SetSetting { key, value },
            };
            let value = client.admin(admin).await?;
            Ok(show(json, value, |value| output::line(&cell(value))))
        }
        Command::Audit { act: Audit::Verify } => {
            let found = client.admin(Admin::VerifyAudit).await?;
            let intact = found["intact"].as_bool() == Some(true);
            let shown = show(json, found, |found| {
                output::line(if intact { "intact" } else { "changed" });
                output::line(&format!("  rows      {}", cell(&found["rows"])));
                output::line(&format!("  head      {}", cell(&found["head"]["hash"])));
                if !intact {
                    output::line(&format!("  problem   {}", cell(&found["problem"])));
                }
            });
            Ok(if intact { shown } else { ExitCode::FAILURE })
        }
        Command::Audit {
            act:
                Audit::Delete {
                    #[cfg(feature = "sandbox")]
                    yes,
                },
        } => {
            #[cfg(not(feature = "sandbox"))]
            let yes = false;
            let done = client.admin(Admin::DeleteAudit { yes }).await?;
            Ok(show(json, done, |done| {
                output::line(&format!("deleted {} rows", cell(&done["deleted"])));
            }))
        }
        Command::Audit {
            act: Audit::Show { limit },
        } => {
            let rows = client.admin(Admin::Audit { limit }).await?;
            Ok(show(json, rows, |rows| {
                let columns = ["at", "client", "tool", "site", "decision", "code", "effect", "ms"];
                output::table(&columns, cells(rows, &columns));
            }))
        }
        Command::Chrome {
            look: Chrome::Doctor(_),
        }
        | Command::Tools { .. }
        | Command::Setup(_)
        | Command::Doctor(_)
        | Command::Mcp { .. }
        | Command::Daemon { .. } => Err(Error::internal("this command asks no daemon")),
    }
}

/// Lists the tools, or shows one; needs no daemon.
pub(super) fn tools(name: Option<&str>, json: bool) -> Result<ExitCode, Error> {
    let all: Vec<_> = offered(Surface::Domains)
        .into_iter()
        .chain(offered(Surface::Flat))
        .collect();
    let Some(name) = name else {
        let rows: Vec<Value> = table::TABLE
            .iter()
            .filter(|row| all.iter().any(|tool| tool.name == row.flat))
            .map(|row| {
                json!({
                    "tool": row.domain,
                    "action": row.action,
                    "flat": row.flat,
                    "does": row.doc.split_whitespace().collect::<Vec<_>>().join(" "),
                })
            })
            .collect();
        return Ok(show(json, Value::Array(rows), |rows| {
            let columns = ["tool", "action", "flat", "does"];
            output::table(&columns, cells(rows, &columns));
        }));
    };
    let tool = all.iter().find(|tool| tool.name == name).ok_or_else(|| {
        Error::argument("name", format!("there is no tool {name}")).hint("`drawbridge tools` lists them")
    })?;
    let shown = json!({"name": tool.name, "description": tool.description, "arguments": tool.input});
    Ok(show(json, shown, |shown| {
        output::line(&cell(&shown["description"]));
        output::line(&serde_json::to_string_pretty(&shown["arguments"]).unwrap_or_default());
    }))
}

/// Ends the daemon and waits until it is gone.
pub(super) async fn stop(home: &Home, id: &ClientId, json: bool) -> Result<ExitCode, Error> {
    let said = if end_daemon(home, id).await? {
        "stopped"
    } else {
        "no daemon is running"
    };
    Ok(show(json, Value::Null, |_| output::line(said)))
}

/// Ends the daemon and waits until it is gone; says whether one ran.
pub(super) async fn end_daemon(home: &Home, id: &ClientId) -> Result<bool, Error> {
    let Some(client) = Client::open_running(home, id, "command line").await? else {
        return Ok(false);
    };
    client.admin(Admin::Shutdown).await?;
    let until = Instant::now() + STOP_LIMIT;
    // Its lock is the last thing that a daemon gives up. The next one may have it by then.
    let lock = Home::lock_file(&home.daemon_lock()).map_err(|error| Error::internal(format!("{error:#}")))?;
    let ended = client.pid().to_string();
    let next_runs = || std::fs::read_to_string(home.pid_file()).is_ok_and(|pid| pid != ended);
    while lock.try_lock().is_err() && !next_runs() {
        if Instant::now() >= until {
            return Err(Error::new(
                Code::Timeout,
                format!("the daemon {} does not end", client.pid()),
            ));
        }
        sleep(Duration::from_millis(10)).await;
    }
    Ok(true)
}

async fn call(client: &Client, tool: &str, args: &str, hops: bool) -> Result<ExitCode, Error> {
    let read = if args == "-" {
        std::io::read_to_string(std::io::stdin()).map_err(|error| Error::argument("", error))?
    } else {
        args.to_owned()
    };
    let (outcome, parts) = match serde_json::from_str::<Value>(&read) {
        Ok(args) => {
            let reply = client.call(tool, args, &CancellationToken::new()).await;
            (reply.outcome, reply.hops)
        }
        Err(error) => (
            Outcome(Err(Error::argument(
                "",
                format!(
                    "are no JSON: a mistake at line {}, character {}",
                    error.line(),
                    error.column()
                ),
            ))),
            Vec::new(),
        ),
    };
    let code = outcome
        .0
        .as_ref()
        .map_or_else(|error| output::exit_code(error.code), |_| ExitCode::SUCCESS);
    let broken = |error: serde_json::Error| Error::internal(error.to_string());
    let mut line = serde_json::to_value(outcome).map_err(broken)?;
    if hops {
        line["hops"] = serde_json::to_value(parts).map_err(broken)?;
    }
    output::json(&line.to_string());
    Ok(code)
}

async fn ask(client: &Client, tool: &str, args: Value) -> Result<Value, Error> {
    client.call(tool, args, &CancellationToken::new()).await.outcome.0
}

fn grants(act: Grants) -> Admin {
    match act {
        Grants::List => Admin::Grants,
        Grants::Set {
            subject,
            action,
            decision,
            site,
            #[cfg(feature = "sandbox")]
            yes,
        } => {
            #[cfg(not(feature = "sandbox"))]
            let yes = false;
            let grant = Grant {
                subject: ClientId(subject),
                action,
                site,
                decision: decision.into(),
            };
            Admin::SetGrant { grant, yes }
        }
        Grants::Revoke {
            subject,
            action,
            site,
        } => Admin::RevokeGrant {
            subject: ClientId(subject),
            action,
            site,
        },
    }
}

fn admit(act: Clients) -> Admin {
    match act {
        Clients::List => Admin::Clients,
        Clients::Admit {
            id,
            #[cfg(feature = "sandbox")]
            yes,
        } => {
            #[cfg(not(feature = "sandbox"))]
            let yes = false;
            Admin::Admit {
                client: ClientId(id),
                yes,
            }
        }
    }
}

fn targets(act: Targets) -> Admin {
    match act {
        Targets::List => Admin::Links,
        Targets::Pair {
            target,
            #[cfg(feature = "sandbox")]
            yes,
        } => {
            #[cfg(not(feature = "sandbox"))]
            let yes = false;
            Admin::Pair { target, yes }
        }
        Targets::Unpair { target } => Admin::Unpair {
            target: TargetId(target),
        },
    }
}

/// Prints a result, as JSON or in the way people read it.
fn show(json: bool, result: Value, people: impl FnOnce(&Value)) -> ExitCode {
    if json {
        output::json(&serde_json::to_string(&Outcome(Ok(result))).unwrap_or_default());
    } else {
        people(&result);
    }
    ExitCode::SUCCESS
}

fn status_lines(status: &Value) {
    let connected = status["connected"].as_bool() == Some(true);
    let several = status["issues"][0]["id"] == "several_targets";
    match (connected, several) {
        (true, true) => output::line(&cell(&status["issues"][0]["repair"])),
        (true, false) => output::line("connected"),
        (false, _) => output::line("not connected"),
    }
    output::line(&format!("  bridge    {}", cell(&status["bridge"])));
    if let Some(target) = status.get("target") {
        output::line(&format!(
            "  browser   {} ({}), extension {}",
            cell(&target["name"]),
            cell(&target["browser"]),
            cell(&target["extension"])
        ));
    }
    if let Some(ms) = status.get("roundTripMs") {
        output::line(&format!("  answers   in {ms} ms"));
    }
    let issues = status["issues"].as_array().into_iter().flatten();
    for issue in issues.filter(|issue| issue["id"] != "several_targets") {
        output::line(&format!("  {}: {}", cell(&issue["id"]), cell(&issue["repair"])));
    }
}

/// One row as a list of one.
fn listed(rows: &Value) -> Value {
    if rows.is_array() {
        rows.clone()
    } else {
        Value::Array(vec![rows.clone()])
    }
}

fn cells(rows: &Value, columns: &[&str]) -> Vec<Vec<String>> {
    let empty = Map::new();
    rows.as_array()
        .into_iter()
        .flatten()
        .map(|row| {
            let row = row.as_object().unwrap_or(&empty);
            columns
                .iter()
                .map(|column| row.get(*column).map(cell).unwrap_or_default())
                .collect()
        })
        .collect()
}

/// A value for people.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => output::harmless(text),
        other => output::harmless(&other.to_string()),
    }
}
