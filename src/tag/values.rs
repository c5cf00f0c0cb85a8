//! The values that the managed tags of a game should have.

use super::{
    Names, TagOptions,
    managed::{COUNT, EXTENDED, MOVE_ORDER, SOURCE, STANDARD},
};
use crate::{
    classify::NamedAt,
    opening::{EcoCode, Opening},
};

/// The value of each managed tag, by slot; `None` if the game should not have the tag.
pub(super) type Values<'w> = [Option<&'w str>; COUNT];

/// The values for a game without a name.
pub(super) const NO_VALUES: Values<'static> = [None; COUNT];

/// The values for a game with this name. `by_moves` is its name by move order; `marks` are the
/// values of `ECOSource`, by master.
pub(super) fn values<'w>(
    options: &TagOptions,
    marks: &'w [String],
    named: &NamedAt<'w>,
    by_moves: Option<&NamedAt<'w>>,
) -> Values<'w> {
    let mut values = NO_VALUES;
    let opening = named.opening();
    set_name(options.names, opening, &mut values[..STANDARD]);
    if options.extended.is_some() {
        let has_suffix = |eco: &&EcoCode| eco.as_str().len() > eco.base().len();
        values[EXTENDED] = opening.eco().filter(has_suffix).map(EcoCode::as_str);
    }
    if let (true, Some(by_moves)) = (options.with_move_order, by_moves) {
        set_name(options.names, by_moves.opening(), &mut values[MOVE_ORDER..SOURCE]);
    }
    values[SOURCE] = marks.get(named.line().master).map(String::as_str);
    values
}

/// Sets code, opening, variation and subvariation. The game loses a code that the opening does not
/// have: it is that of another.
fn set_name<'w>(names: Names, opening: &'w Opening, values: &mut [Option<&'w str>]) {
    let parts = match names {
        Names::Full => [opening.name(), "", ""],
        Names::Split => opening.lossless_parts(),
    };
    values[0] = opening.eco().map(EcoCode::base);
    for (value, part) in values[1..].iter_mut().zip(parts) {
        *value = Some(part).filter(|part| !part.is_empty());
    }
}
