//! Whatever ends at whatever moment of a recipe: the call ends with a code, no tab is left, and the next one works.

use std::collections::{BTreeMap, VecDeque};
use std::process::Stdio;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use drawbridge_protocol::local::Admin;
use drawbridge_protocol::{Code, Outcome};
use drawbridge_tests::sandbox::{Options, WorkerStopper, processes};
use drawbridge_tests::wait;
use drawbridge_tests::world::World;
use serde_json::{Value, json};
use tokio::time::sleep;

/// Where the moments come from, unless `DRAWBRIDGE_SEED` says otherwise.
const SEED: u64 = 13_862_357;

/// Moments per kind of end, unless `DRAWBRIDGE_POINTS` says otherwise.
const POINTS: usize = 20;

/// The longest a recipe may take.
const DEADLINE: Duration = Duration::from_secs(20);

/// Within which everything is connected again.
const AGAIN: Duration = Duration::from_secs(6);

/// Rows of the recipe when nothing ends.
const ROWS: usize = 6;

/// What ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    Worker,
    Daemon,
    Host,
    Client,
    Revoked,
    Cancelled,
}

impl End {
    const ALL: [Self; 6] = [
        Self::Worker,
        Self::Daemon,
        Self::Host,
        Self::Client,
        Self::Revoked,
        Self::Cancelled,
    ];

    /// What a call says that did not get to its result.
    fn code(self) -> Code {
        match self {
            Self::Worker | Self::Daemon | Self::Host => Code::NotConnected,
            Self::Client | Self::Cancelled => Code::Cancelled,
            Self::Revoked => Code::NotGranted,
        }
    }
}

/// SplitMix64: moments that look random and come again with the same seed.
/// <https://prng.di.unimi.it/splitmix64.c>
struct Moments(u64);

impl Moments {
    /// Somewhere from nothing to `most`.
    fn next(&mut self, most: Duration) -> Duration {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        most.mul_f64((mixed ^ (mixed >> 31)) as f64 / u64::MAX as f64)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_recipe_that_loses_anything_at_any_moment_ends_with_a_code_and_leaves_nothing() -> Result<()> {
    let seed = from_environment("DRAWBRIDGE_SEED")?.unwrap_or(SEED);
    let points = from_environment("DRAWBRIDGE_POINTS")?.map_or(Ok(POINTS), usize::try_from)?;
    let mut world = World::fresh(Options::default()).await?;
    // One page stays open for all of it, so that the worker can be stopped at a moment.
    let stopper = world.sandbox.profile().worker_stopper(&world.browser).await?;
    world.expects_from_now().await?;
    let mut recipe = world.site.recipe("/states/paged");
    recipe["maxPages"] = json!(3);
    let mut lives = Lives::of(&world, &recipe).await?;
    let life = lives.usual();
    eprintln!("seed {seed}, {points} moments each, at first within {life:?}");

    let mut moments = Moments(seed);
    let mut cut_short = BTreeMap::new();
    for number in 0..points * End::ALL.len() {
        let end = End::ALL[number % End::ALL.len()];
        let moment = moments.next(lives.usual().mul_f64(1.1));
        let point = || format!("point {number} of seed {seed}: {end:?} after {moment:?}");
        let began = Instant::now();
        let outcome = match end {
            End::Client => by_a_command(&world, number, &recipe, moment).await,
            End::Worker | End::Daemon | End::Host => {
                by_a_server(&world, &stopper, number, &recipe, end, moment).await
            }
            End::Revoked | End::Cancelled => by_a_plain_client(&world, number, &recipe, end, moment).await,
        };
        let outcome = outcome.with_context(point)?;
        ensure!(
            began.elapsed() < wait::patient(DEADLINE),
            "{}: it took {:?}",
            point(),
            began.elapsed()
        );
        match outcome {
            Ok(()) => {}
            Err(code) => {
                ensure!(code == end.code(), "{}: {code:?}", point());
                *cut_short.entry(end).or_insert(0) += 1;
            }
        }
        world.looks_as_before().await.with_context(point)?;
        lives.add(next_one_works(&world, &recipe).await.with_context(point)?);
    }
    eprintln!("cut short: {cut_short:?}");
    for end in End::ALL {
        // Else the moments missed the recipe's life, and nothing was shown.
        ensure!(
            cut_short.get(&end).is_some_and(|count| *count >= points / 5),
            "{end:?}: {cut_short:?}"
        );
    }
    stopper.close().await?;
    world.expects_from_now().await?;
    ensure!(
        world
            .browser
            .targets()
            .await?
            .iter()
            .filter(|target| target.kind == "page")
            .count()
            == 1
    );
    world.leaves_nothing().await
}

fn from_environment(name: &str) -> Result<Option<u64>> {
    match std::env::var(name) {
        Ok(text) => Ok(Some(
            text.parse().with_context(|| format!("{name} is no number"))?,
        )),
        Err(_) => Ok(None),
    }
}

/// How long the recipe takes when nothing ends: the middle of the last runs, since a machine has slow moments.
struct Lives(VecDeque<Duration>);

impl Lives {
    const KEPT: usize = 5;

    async fn of(world: &World, recipe: &Value) -> Result<Self> {
        let mut lives = Self(VecDeque::new());
        for _ in 0..Self::KEPT {
            lives.add(next_one_works(world, recipe).await?);
        }
        Ok(lives)
    }

    fn add(&mut self, life: Duration) {
        self.0.push_back(life);
        while self.0.len() > Self::KEPT {
            self.0.pop_front();
        }
    }

    fn usual(&self) -> Duration {
        let mut sorted = Vec::from_iter(self.0.iter().copied());
        sorted.sort();
        sorted[sorted.len() / 2]
    }
}

fn whole(result: &Value) -> Result<()> {
    ensure!(
        result["rows"].as_array().is_some_and(|rows| rows.len() == ROWS),
        "{result}"
    );
    ensure!(
        result["state"] == "incomplete" && result["pages"] == 3,
        "{result}"
    );
    Ok(())
}

/// The code of a failed outcome; a result must be whole.
fn code(outcome: Outcome) -> Result<Result<(), Code>> {
    match outcome.0 {
        Ok(result) => whole(&result).map(Ok),
        Err(error) => Ok(Err(error.code)),
    }
}

/// A call of an MCP server while something behind it ends.
async fn by_a_server(
    world: &World,
    stopper: &WorkerStopper,
    number: usize,
    recipe: &Value,
    end: End,
    moment: Duration,
) -> Result<Result<(), Code>> {
    let mcp = world.sandbox.mcp(&format!("kill-{number}"), "domains").await?;
    let host = world
        .sandbox
        .profile()
        .native_hosts()
        .first()
        .copied()
        .context("no native host")?;
    let call = mcp
        .start_call("browser_extract", json!({"recipe": recipe}))
        .await?;
    sleep(moment).await;
    match end {
        End::Worker => stopper.stop().await?,
        End::Daemon => drop(world.sandbox.kill_daemon()?),
        End::Host => processes::kill(host)?,
        End::Client | End::Revoked | End::Cancelled => anyhow::bail!("{end:?} is nothing behind a server"),
    }
    let outcome = code(call.called().await?.outcome)?;
    mcp.close(Duration::from_secs(1)).await?;
    Ok(outcome)
}

/// A call that is taken back, or whose access is.
async fn by_a_plain_client(
    world: &World,
    number: usize,
    recipe: &Value,
    end: End,
    moment: Duration,
) -> Result<Result<(), Code>> {
    let id = format!("kill-{number}");
    let client = world.sandbox.client(&id).await?;
    let person = world.sandbox.client("cli").await?;
    let call = client.start_raw("browser_extract", json!({"recipe": recipe}));
    sleep(moment).await;
    if end == End::Cancelled {
        client.cancel(call.id);
    } else {
        let revoke = Admin::RevokeGrant {
            subject: id.as_str().into(),
            action: "browser.read".to_owned(),
            site: None,
        };
        person.admin(revoke).await?;
    }
    code(Outcome(call.answer().await?.outcome))
}

/// A call of a command that is killed. Nobody is there to hear its end, so the record tells it.
async fn by_a_command(
    world: &World,
    number: usize,
    recipe: &Value,
    moment: Duration,
) -> Result<Result<(), Code>> {
    let id = format!("kill-{number}");
    let args = json!({"recipe": recipe}).to_string();
    let mut child = world
        .sandbox
        .command(["call", "browser_extract", &args])
        .env("DRAWBRIDGE_CLIENT", &id)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let person = world.sandbox.client("cli").await?;
    let record = async || {
        let rows = person.admin(Admin::Audit { limit: 20 }).await?;
        let rows = rows.as_array().context("rows")?.clone();
        Ok::<_, anyhow::Error>(rows.into_iter().find(|row| row["client"] == id.as_str()))
    };
    // Its life begins when the daemon hears of it.
    wait::until("the command's call", AGAIN, async || {
        let ended = child.try_wait()?.is_some();
        Ok((ended || record().await?.is_some()).then_some(()))
    })
    .await?;
    sleep(moment).await;
    child.kill().await?;
    let row = wait::until("the record of the call to be complete", AGAIN, async || {
        Ok(record().await?.filter(|row| row["code"].is_string()))
    })
    .await?;
    if row["code"] == "ok" {
        return Ok(Ok(()));
    }
    Ok(Err(serde_json::from_value(row["code"].clone())?))
}

/// Runs the recipe to its end once everything is connected again; how long it took.
async fn next_one_works(world: &World, recipe: &Value) -> Result<Duration> {
    wait::until("the next recipe", AGAIN, async || {
        let Ok(client) = world.sandbox.client("next").await else {
            return Ok(None);
        };
        let began = Instant::now();
        match client
            .call_raw("browser_extract", json!({"recipe": recipe}))
            .await
        {
            Ok(result) => whole(&result).map(|()| Some(began.elapsed())),
            Err(error) if error.code == Code::NotConnected => Ok(None),
            Err(error) => Err(error.into()),
        }
    })
    .await
}
