//! Every browser that is looked for, written once.
//!
//! A Chromium browser reads native messaging manifests from `NativeMessagingHosts` in its user data folder, then from
//! a system folder; the user's wins. User data folders:
//! <https://chromium.googlesource.com/chromium/src/+/HEAD/docs/user_data_dir.md>. Manifests:
//! <https://developer.chrome.com/docs/extensions/develop/concepts/native-messaging#native-messaging-host-location>,
//! <https://learn.microsoft.com/microsoft-edge/extensions/developer-guide/native-messaging>,
//! <https://github.com/browserpass/browserpass-native> (Brave and Vivaldi in their own folders),
//! <https://github.com/operasoftware/devopera/issues/414> (Opera also looks where Chrome does).

/// A browser, or one of its channels.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name for people.
    pub name: &'static str,
    /// User data folder on Linux, below the configuration folder.
    pub config: &'static str,
    /// User data folder on macOS, below `Library/Application Support`.
    pub mac: &'static str,
    /// User data folder of another browser whose manifests it reads too, on Linux.
    pub also: Option<&'static str>,
    /// Where packages put the program on Linux.
    pub programs: &'static [&'static str],
    /// Folder of the manifests for all users on Linux, where the vendor documents one.
    pub system: Option<&'static str>,
    /// Name of the snap, and its user data folder below `~/snap/NAME`.
    pub snap: Option<(&'static str, &'static str)>,
    /// Id of the flatpak; its user data folder is `~/.var/app/ID/config/` and [`Kind::config`].
    pub flatpak: Option<&'static str>,
    /// The scheme of its own pages.
    pub scheme: &'static str,
}

const CHROME: Kind = Kind {
    name: "Google Chrome",
    config: "google-chrome",
    mac: "Google/Chrome",
    also: None,
    programs: &[
        "/usr/bin/google-chrome-stable",
        "/usr/bin/google-chrome",
        "/opt/google/chrome/chrome",
    ],
    system: Some("/etc/opt/chrome/native-messaging-hosts"),
    snap: None,
    flatpak: Some("com.google.Chrome"),
    scheme: "chrome",
};

const EDGE: Kind = Kind {
    name: "Microsoft Edge",
    config: "microsoft-edge",
    mac: "Microsoft Edge",
    programs: &["/usr/bin/microsoft-edge-stable", "/opt/microsoft/msedge/msedge"],
    system: Some("/etc/opt/edge/native-messaging-hosts"),
    flatpak: Some("com.microsoft.Edge"),
    scheme: "edge",
    ..CHROME
};

const BRAVE: Kind = Kind {
    name: "Brave",
    config: "BraveSoftware/Brave-Browser",
    mac: "BraveSoftware/Brave-Browser",
    programs: &[
        "/usr/bin/brave-browser",
        "/usr/bin/brave",
        "/opt/brave.com/brave/brave",
    ],
    system: None,
    snap: Some(("brave", "current/.config/BraveSoftware/Brave-Browser")),
    flatpak: Some("com.brave.Browser"),
    scheme: "brave",
    ..CHROME
};

const VIVALDI: Kind = Kind {
    name: "Vivaldi",
    config: "vivaldi",
    mac: "Vivaldi",
    programs: &[
        "/usr/bin/vivaldi-stable",
        "/usr/bin/vivaldi",
        "/opt/vivaldi/vivaldi",
    ],
    system: None,
    snap: Some(("vivaldi", "current/.config/vivaldi")),
    flatpak: Some("com.vivaldi.Vivaldi"),
    scheme: "vivaldi",
    ..CHROME
};

const OPERA: Kind = Kind {
    name: "Opera",
    config: "opera",
    mac: "com.operasoftware.Opera",
    also: Some("google-chrome"),
    programs: &["/usr/bin/opera", "/usr/lib/x86_64-linux-gnu/opera-stable/opera"],
    system: None,
    snap: Some(("opera", "current/.config/opera")),
    flatpak: Some("com.opera.Opera"),
    scheme: "opera",
};

/// A channel beside another: packaged by the vendor alone.
const fn channel(
    of: Kind,
    name: &'static str,
    config: &'static str,
    mac: &'static str,
    programs: &'static [&'static str],
) -> Kind {
    Kind {
        name,
        config,
        mac,
        programs,
        snap: None,
        flatpak: None,
        ..of
    }
}

/// All of them, in the order people are told of them.
pub const KINDS: &[Kind] = &[
    CHROME,
    channel(
        CHROME,
        "Google Chrome Beta",
        "google-chrome-beta",
        "Google/Chrome Beta",
        &["/usr/bin/google-chrome-beta", "/opt/google/chrome-beta/chrome"],
    ),
    channel(
        CHROME,
        "Google Chrome Dev",
        "google-chrome-unstable",
        "Google/Chrome Dev",
        &[
            "/usr/bin/google-chrome-unstable",
            "/opt/google/chrome-unstable/chrome",
        ],
    ),
    channel(
        CHROME,
        "Google Chrome Canary",
        "google-chrome-canary",
        "Google/Chrome Canary",
        &[
            "/usr/bin/google-chrome-canary",
            "/opt/google/chrome-canary/chrome",
        ],
    ),
    channel(
        CHROME,
        "Google Chrome for Testing",
        "google-chrome-for-testing",
        "Google/Chrome for Testing",
        &[],
    ),
    Kind {
        name: "Chromium",
        config: "chromium",
        mac: "Chromium",
        programs: &[
            "/usr/bin/chromium",
            "/usr/bin/chromium-browser",
            "/usr/lib/chromium/chromium",
        ],
        system: Some("/etc/chromium/native-messaging-hosts"),
        snap: Some(("chromium", "common/chromium")),
        flatpak: Some("org.chromium.Chromium"),
        ..CHROME
    },
    EDGE,
    channel(
        EDGE,
        "Microsoft Edge Beta",
        "microsoft-edge-beta",
        "Microsoft Edge Beta",
        &[
            "/usr/bin/microsoft-edge-beta",
            "/opt/microsoft/msedge-beta/msedge",
        ],
    ),
    channel(
        EDGE,
        "Microsoft Edge Dev",
        "microsoft-edge-dev",
        "Microsoft Edge Dev",
        &["/usr/bin/microsoft-edge-dev", "/opt/microsoft/msedge-dev/msedge"],
    ),
    channel(
        EDGE,
        "Microsoft Edge Canary",
        "microsoft-edge-canary",
        "Microsoft Edge Canary",
        &["/usr/bin/microsoft-edge-canary"],
    ),
    BRAVE,
    channel(
        BRAVE,
        "Brave Beta",
        "BraveSoftware/Brave-Browser-Beta",
        "BraveSoftware/Brave-Browser-Beta",
        &["/usr/bin/brave-browser-beta", "/opt/brave.com/brave-beta/brave"],
    ),
    channel(
        BRAVE,
        "Brave Dev",
        "BraveSoftware/Brave-Browser-Dev",
        "BraveSoftware/Brave-Browser-Dev",
        &["/usr/bin/brave-browser-dev"],
    ),
    channel(
        BRAVE,
        "Brave Nightly",
        "BraveSoftware/Brave-Browser-Nightly",
        "BraveSoftware/Brave-Browser-Nightly",
        &[
            "/usr/bin/brave-browser-nightly",
            "/opt/brave.com/brave-nightly/brave",
        ],
    ),
    channel(
        BRAVE,
        "Brave Origin",
        "BraveSoftware/Brave-Origin",
        "BraveSoftware/Brave-Origin",
        &["/usr/bin/brave-origin"],
    ),
    VIVALDI,
    channel(
        VIVALDI,
        "Vivaldi Snapshot",
        "vivaldi-snapshot",
        "Vivaldi Snapshot",
        &["/usr/bin/vivaldi-snapshot", "/opt/vivaldi-snapshot/vivaldi"],
    ),
    OPERA,
    channel(
        OPERA,
        "Opera Beta",
        "opera-beta",
        "com.operasoftware.OperaNext",
        &["/usr/bin/opera-beta"],
    ),
    channel(
        OPERA,
        "Opera Developer",
        "opera-developer",
        "com.operasoftware.OperaDeveloper",
        &["/usr/bin/opera-developer"],
    ),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_browsers_share_a_name_or_a_folder() {
        let mut seen = std::collections::HashSet::new();
        for kind in KINDS {
            for (place, value) in [("name", kind.name), ("linux", kind.config), ("mac", kind.mac)] {
                assert!(seen.insert((place, value)), "{place} {value}");
            }
            assert!(kind.programs.iter().all(|path| path.starts_with('/')));
        }
    }
}
