//! The roles, and what each means for names. What is written here was compared with what Chromium does, role by role.

/// Where the name of a role may come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// From its content, which also is part of the names around it.
    Content,
    /// From its author alone; its content is part of no name around it.
    Author,
    /// It has none from its content, which is part of the names around it all the same.
    Passing,
}

macro_rules! roles {
    ($($role:ident $name:literal $naming:ident)*) => {
        /// An ARIA role.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(crate) enum Role {
            $(
                #[doc = concat!("`", $name, "`.")]
                $role,
            )*
        }

        impl Role {
            /// As ARIA writes it.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$role => $name,)*
                }
            }

            /// Where its name may come from.
            pub(crate) fn naming(self) -> Naming {
                match self {
                    $(Self::$role => Naming::$naming,)*
                }
            }

            fn of_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$role),)*
                    _ => None,
                }
            }
        }
    };
}

roles! {
    Alert "alert" Author
    AlertDialog "alertdialog" Author
    Application "application" Author
    Article "article" Author
    Banner "banner" Author
    Blockquote "blockquote" Author
    Button "button" Content
    Caption "caption" Passing
    Cell "cell" Content
    Checkbox "checkbox" Content
    Code "code" Passing
    ColumnHeader "columnheader" Content
    Combobox "combobox" Author
    Comment "comment" Author
    Complementary "complementary" Author
    ContentInfo "contentinfo" Author
    Definition "definition" Passing
    Deletion "deletion" Passing
    Dialog "dialog" Author
    Document "document" Author
    Emphasis "emphasis" Passing
    Feed "feed" Author
    Figure "figure" Author
    Form "form" Author
    Generic "generic" Passing
    GraphicsDocument "graphics-document" Author
    GraphicsObject "graphics-object" Content
    GraphicsSymbol "graphics-symbol" Author
    Grid "grid" Author
    GridCell "gridcell" Content
    Group "group" Author
    Heading "heading" Content
    Img "img" Author
    Insertion "insertion" Passing
    Link "link" Content
    List "list" Passing
    Listbox "listbox" Author
    ListItem "listitem" Passing
    Log "log" Author
    Main "main" Author
    Mark "mark" Passing
    Marquee "marquee" Author
    Math "math" Content
    Menu "menu" Author
    Menubar "menubar" Author
    MenuItem "menuitem" Content
    MenuItemCheckbox "menuitemcheckbox" Content
    MenuItemRadio "menuitemradio" Content
    Meter "meter" Author
    Navigation "navigation" Author
    None "none" Passing
    Note "note" Author
    Option "option" Content
    Paragraph "paragraph" Passing
    Progressbar "progressbar" Author
    Radio "radio" Content
    RadioGroup "radiogroup" Author
    Region "region" Author
    Row "row" Author
    RowGroup "rowgroup" Author
    RowHeader "rowheader" Content
    Scrollbar "scrollbar" Author
    Search "search" Author
    Searchbox "searchbox" Author
    SectionFooter "sectionfooter" Author
    SectionHeader "sectionheader" Author
    Separator "separator" Author
    Slider "slider" Author
    SpinButton "spinbutton" Author
    Status "status" Author
    Strong "strong" Passing
    Subscript "subscript" Passing
    Suggestion "suggestion" Author
    Superscript "superscript" Passing
    Switch "switch" Content
    Tab "tab" Content
    Table "table" Author
    TabList "tablist" Author
    TabPanel "tabpanel" Author
    Term "term" Content
    Textbox "textbox" Author
    Time "time" Passing
    Timer "timer" Author
    Toolbar "toolbar" Author
    Tooltip "tooltip" Content
    Tree "tree" Author
    TreeGrid "treegrid" Author
    TreeItem "treeitem" Content
}

impl Role {
    /// The role of one token of a `role` attribute; unknown ones are none. The roles of digital publishing count as what
    /// they are kinds of.
    pub(crate) fn of_token(token: &str) -> Option<Self> {
        if token.bytes().any(|byte| byte.is_ascii_uppercase()) {
            return Self::of_token(&token.to_ascii_lowercase());
        }
        let token = match token {
            "presentation" => "none",
            "image" => "img",
            "directory" => "list",
            "doc-backlink" | "doc-biblioref" | "doc-glossref" | "doc-noteref" => "link",
            "doc-subtitle" => "heading",
            "doc-toc" | "doc-index" | "doc-pagelist" => "navigation",
            "doc-cover" => "img",
            "doc-pagebreak" => "separator",
            "doc-tip" | "doc-notice" | "doc-footnote" => "note",
            "doc-abstract"
            | "doc-acknowledgments"
            | "doc-afterword"
            | "doc-appendix"
            | "doc-bibliography"
            | "doc-chapter"
            | "doc-colophon"
            | "doc-conclusion"
            | "doc-credit"
            | "doc-credits"
            | "doc-dedication"
            | "doc-endnotes"
            | "doc-epigraph"
            | "doc-epilogue"
            | "doc-errata"
            | "doc-example"
            | "doc-foreword"
            | "doc-glossary"
            | "doc-introduction"
            | "doc-part"
            | "doc-preface"
            | "doc-prologue"
            | "doc-pullquote"
            | "doc-qna" => "region",
            other => other,
        };
        Self::of_name(token)
    }

    /// Whether it only passes its content on.
    pub(crate) fn is_transparent(self) -> bool {
        matches!(self, Self::Generic | Self::None)
    }

    /// Whether a person acts on it, whatever it is made of.
    pub(crate) fn is_interactive(self) -> bool {
        matches!(
            self,
            Self::Button
                | Self::Checkbox
                | Self::Combobox
                | Self::Link
                | Self::Listbox
                | Self::MenuItem
                | Self::MenuItemCheckbox
                | Self::MenuItemRadio
                | Self::Option
                | Self::Radio
                | Self::Searchbox
                | Self::Slider
                | Self::SpinButton
                | Self::Switch
                | Self::Tab
                | Self::Textbox
                | Self::TreeItem
        )
    }

    /// Whether names keep a space between it and what stands beside it, as Chromium's do.
    pub(crate) fn stands_apart(self) -> bool {
        (self.is_interactive() && !matches!(self, Self::Link | Self::Combobox))
            || matches!(self, Self::Tree | Self::TreeGrid | Self::Scrollbar | Self::Meter)
    }

    /// Whether it is a landmark.
    pub(crate) fn is_landmark(self) -> bool {
        matches!(
            self,
            Self::Banner
                | Self::Complementary
                | Self::ContentInfo
                | Self::Form
                | Self::Main
                | Self::Navigation
                | Self::Region
                | Self::Search
        )
    }

    /// Whether its changes are announced without it saying so.
    pub(crate) fn is_live(self) -> bool {
        matches!(
            self,
            Self::Alert | Self::Log | Self::Marquee | Self::Status | Self::Timer
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_roles_in_any_case() {
        for (token, role) in [
            ("button", Some(Role::Button)),
            ("BUTTON", Some(Role::Button)),
            ("presentation", Some(Role::None)),
            ("image", Some(Role::Img)),
            ("doc-noteref", Some(Role::Link)),
            ("doc-nothing", None),
            ("text", None),
            ("", None),
        ] {
            assert_eq!(Role::of_token(token), role, "{token}");
        }
    }
}
