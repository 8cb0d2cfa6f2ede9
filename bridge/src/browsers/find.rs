//! Which browsers are there: by their user data folders, or by their programs.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use super::table::{KINDS, Kind};

/// Bytes of a program's start that are looked at: enough for a script that hands over to another one.
const SCRIPT_LOOK: u64 = 8 * 1024;

/// Where everything is looked for.
#[derive(Clone, Debug)]
pub struct Roots {
    /// The user's own folder.
    pub home: PathBuf,
    /// Folders that hold user data folders. A browser that was started from a desktop may not see a variable that a
    /// shell sets, so both places count.
    pub configs: Vec<PathBuf>,
    /// The root of the file system, or a stand-in for it.
    pub system: PathBuf,
}

/// A browser that can start a native host.
#[derive(Clone, Debug)]
pub struct Browser {
    /// Its name for people.
    pub name: String,
    /// Its user data folder; it may not exist yet.
    pub data: PathBuf,
    /// Folders it reads manifests from: its own, then those of others.
    pub hosts: Vec<PathBuf>,
    /// Its program, where it is known.
    pub program: Option<PathBuf>,
    /// Address of its extensions page.
    pub extensions_page: String,
    /// Folder of the manifests for all users.
    pub system: Option<PathBuf>,
}

/// A browser that is there and cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// Its name for people.
    pub name: String,
    /// Where it was seen.
    pub folder: PathBuf,
    /// Why, and what works instead.
    pub why: String,
}

/// All that was seen.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// Usable browsers.
    pub browsers: Vec<Browser>,
    /// The others.
    pub skipped: Vec<Skipped>,
}

impl Roots {
    /// As the environment has them; `system` stands in for the root of the file system.
    pub fn of_environment(system: Option<&Path>) -> Option<Self> {
        let folder = |name: &str| {
            std::env::var_os(name)
                .map(PathBuf::from)
                .filter(|path| path.is_absolute())
        };
        let home = folder("HOME").or_else(std::env::home_dir)?;
        let mut configs = Vec::new();
        if cfg!(target_os = "macos") {
            configs.push(home.join("Library/Application Support"));
        } else {
            for config in [
                folder("CHROME_CONFIG_HOME"),
                folder("XDG_CONFIG_HOME"),
                Some(home.join(".config")),
            ]
            .into_iter()
            .flatten()
            {
                if !configs.contains(&config) {
                    configs.push(config);
                }
            }
        }
        Some(Self {
            home,
            configs,
            system: system.unwrap_or(Path::new("/")).to_owned(),
        })
    }

    /// An absolute path below the root of the file system.
    pub fn below(&self, path: &str) -> PathBuf {
        self.system.join(path.trim_start_matches('/'))
    }
}

/// Looks for every browser of the table, and takes `folders` for user data folders of further ones.
pub fn find(roots: &Roots, folders: &[PathBuf]) -> Findings {
    let mut findings = Findings::default();
    for kind in KINDS {
        let program = program(roots, kind);
        let below = if cfg!(target_os = "macos") {
            kind.mac
        } else {
            kind.config
        };
        let mut seen = false;
        for config in &roots.configs {
            if config.join(below).is_dir() {
                findings
                    .browsers
                    .push(browser(roots, kind, config, program.clone()));
                seen = true;
            }
        }
        if let (false, Some(program), Some(config)) = (seen, &program, roots.configs.last()) {
            findings
                .browsers
                .push(browser(roots, kind, config, Some(program.clone())));
        }
        findings.skipped.extend(snap(roots, kind));
        findings.skipped.extend(flatpak(roots, kind));
    }
    for folder in folders {
        if !findings.browsers.iter().any(|browser| browser.data == *folder) {
            findings.browsers.push(Browser {
                name: format!("the browser on {}", folder.display()),
                data: folder.clone(),
                hosts: vec![folder.join("NativeMessagingHosts")],
                program: None,
                extensions_page: "chrome://extensions".to_owned(),
                system: None,
            });
        }
    }
    findings
}

fn browser(roots: &Roots, kind: &Kind, config: &Path, program: Option<PathBuf>) -> Browser {
    let below = if cfg!(target_os = "macos") {
        kind.mac
    } else {
        kind.config
    };
    let also = kind.also.filter(|_| !cfg!(target_os = "macos"));
    Browser {
        name: kind.name.to_owned(),
        data: config.join(below),
        hosts: std::iter::once(below)
            .chain(also)
            .map(|below| config.join(below).join("NativeMessagingHosts"))
            .collect(),
        program,
        extensions_page: format!("{}://extensions", kind.scheme),
        system: kind.system.map(|folder| roots.below(folder)),
    }
}

/// The program of a browser, unless it is only a way into its snap.
fn program(roots: &Roots, kind: &Kind) -> Option<PathBuf> {
    kind.programs
        .iter()
        .map(|path| roots.below(path))
        .find(|path| path.is_file() && !leads_to_snap(path))
}

/// Whether a program is a link into `/snap` or a script that goes there, as Ubuntu's `chromium-browser`.
fn leads_to_snap(path: &Path) -> bool {
    if path
        .canonicalize()
        .is_ok_and(|target| target.components().any(|part| part.as_os_str() == "snap"))
    {
        return true;
    }
    let mut start = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(SCRIPT_LOOK).read_to_end(&mut start));
    read.is_ok() && start.starts_with(b"#!") && String::from_utf8_lossy(&start).contains("/snap/bin/")
}

fn snap(roots: &Roots, kind: &Kind) -> Option<Skipped> {
    let (name, data) = kind.snap?;
    let places = [
        roots.home.join("snap").join(name).join(data),
        roots.home.join("snap").join(name),
        roots.below("/snap/bin").join(name),
        roots.below("/var/lib/snapd/snap/bin").join(name),
    ];
    let folder = places.into_iter().find(|path| path.symlink_metadata().is_ok())?;
    Some(Skipped {
        name: format!("{} (snap)", kind.name),
        folder,
        why: format!(
            "a snap may start no program outside of itself, so it cannot start the bridge. What works: {} from its \
             vendor's or your distribution's own package, or any other browser of this list",
            kind.name
        ),
    })
}

fn flatpak(roots: &Roots, kind: &Kind) -> Option<Skipped> {
    let app = kind.flatpak?;
    let places = [
        roots.home.join(".var/app").join(app),
        roots.home.join(".local/share/flatpak/app").join(app),
        roots.below("/var/lib/flatpak/app").join(app),
    ];
    let folder = places.into_iter().find(|path| path.is_dir())?;
    Some(Skipped {
        name: format!("{} (flatpak)", kind.name),
        folder,
        why: format!(
            "a flatpak may start no program outside of itself unless its whole confinement is lifted. What works: {} \
             from its vendor's or your distribution's own package, or any other browser of this list",
            kind.name
        ),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roots(folder: &Path) -> Roots {
        Roots {
            home: folder.join("home"),
            configs: vec![folder.join("other"), folder.join("home/.config")],
            system: folder.join("system"),
        }
    }

    fn names(findings: &Findings) -> Vec<&str> {
        findings
            .browsers
            .iter()
            .map(|browser| browser.name.as_str())
            .collect()
    }

    #[test]
    fn profiles_and_programs_are_found_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let roots = roots(folder.path());
        assert!(find(&roots, &[]).browsers.is_empty());
        fs::create_dir_all(roots.home.join(".config/BraveSoftware/Brave-Browser-Nightly")).unwrap();
        fs::create_dir_all(roots.configs[0].join("vivaldi")).unwrap();
        fs::create_dir_all(roots.below("/usr/bin")).unwrap();
        fs::write(roots.below("/usr/bin/microsoft-edge-beta"), "x").unwrap();
        let findings = find(&roots, &[folder.path().join("own")]);
        assert_eq!(
            names(&findings)[..3],
            ["Microsoft Edge Beta", "Brave Nightly", "Vivaldi"]
        );
        assert_eq!(findings.browsers.len(), 4);
        assert_eq!(
            findings.browsers[0].data,
            roots.home.join(".config/microsoft-edge-beta")
        );
        assert_eq!(findings.browsers[2].data, roots.configs[0].join("vivaldi"));
        assert!(findings.skipped.is_empty());
    }

    #[test]
    fn a_way_into_a_snap_is_no_program() {
        let folder = tempfile::tempdir().unwrap();
        let roots = roots(folder.path());
        fs::create_dir_all(roots.below("/usr/bin")).unwrap();
        fs::create_dir_all(roots.home.join("snap/chromium/common/chromium")).unwrap();
        fs::write(
            roots.below("/usr/bin/chromium-browser"),
            "#!/bin/sh\nexec /snap/bin/chromium \"$@\"\n",
        )
        .unwrap();
        let findings = find(&roots, &[]);
        assert!(findings.browsers.is_empty(), "{:?}", names(&findings));
        assert_eq!(findings.skipped[0].name, "Chromium (snap)");
        assert!(findings.skipped[0].why.contains("What works"));
    }

    #[test]
    fn opera_reads_where_chrome_does_too() {
        let folder = tempfile::tempdir().unwrap();
        let roots = roots(folder.path());
        fs::create_dir_all(roots.home.join(".config/opera")).unwrap();
        let findings = find(&roots, &[]);
        assert_eq!(findings.browsers[0].hosts.len(), 2);
        assert!(findings.browsers[0].hosts[1].ends_with("google-chrome/NativeMessagingHosts"));
    }
}
