//! Arguments of the actions that do one thing with one element.

use super::plan::{self, Acting, Plan, Where};
use crate::act::{Action, Button, Choice, DragPoint, Modifier, Point};
use crate::error::Error;
use crate::tools::inspect::Target;

act_args! {
    /// Arguments of `click`.
    ClickArgs {
        /// Mouse button; default left.
        button: Option<Button>,
        /// Clicks, 1 (default) or 2.
        count: Option<u8>,
        /// Keys held meanwhile.
        modifiers: Option<Vec<Modifier>>,
        /// Milliseconds to go on looking for what comes of it, up to 10000.
        settle_ms: Option<u32>,
    }
}

act_args! {
    /// Arguments of `double-click`.
    DoubleClickArgs {
        /// Mouse button; default left.
        button: Option<Button>,
        /// Keys held meanwhile.
        modifiers: Option<Vec<Modifier>>,
        /// Milliseconds to go on looking for what comes of it, up to 10000.
        settle_ms: Option<u32>,
    }
}

act_args! {
    /// Arguments of `hover`.
    HoverArgs {
        /// Milliseconds to go on looking for what comes of it, up to 10000.
        settle_ms: Option<u32>,
    }
}

act_args! {
    /// Arguments of `focus`.
    FocusArgs {}
}

act_args! {
    /// Arguments of `blur`.
    BlurArgs {}
}

act_args! {
    /// Arguments of `scroll-to`.
    ScrollToArgs {}
}

act_args! {
    /// Arguments of `wheel`.
    WheelArgs {
        /// CSS px to the right.
        delta_x: Option<i32>,
        /// CSS px down.
        delta_y: Option<i32>,
    }
}

act_args! {
    /// Arguments of `fill`.
    FillArgs {
        /// Adds to the end instead of replacing; default false.
        append: Option<bool>,
        ;
        /// The whole new value; empty clears.
        value: String,
    }
}

act_args! {
    /// Arguments of `type`.
    TypeArgs {
        /// Milliseconds between keys, up to 1000.
        delay_ms: Option<u32>,
        ;
        /// What to type, key by key; a line feed presses Enter.
        text: String,
    }
}

act_args! {
    /// Arguments of `press`.
    PressArgs {
        /// Milliseconds to hold the key, up to 10000.
        hold_ms: Option<u32>,
        ;
        /// Key with modifiers: Enter, Control+A.
        key: String,
    }
}

act_args! {
    /// Arguments of `select`.
    SelectArgs {
        /// Options by value.
        values: Option<Vec<String>>,
        /// Options by label.
        labels: Option<Vec<String>>,
        /// Options by position from 0.
        indexes: Option<Vec<u32>>,
    }
}

act_args! {
    /// Arguments of `check`.
    CheckArgs {}
}

act_args! {
    /// Arguments of `uncheck`.
    UncheckArgs {}
}

act_args! {
    /// Arguments of `drag`.
    DragArgs {
        /// Where to: a target.
        #[cfg_attr(feature = "schema", schemars(schema_with = "plan::short_target"))]
        to: Option<Target>,
        /// Points in CSS px: of a drag from where it began, of pointer in the viewport.
        path: Option<Vec<Point>>,
    }
}

/// The place is the same for all; only what is planned differs.
macro_rules! acting {
    ($($name:ident => |$args:ident| $plan:expr;)+) => {$(
        impl Acting for $name {
            fn place(&self) -> Where<'_> {
                Self::place(self)
            }

            fn plan(&self) -> Result<Plan, Error> {
                let $args = self;
                $plan
            }
        }
    )+};
}

acting! {
    ClickArgs => |args| Plan::with(args.needed()?, Action::Click {
        button: args.button.unwrap_or_default(),
        count: plan::within("count", args.count, 1, 1, 2)?,
        modifiers: plan::held(args.modifiers.as_deref()),
    }).settled(args.settle_ms);
    DoubleClickArgs => |args| Plan::with(args.needed()?, Action::Click {
        button: args.button.unwrap_or_default(),
        count: 2,
        modifiers: plan::held(args.modifiers.as_deref()),
    }).settled(args.settle_ms);
    HoverArgs => |args| Plan::with(args.needed()?, Action::Hover).settled(args.settle_ms);
    FocusArgs => |args| Ok(Plan::with(args.needed()?, Action::Focus));
    BlurArgs => |args| Ok(Plan::with(args.needed()?, Action::Blur));
    ScrollToArgs => |args| Ok(Plan::with(args.needed()?, Action::ScrollTo));
    WheelArgs => |args| {
        let (delta_x, delta_y) = plan::turn(args.delta_x, args.delta_y)?;
        Ok(Plan::with(args.locator()?, Action::Wheel { delta_x, delta_y }))
    };
    FillArgs => |args| Ok(Plan::with(args.needed()?, Action::Fill {
        value: plan::text("value", &args.value)?,
        append: args.append == Some(true),
    }));
    TypeArgs => |args| Ok(Plan::with(args.locator()?, Action::Type {
        text: plan::text("text", &args.text)?,
        delay_ms: plan::within("delayMs", args.delay_ms, 0, 0, super::MAX_DELAY_MS)?,
    }));
    PressArgs => |args| Ok(Plan::with(args.locator()?, Action::Press {
        key: plan::key(&args.key)?,
        hold_ms: plan::within("holdMs", args.hold_ms, 0, 0, super::MAX_HOLD_MS)?,
    }));
    SelectArgs => |args| Ok(Plan::with(args.needed()?, Action::Select { choose: chosen(args)? }));
    CheckArgs => |args| Ok(Plan::with(args.needed()?, Action::Check { on: true }));
    UncheckArgs => |args| Ok(Plan::with(args.needed()?, Action::Check { on: false }));
    DragArgs => |args| Ok(Plan::with(args.needed()?, Action::Drag { path: way(args)? }));
}

/// The options that are meant: by one of the three, which says how.
fn chosen(args: &SelectArgs) -> Result<Vec<Choice>, Error> {
    let by = |list: &Option<Vec<String>>, choice: fn(String) -> Choice| {
        list.iter().flatten().cloned().map(choice).collect::<Vec<_>>()
    };
    let given = [
        ("values", by(&args.values, Choice::Value)),
        ("labels", by(&args.labels, Choice::Label)),
        (
            "indexes",
            args.indexes
                .iter()
                .flatten()
                .copied()
                .map(Choice::Index)
                .collect(),
        ),
    ];
    // A list of nothing is as if left out.
    let mut given = given.into_iter().filter(|(_, choices)| !choices.is_empty());
    match (given.next(), given.next()) {
        (Some((one, _)), Some((other, _))) => Err(plan::excluded(one, other)),
        (None, _) => Err(Error::argument("values", "or labels or indexes has to be there")),
        (Some((path, choices)), None) if choices.len() > super::MAX_CHOICES => Err(Error::argument(
            path,
            format!("has {} entries, at most {} go", choices.len(), super::MAX_CHOICES),
        )),
        (Some((_, choices)), None) => Ok(choices),
    }
}

/// Where a drag goes.
fn way(args: &DragArgs) -> Result<Vec<DragPoint>, Error> {
    let to = match &args.to {
        Some(to) => to.locator("to")?,
        None => None,
    };
    let path = args.path.as_deref().filter(|path| !path.is_empty());
    match (to, path) {
        (Some(_), Some(_)) => Err(plan::excluded("to", "path")),
        (Some(to), None) => Ok(vec![DragPoint::Element(Box::new(to))]),
        (None, Some(path)) => plan::points(path, 1)?
            .iter()
            // Within bounds that were checked.
            .map(|point| Ok(DragPoint::By(point.x.round() as i32, point.y.round() as i32)))
            .collect(),
        (None, None) => Err(Error::argument("to", "or path has to be there")),
    }
}
