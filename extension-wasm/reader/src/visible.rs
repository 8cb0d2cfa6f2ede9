//! The one rule for what a person can see; every reader of the product uses it.

use drawbridge_protocol::reader::flags;

/// Whether a person can see the element: it takes part in rendering, `visibility` and `opacity` let it through, no
/// clipping box without room swallows it, and it lies where scrolling reaches.
///
/// An element that only passes its children through (`display: contents`) is visible when they are rendered. An empty
/// box that clips nothing is visible, too.
pub(crate) fn is_visible(bits: i32) -> bool {
    bits & flags::SEEN == flags::SEEN && bits & flags::UNSEEN == 0
}

/// Whether the element takes part in rendering at all, seen or not.
pub(crate) fn is_rendered(bits: i32) -> bool {
    bits & flags::RENDERED != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_rule_for_what_can_be_seen() {
        let plain = flags::RENDERED | flags::VISIBLE;
        let cases = [
            (plain, true, "a box"),
            (
                plain | flags::BLOCK | flags::SHADOW | flags::DISABLED | flags::IN_SHADOW,
                true,
                "any box",
            ),
            (
                plain | flags::CONTENTS,
                true,
                "display: contents inside something rendered",
            ),
            (
                flags::VISIBLE | flags::CONTENTS,
                false,
                "display: contents inside display: none",
            ),
            (0, false, "display: none"),
            (flags::VISIBLE, false, "not rendered"),
            (flags::RENDERED, false, "visibility: hidden"),
            (plain | flags::TRANSPARENT, false, "opacity: 0"),
            (plain | flags::CLIPS, false, "clipped away"),
            (plain | flags::OFF_PAGE, false, "left of the page"),
        ];
        for (bits, expected, case) in cases {
            assert_eq!(is_visible(bits), expected, "{case}");
        }
    }
}
