//! `drawbridge doctor`: looks from this side of the daemon, so that it also works when there is none.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use drawbridge_protocol::error::{Code, Error, Outcome};
use drawbridge_protocol::ids::ClientId;
use drawbridge_protocol::local::Admin;
use drawbridge_protocol::tools::doctor::{Diagnosis, Health, HopName};
use tokio::time::{Instant, sleep};

use crate::browsers::Roots;
use crate::client::Client;
use crate::doctor::{self, Daemon, Facts, PATIENCE};
use crate::home::{self, Home};
use crate::output;

/// How long a running browser may take to connect after its manifest was repaired: the longest time between two tries
/// of its extension.
const REPAIRED_PATIENCE: Duration = Duration::from_secs(12);

/// How often it is looked whether it has.
const POLL: Duration = Duration::from_millis(200);

/// How `doctor` is called.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct Doctor {
    /// Repairs what may be repaired: manifests, mode bits, what a dead bridge left.
    #[arg(long)]
    fix: bool,
    /// Measures round trips.
    #[arg(long)]
    bench: bool,
    /// Also looks at a browser whose user data folder is not where it usually is.
    #[arg(long, value_name = "FOLDER")]
    user_data_dir: Vec<PathBuf>,
    /// Stands in for the root of the file system.
    #[arg(long, hide = true)]
    root: Option<PathBuf>,
}

/// Looks, repairs if asked to, looks again, and tells.
pub(super) async fn run(id: &ClientId, asked: Doctor, json: bool) -> Result<ExitCode, Error> {
    let home = home::chosen().map_err(|error| Error::new(Code::NotConnected, format!("{error:#}")))?;
    let roots = Roots::of_environment(asked.root.as_deref());
    let gather = || doctor::gather(&home, roots.as_ref(), &asked.user_data_dir);
    let mut facts = gather();
    let mut patience = PATIENCE;
    let mut done = Vec::new();
    if asked.fix {
        done = doctor::fix::fix(&facts);
        if !done.is_empty() {
            patience = REPAIRED_PATIENCE;
            facts = gather();
        }
    }
    let diagnosis = look(id, &facts, asked.bench, Some(patience)).await;
    if json {
        let mut result = serde_json::to_value(&diagnosis).unwrap_or_default();
        if asked.fix {
            result["fixed"] = done.into();
        }
        output::line(&serde_json::to_string(&Outcome(Ok(result))).unwrap_or_default());
    } else {
        for line in done {
            output::line(&output::harmless(&line));
        }
        show(&diagnosis);
    }
    Ok(exit_code(&diagnosis))
}

/// Asks the daemon, which is started where none runs, and judges. With `patience`, a browser that is about to connect is
/// waited for.
pub(super) async fn look(id: &ClientId, facts: &Facts, bench: bool, patience: Option<Duration>) -> Diagnosis {
    match ask(id, facts, bench, patience).await {
        Ok((ms, health)) => doctor::diagnose(facts, Daemon::Up { ms, health: &health }),
        Err(error) => doctor::diagnose(facts, Daemon::Broken(&error)),
    }
}

async fn ask(
    id: &ClientId,
    facts: &Facts,
    bench: bool,
    patience: Option<Duration>,
) -> Result<(f64, Health), Error> {
    let home = Home::open().map_err(|error| Error::new(Code::NotConnected, format!("{error:#}")))?;
    let client = Client::open(&home, id, "command line").await?;
    let began = Instant::now();
    let key = "recipe.window".to_owned();
    client.admin(Admin::GetSetting { key }).await?;
    let ms = (began.elapsed().as_secs_f64() * 100_000.0).round() / 100.0;
    loop {
        let health = health(&client, bench, patience.is_some()).await?;
        let waits = health.links.is_empty() && health.refusals.is_empty() && facts.expects_a_link();
        if !waits || patience.is_none_or(|patience| began.elapsed() >= patience) {
            return Ok((ms, health));
        }
        sleep(POLL).await;
    }
}

/// How the daemon's links are.
pub(super) async fn health(client: &Client, bench: bool, settle: bool) -> Result<Health, Error> {
    let answer = client.admin(Admin::Health { bench, settle }).await?;
    serde_json::from_value(answer)
        .map_err(|error| Error::internal(format!("the bridge answers otherwise: {error}")))
}

fn show(diagnosis: &Diagnosis) {
    for hop in &diagnosis.hops {
        let state = match (hop.ok, &hop.issue) {
            (true, None) => "ok",
            (true, Some(_)) => "note",
            (false, Some(_)) => "BROKEN",
            (false, None) => "-",
        };
        let name = name(hop.name);
        let ms = hop.ms.map(|ms| format!("{ms} ms")).unwrap_or_default();
        let issue = hop.issue.as_deref().unwrap_or_default();
        output::line(format!("{state:<7} {name:<12} {ms:<10} {issue}").trim_end());
        if let Some(repair) = &hop.repair {
            output::line(&format!("        {}", output::harmless(repair)));
        }
    }
    if !diagnosis.browsers.is_empty() {
        output::line("");
        let rows = diagnosis
            .browsers
            .iter()
            .map(|row| {
                let running = if row.running { "running" } else { "" };
                [&row.browser, &row.host, &row.extension, running, &row.folder]
                    .map(output::harmless)
                    .to_vec()
            })
            .collect();
        output::table(&["browser", "host", "extension", "", "folder"], rows);
    }
    for warning in &diagnosis.warnings {
        output::line(&format!("note: {}", output::harmless(warning)));
    }
    if let Some(bench) = &diagnosis.bench {
        output::line(&format!(
            "round trips: {} ms in the middle, {} ms at worst{}",
            bench.median_ms,
            bench.worst_ms,
            bench
                .ten_megabytes_ms
                .map_or_else(String::new, |ms| format!("; 10 MB: {ms} ms")),
        ));
    }
    output::line("");
    output::line(&format!("next: {}", output::harmless(&diagnosis.recommendation)));
}

fn name(name: HopName) -> &'static str {
    match name {
        HopName::Client => "client",
        HopName::Bridge => "bridge",
        HopName::NativeHost => "native host",
        HopName::Worker => "worker",
        HopName::Page => "page",
    }
}

/// As for errors: 2 for what carries bytes, 3 for what is in the browser, 5 for versions.
fn exit_code(diagnosis: &Diagnosis) -> ExitCode {
    let broken = diagnosis.hops.iter().find(|hop| !hop.ok);
    ExitCode::from(match broken.map(|hop| (hop.name, hop.issue.as_deref())) {
        None => 0,
        Some((_, Some("version_mismatch"))) => 5,
        Some((HopName::Client | HopName::Bridge | HopName::NativeHost, _)) => 2,
        Some((HopName::Worker | HopName::Page, _)) => 3,
    })
}
