//! Which of two builds is newer, and what this one is.

use drawbridge_protocol::version::BUILD;

/// The version of this program. Builds for tests may pretend to be another one.
pub fn build() -> &'static str {
    #[cfg(feature = "sandbox")]
    {
        static PRETENDED: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
        if let Some(build) = PRETENDED.get_or_init(|| std::env::var(PRETEND).ok()) {
            return build;
        }
    }
    BUILD
}

/// What a build for tests takes its version from.
#[cfg(feature = "sandbox")]
pub const PRETEND: &str = "DRAWBRIDGE_PRETEND_BUILD";

/// Whether a build is newer than another; `false` for what is no version.
pub fn is_newer(build: &str, than: &str) -> bool {
    match (parts(build), parts(than)) {
        (Some(build), Some(than)) => build > than,
        _ => false,
    }
}

/// Major, minor, patch, and whether it is a release: a pre-release comes before it.
fn parts(build: &str) -> Option<([u64; 3], bool)> {
    let build = build.split('+').next().unwrap_or(build);
    let (numbers, release) = match build.split_once('-') {
        Some((numbers, _)) => (numbers, false),
        None => (build, true),
    };
    let mut numbers = numbers.split('.').map(|number| number.parse().ok());
    let three = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then_some((three, release))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newer_is_newer_and_nonsense_is_not() {
        for (build, than) in [
            ("0.1.1", "0.1.0"),
            ("0.10.0", "0.9.9"),
            ("1.0.0", "0.99.0"),
            ("1.0.0", "1.0.0-rc.1"),
        ] {
            assert!(is_newer(build, than) && !is_newer(than, build), "{build} {than}");
        }
        for (build, than) in [
            ("1.0.0", "1.0.0"),
            ("1.0.0+b", "1.0.0+a"),
            ("x", "0.1.0"),
            ("9", "0.1.0"),
            ("1.2.3.4", "0.1.0"),
            ("", ""),
        ] {
            assert!(!is_newer(build, than), "{build} {than}");
        }
    }
}
