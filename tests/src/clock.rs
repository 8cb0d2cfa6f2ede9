//! A wall clock that jumps, for one process: a library that is loaded before its own adds to what the system says.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// Adds the seconds that stand in the file `DRAWBRIDGE_TEST_CLOCK`; only the wall clock is touched.
const SOURCE: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long long added(void) {
  char text[32] = {0};
  const char *path = getenv("DRAWBRIDGE_TEST_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return 0;
  ssize_t size = read(file, text, sizeof text - 1);
  close(file);
  return size > 0 ? atoll(text) : 0;
}

int clock_gettime(clockid_t id, struct timespec *at) {
  int failed = syscall(SYS_clock_gettime, id, at);
  if (!failed && id == CLOCK_REALTIME) at->tv_sec += added();
  return failed;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *at) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (at) *at = now.tv_sec;
  return now.tv_sec;
}
"#;

/// The wall clock of the processes that are started with [`Clock::variables`].
pub struct Clock {
    library: PathBuf,
    file: PathBuf,
}

impl Clock {
    /// Compiles the library into a folder; the clock goes right until it is told to jump.
    ///
    /// # Errors
    /// When there is no C compiler, which the bridge's own build needs too.
    pub fn in_folder(folder: &Path) -> Result<Self> {
        let (source, library) = (folder.join("clock.c"), folder.join("clock.so"));
        fs::write(&source, SOURCE)?;
        let made = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-o"])
            .args([&library, &source])
            .output()
            .context("could not run cc")?;
        ensure!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let clock = Self {
            library,
            file: folder.join("clock"),
        };
        clock.jump_to(0)?;
        Ok(clock)
    }

    /// For the environment of a process.
    pub fn variables(&self) -> [(String, String); 2] {
        [
            ("LD_PRELOAD".to_owned(), self.library.display().to_string()),
            (
                "DRAWBRIDGE_TEST_CLOCK".to_owned(),
                self.file.display().to_string(),
            ),
        ]
    }

    /// So many seconds ahead of the system from now on; behind it when negative.
    ///
    /// # Errors
    /// When the disk refuses.
    pub fn jump_to(&self, seconds: i64) -> Result<()> {
        // Whole at once: it is read at any moment.
        let fresh = self.file.with_extension("new");
        fs::write(&fresh, seconds.to_string())?;
        Ok(fs::rename(fresh, &self.file)?)
    }
}
