//! Ending processes of a sandbox, and none but those. Linux only, as the sandbox is.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use rustix::process::{Pid, Signal};

use crate::wait::patient;

const PAUSE: Duration = Duration::from_millis(10);

/// Waits for this process to be gone, then ends what is left of a sandbox: every process whose environment names its
/// folder, and the folder.
const WATCH: &str = r#"
cat >/dev/null
[ -d "$1" ] || exit 0
left() { grep -laF "=$1/" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3; }
for signal in TERM KILL; do
  kill -$signal $(left "$1") 2>/dev/null
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -z "$(left "$1")" ] && break 2
    sleep 0.2
  done
done
[ -n "$DRAWBRIDGE_KEEP" ] && exit 0
for _ in 1 2 3 4 5; do rm -rf -- "$1" 2>/dev/null && exit 0; sleep 0.2; done
"#;

/// A process of its own that ends a sandbox when the harness is gone, however it went.
pub(super) struct Watcher {
    /// Its standard input closes with this value, or with this process.
    child: Child,
}

impl Watcher {
    pub(super) fn of(root: &Path) -> Result<Self> {
        let child = Command::new("sh")
            .args(["-c", WATCH, "drawbridge-watcher"])
            .arg(root)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .context("could not start sh")?;
        Ok(Self { child })
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        // The folder is gone by now, so it ends at once.
        let _ = self.child.wait();
    }
}

/// Whether a process runs; one that ended and was not collected does not.
pub fn runs(pid: u32) -> bool {
    fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| {
        stat.rsplit(") ")
            .next()
            .is_some_and(|rest| !rest.starts_with('Z'))
    })
}

/// A process' environment as it was started with, readable text only.
pub fn environment(pid: u32) -> Option<String> {
    let bytes = fs::read(format!("/proc/{pid}/environ")).ok()?;
    Some(String::from_utf8_lossy(&bytes).replace('\0', "\n"))
}

/// Children of a process.
pub fn children(pid: u32) -> Vec<u32> {
    all()
        .filter(|child| {
            let stat = fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
            let parent = stat
                .rsplit(") ")
                .next()
                .and_then(|rest| rest.split(' ').nth(1)?.parse().ok());
            parent == Some(pid)
        })
        .collect()
}

/// Processes whose environment names a folder.
pub fn of(root: &Path) -> Vec<u32> {
    let mark = format!("={}/", root.display());
    all()
        .filter(|pid| environment(*pid).is_some_and(|text| text.contains(&mark)))
        .collect()
}

/// Process id of the daemon that holds a home's lock.
pub fn daemon(home: &Path) -> Option<u32> {
    let run = home.join("run");
    let pid: u32 = fs::read_to_string(run.join("daemon.pid"))
        .ok()?
        .trim()
        .parse()
        .ok()?;
    let lock = run.join("daemon.lock");
    let holds = fs::read_dir(format!("/proc/{pid}/fd"))
        .ok()?
        .filter_map(|entry| fs::read_link(entry.ok()?.path()).ok())
        .any(|open| open.as_os_str().as_bytes() == lock.as_os_str().as_bytes());
    holds.then_some(pid)
}

/// SIGTERM; a process that is gone already is no fault.
pub(super) fn ask_to_end(pid: u32) {
    signal(pid, Signal::TERM);
}

/// Ends a process that is no child of ours: asks, waits, insists.
pub(super) fn end(pid: u32) -> Result<()> {
    ask_to_end(pid);
    if gone_within(pid, Duration::from_secs(6)) {
        return Ok(());
    }
    kill(pid)
}

/// SIGKILL, and sees the process gone.
///
/// # Errors
/// When it is still there after some seconds.
pub fn kill(pid: u32) -> Result<()> {
    signal(pid, Signal::KILL);
    if !gone_within(pid, Duration::from_secs(5)) {
        bail!("process {pid} does not end");
    }
    Ok(())
}

/// Whether a child ended in time.
pub(super) fn reap(child: &mut Child, bound: Duration) -> Result<bool> {
    let end = Instant::now() + patient(bound);
    while Instant::now() < end {
        if child.try_wait()?.is_some() {
            return Ok(true);
        }
        sleep(PAUSE);
    }
    Ok(false)
}

/// Removes a folder that processes may still have been writing to a moment ago. With `DRAWBRIDGE_KEEP` set it stays,
/// for whoever wants to read its logs.
pub(super) fn remove(root: &Path) -> Result<()> {
    if std::env::var_os("DRAWBRIDGE_KEEP").is_some() {
        eprintln!("kept: {}", root.display());
        return Ok(());
    }
    let end = Instant::now() + patient(Duration::from_secs(3));
    loop {
        match fs::remove_dir_all(root) {
            Ok(()) => return Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(()),
            Err(_) if Instant::now() < end => sleep(PAUSE),
            Err(error) => return Err(error).with_context(|| format!("could not remove {}", root.display())),
        }
    }
}

fn all() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").ok();
    entries
        .into_iter()
        .flatten()
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
}

fn signal(pid: u32, signal: Signal) {
    if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
        // The only failure is that it is gone, or never was ours.
        let _ = rustix::process::kill_process(pid, signal);
    }
}

fn gone_within(pid: u32, bound: Duration) -> bool {
    let end = Instant::now() + patient(bound);
    while runs(pid) {
        if Instant::now() >= end {
            return false;
        }
        sleep(PAUSE);
    }
    true
}

/// What a process costs the machine, in bytes: its own memory and its share of what others use too.
/// <https://docs.kernel.org/filesystems/proc.html>
///
/// # Errors
/// When the process is gone.
pub fn proportional_set_size(pid: u32) -> Result<u64> {
    let path = format!("/proc/{pid}/smaps_rollup");
    let text = fs::read_to_string(&path).with_context(|| format!("no {path}"))?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("Pss:"))
        .context("no Pss line")?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kibibytes * 1024)
}

/// Starts the measurement of [`peak_memory`] anew.
///
/// # Errors
/// When the process is gone.
pub fn forget_peak_memory(pid: u32) -> Result<()> {
    let path = format!("/proc/{pid}/clear_refs");
    fs::write(&path, "5").with_context(|| format!("no {path}"))
}

/// The most memory a process had at once, in bytes.
///
/// # Errors
/// When the process is gone.
pub fn peak_memory(pid: u32) -> Result<u64> {
    let path = format!("/proc/{pid}/status");
    let text = fs::read_to_string(&path).with_context(|| format!("no {path}"))?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .context("no VmHWM line")?;
    let kibibytes: u64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kibibytes * 1024)
}

/// Whether a process becomes one that [`runs`] no longer within a time.
pub async fn ends_within(pid: u32, bound: Duration) -> bool {
    let ended = crate::wait::until("a process to end", bound, async || Ok((!runs(pid)).then_some(())));
    ended.await.is_ok()
}
