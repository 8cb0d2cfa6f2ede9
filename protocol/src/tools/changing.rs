//! What every call takes that changes a page.

/// A struct of arguments with what every call takes that changes a page. A field without `Option` is required.
macro_rules! change_args {
    ($(#[$meta:meta])* $name:ident {
        $($(#[$about:meta])* $field:ident: Option<$type:ty>,)*
        $(; $($(#[$needed_about:meta])* $needed:ident: $needed_type:ty,)*)?
    }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        pub struct $name {
            /// Which session; may be left out when you have exactly one.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub session: Option<crate::ids::SessionId>,
            /// Which tab; default the session's current one.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub tab: Option<crate::ids::TabId>,
            /// Only if the tab still shows this document, else `stale_ref`.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub document: Option<crate::ids::DocumentId>,
            $($(#[$about])* #[serde(default, skip_serializing_if = "Option::is_none")] pub $field: Option<$type>,)*
            $($($(#[$needed_about])* pub $needed: $needed_type,)*)?
            /// A word of yours; the same one again gives the first outcome and acts no second time.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub request_id: Option<String>,
            /// Deadline in milliseconds.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            pub timeout_ms: Option<u64>,
        }

        impl $name {
            /// Where it is to be done.
            pub fn place(&self) -> crate::tools::interact::Where<'_> {
                crate::tools::interact::Where {
                    session: self.session.as_ref(),
                    tab: self.tab.as_ref(),
                    document: self.document.as_ref(),
                }
            }
        }
    };
}

/// As `change_args`, for what is done with an element.
macro_rules! act_args {
    ($(#[$meta:meta])* $name:ident {
        $($(#[$about:meta])* $field:ident: Option<$type:ty>,)*
        $(; $($(#[$needed_about:meta])* $needed:ident: $needed_type:ty,)*)?
    }) => {
        change_args! {
            $(#[$meta])* $name {
                /// Which element: a ref such as e12, a CSS selector, or an object such as {role, name}.
                target: Option<crate::tools::inspect::Target>,
                /// Same as target.
                r#ref: Option<String>,
                /// Same as target.
                selector: Option<String>,
                $($(#[$about])* $field: Option<$type>,)*
                $(; $($(#[$needed_about])* $needed: $needed_type,)*)?
            }
        }

        impl $name {
            /// The element that is meant, if one is named.
            ///
            /// # Errors
            /// `invalid_argument` with the path, or both paths where two arguments contradict each other.
            pub fn locator(&self) -> Result<Option<crate::page::Locator>, crate::error::Error> {
                crate::tools::inspect::locator(
                    self.target.as_ref(),
                    self.r#ref.as_deref(),
                    self.selector.as_deref(),
                )
            }

            #[allow(dead_code, reason = "some actions go without an element")]
            fn needed(&self) -> Result<Option<crate::page::Locator>, crate::error::Error> {
                crate::tools::interact::plan::needed(self.locator()?)
            }
        }
    };
}
