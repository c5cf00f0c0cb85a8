//! The parameters that select games: the flags of the command line without their hyphens.

use std::sync::LazyLock;

use super::{fault::Fault, parameters::Parameters};
use crate::{chess::Color, collection::PositionQuery, select::Selection};

/// The names of these parameters: those of conditions, but games that are kept have no numbers.
pub(super) static SELECTION: LazyLock<Vec<&str>> = LazyLock::new(|| {
    let conditions = Selection::CONDITIONS.iter().copied().filter(|name| is_condition(name));
    conditions.chain([FROM_POSITION]).collect()
});

/// Counts games as well that begin in a position.
const FROM_POSITION: &str = "from-position";

fn is_condition(name: &str) -> bool {
    name != "game" && Selection::CONDITIONS.contains(&name)
}

/// Which games are asked for.
pub(super) fn read_query(parameters: &Parameters) -> Result<PositionQuery, Fault> {
    Ok(PositionQuery {
        selection: read_selection(parameters)?,
        from_position: parameters.is_set(FROM_POSITION),
        ..PositionQuery::default()
    })
}

fn read_selection(parameters: &Parameters) -> Result<Selection, Fault> {
    let conditions = parameters.pairs().filter(|(name, _)| is_condition(name));
    Selection::from_conditions(conditions)
        .map_err(|fault| Fault::parameter(fault.name(), fault.reason()))
}

/// A colour by its name.
pub(super) fn read_color(parameters: &Parameters) -> Result<Option<Color>, Fault> {
    match parameters.get("color") {
        None => Ok(None),
        Some("white") => Ok(Some(Color::White)),
        Some("black") => Ok(Some(Color::Black)),
        Some(other) => {
            let reason = format_args!("expected white or black, not {other:?}");
            Err(Fault::parameter("color", reason))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::{Player, Speed};

    fn read(query: &str) -> Result<Selection, String> {
        read_query(&Parameters::read(query)).map(|query| query.selection).map_err(|f| f.text)
    }

    #[test]
    fn parameters_are_conditions() {
        let mut expected = Selection::default();
        assert_eq!(read(""), Ok(expected.clone()));
        assert_eq!(read("play=e2e4&from-position&game=x"), Ok(expected.clone()));
        expected.players = vec![Player::new("Tal, Mihail"), Player::new("Fischer")];
        expected.speeds = vec![Speed::Blitz, Speed::Rapid, Speed::Classical];
        expected.rated = Some(false);
        let query = "player=Tal,+Mihail&player=Fischer&speed=blitz,rapid&speed=classical&casual";
        assert_eq!(read(query), Ok(expected));
        assert!(read_query(&Parameters::read("from-position")).unwrap().from_position);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let fault = read("color=red&player=x").unwrap_err();
        assert_eq!(fault, "color: expected white or black, not \"red\"");
    }
}
