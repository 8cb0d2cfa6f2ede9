//! Small tasks of the MiniWoB++ benchmark, solved with the tools alone: the query is read, the page is read, and what it
//! asks for is done. The page itself says what that was worth.

mod boxes;
mod buttons;
mod dates;
mod drags;
mod fields;
mod flights;
mod hands;
mod mail;
mod shapes;
mod words;

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use drawbridge_tests::project;
use drawbridge_tests::wait;
use futures_util::future::LocalBoxFuture;

use crate::act::Acting;
use hands::Hands;

/// Episodes of each task.
const SEEDS: u32 = 5;

/// Tasks that have to be solved in every episode.
const SOLVED: usize = 60;

/// How long one episode may take.
const EPISODE: Duration = Duration::from_secs(40);

type Solver = for<'h> fn(&'h Hands<'h>) -> LocalBoxFuture<'h, Result<()>>;

macro_rules! tasks {
    ($($name:literal => $solver:path,)*) => { &[$(($name, |hands| Box::pin($solver(hands)))),*] };
}

/// Each task and what solves it. The episodes of a part run in one test, so that parts can run side by side.
const PRESSED: &[(&str, Solver)] = tasks![
    "ascending-numbers" => shapes::ascending,
    "button-delay" => buttons::delay,
    "buy-ticket" => flights::ticket,
    "choose-list" => boxes::choose,
    "click-button" => buttons::named,
    "click-button-sequence" => buttons::sequence,
    "click-checkboxes" => boxes::check,
    "click-checkboxes-large" => boxes::check,
    "click-checkboxes-transfer" => boxes::check,
    "click-collapsible" => words::expand,
    "click-collapsible-nodelay" => words::expand,
    "click-collapsible-2" => words::link_in_sections,
    "click-collapsible-2-nodelay" => words::link_in_sections,
    "click-color" => shapes::color,
    "click-dialog" => buttons::close,
    "click-dialog-2" => buttons::dialog,
    "click-link" => words::link,
    "click-menu" => words::menu,
    "click-menu-2" => words::menu_with_icons,
    "click-option" => boxes::option,
    "click-pie" => buttons::pie,
    "click-pie-nodelay" => buttons::pie,
    "click-scroll-list" => boxes::choose,
    "click-shades" => shapes::shades,
    "click-shape" => shapes::shape,
    "click-tab" => words::tab,
    "click-tab-2" => words::link_in_tabs,
    "click-tab-2-easy" => words::link_in_tabs,
    "click-tab-2-medium" => words::link_in_tabs,
    "click-tab-2-hard" => words::link_in_tabs,
    "click-test" => buttons::first,
    "click-test-2" => buttons::first,
    "click-test-transfer" => buttons::asked,
    "click-widget" => buttons::widget,
    "count-shape" => shapes::count,
];

const WRITTEN: &[(&str, Solver)] = tasks![
    "book-flight" => flights::book,
    "book-flight-nodelay" => flights::book,
    "choose-date" => dates::choose,
    "choose-date-easy" => dates::choose,
    "choose-date-medium" => dates::choose,
    "choose-date-nodelay" => dates::choose,
    "copy-paste" => fields::copy,
    "copy-paste-2" => fields::copy,
    "daily-calendar" => dates::calendar,
    "drag-box" => drags::onto,
    "drag-circle" => drags::aside,
    "drag-items" => drags::items,
    "drag-items-grid" => drags::items,
    "drag-shapes" => drags::sorted_out,
    "drag-shapes-2" => drags::sorted_out,
    "drag-single-shape" => drags::aside,
    "drag-sort-numbers" => drags::numbers,
    "draw-circle" => drags::circle,
    "draw-line" => drags::line,
    "email-inbox" => mail::mail,
    "email-inbox-delete" => mail::mail,
    "email-inbox-forward" => mail::mail,
    "email-inbox-forward-nl" => mail::mail,
    "email-inbox-forward-nl-turk" => mail::mail,
    "email-inbox-important" => mail::mail,
    "email-inbox-nl-turk" => mail::mail,
    "email-inbox-noscroll" => mail::mail,
    "email-inbox-reply" => mail::mail,
    "email-inbox-star-reply" => mail::mail,
    "enter-date" => fields::date,
    "enter-password" => fields::text,
    "enter-text" => fields::text,
    "enter-text-2" => fields::text,
    "enter-text-dynamic" => fields::text,
    "enter-time" => fields::time,
];

/// What one episode was worth, or why it has no worth.
async fn episode(hands: &Hands<'_>, seed: u32, solver: Solver) -> Result<f64> {
    let page = &hands.tab.page;
    // The page's own limit is for people who see; ours holds for the machine.
    let start =
        format!("core.EPISODE_MAX_TIME = 120000, Math.seedrandom('{seed}'), core.startEpisodeReal(), null");
    page.evaluate::<Option<bool>>(&start).await?;
    wait::within("the episode", EPISODE, solver(hands)).await?;
    wait::until("the episode's end", Duration::from_secs(5), async || {
        let done: bool = page.evaluate("WOB_DONE_GLOBAL").await?;
        Ok(done.then_some(()))
    })
    .await?;
    page.evaluate("WOB_RAW_REWARD_GLOBAL").await
}

/// Plays every episode of a part, prints the table, and returns how many tasks were solved in all of them.
async fn play(part: &[(&str, Solver)]) -> Result<usize> {
    let only = std::env::var("DRAWBRIDGE_WOB").unwrap_or_default();
    let tab = Acting::open("/act/visible").await?;
    let (mut solved, mut table) = (0, Vec::new());
    for (name, solver) in part.iter().filter(|(name, _)| name.contains(&only)) {
        let since = Instant::now();
        let url = tab.world.site.url(&format!("/wob/miniwob/{name}.html"));
        tab.page.navigate(&url).await?;
        tab.page.until("core.cover_div !== null").await?;
        let hands = Hands { tab: &tab };
        let (mut rewards, mut trouble) = (Vec::new(), String::new());
        for seed in 1..=SEEDS {
            match episode(&hands, seed, *solver).await {
                Ok(reward) => rewards.push(format!("{reward:.2}")),
                Err(error) => {
                    rewards.push("-".to_owned());
                    trouble = format!("{seed}: {error:#}");
                }
            }
        }
        let all = rewards.iter().all(|one| one == "1.00");
        solved += usize::from(all);
        let took = since.elapsed().as_secs_f64() / f64::from(SEEDS);
        table.push(format!(
            "{} {name:30} {:34} {took:5.1} s {trouble}",
            if all { "✓" } else { " " },
            rewards.join(" ")
        ));
    }
    eprintln!(
        "{}\n{solved} of {} tasks in all episodes",
        table.join("\n"),
        table.len()
    );
    tab.page.navigate("about:blank").await?;
    tab.end().await?;
    Ok(solved)
}

#[tokio::test(flavor = "multi_thread")]
async fn wob_tasks_are_solved_with_the_tools_alone() -> Result<()> {
    project::wob()?;
    let (pressed, written) = tokio::try_join!(play(PRESSED), play(WRITTEN))?;
    ensure!(
        pressed + written >= SOLVED,
        "{} of {} tasks were solved",
        pressed + written,
        PRESSED.len() + WRITTEN.len()
    );
    Ok(())
}
