//! A request as a route sees it: its parameters, and what it is answered from.

use std::{ops::RangeInclusive, str::FromStr, sync::LazyLock};

use super::{answer::Fault, database::OpenDatabase};
use crate::collection::{Cancellation, GameId, KeptGame, PositionQuery};
use crate::select::{Selection, expected};
use crate::{catalogue::Catalogue, quoted::Quoted, store::Explorer};

/// The collections behind the routes of lichess's API; all of them, if none is named.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Roles {
    /// That of `/masters`.
    pub masters: Option<String>,
    /// That of `/lichess`.
    pub lichess: Option<String>,
}

/// A request, and what it is answered from.
pub(super) struct Request<'a> {
    pub(super) parameters: Parameters,
    /// The end of the path, where that is the identity of a game.
    pub(super) id: &'a str,
    pub(super) database: &'a OpenDatabase,
    /// What names openings, in the language of the request.
    pub(super) catalogue: &'static Catalogue,
    pub(super) roles: &'a Roles,
    /// The repertoires that can be trained and edited.
    pub(super) trained: &'a [String],
    /// What ends the search for an answer that nobody waits for.
    pub(super) cancellation: &'a Cancellation,
}

impl Request<'_> {
    /// What looks in these collections for this request; no names are all of them.
    pub(super) fn explorer(&self, names: &[&str]) -> Result<Explorer, Fault> {
        Ok(self.database.explorer(names)?.until(self.cancellation))
    }

    /// What looks in the collections that the parameters name.
    pub(super) fn named_explorer(&self) -> Result<Explorer, Fault> {
        self.explorer(&self.parameters.all("collection").collect::<Vec<_>>())
    }

    /// A game, and the collection it is in.
    pub(super) fn game(&self, id: GameId) -> Result<Option<(&str, KeptGame)>, Fault> {
        for info in &self.database.collections {
            if let Some(game) = self.explorer(&[&info.name])?.game(id)? {
                return Ok(Some((&info.name, game)));
            }
        }
        Ok(None)
    }
}

/// The parameter for the language of names, which every request may have.
pub(super) const LANG: &str = "lang";

/// The names of parameters and their values, decoded, in their order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Parameters(Vec<(String, String)>);

/// What clients send for yes.
const YES: [&str; 6] = ["true", "True", "on", "1", "yes", ""];

impl Parameters {
    /// Reads the part of an address after the `?`. Bytes that are not UTF-8 become U+FFFD.
    pub(super) fn read(query: &str) -> Self {
        let pairs = form_urlencoded::parse(query.as_bytes());
        Self(pairs.map(|(name, value)| (name.into_owned(), value.into_owned())).collect())
    }

    /// The part of an address after the `?` that has these.
    pub(super) fn written<'p>(pairs: impl IntoIterator<Item = (&'p str, &'p str)>) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
    }

    /// All of them, by name and value.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The first value of a parameter; an empty one is none.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// All values of a parameter; empty ones are none.
    pub(super) fn all<'p>(&'p self, name: &str) -> impl Iterator<Item = &'p str> {
        self.values(name).filter(|value| !value.is_empty())
    }

    fn values<'p>(&'p self, name: &str) -> impl Iterator<Item = &'p str> {
        self.0.iter().filter(move |(other, _)| other == name).map(|(_, value)| value.as_str())
    }

    /// The items of a parameter, separated by commas or in several values; `None` if it is not
    /// there at all. An empty value has no items.
    pub(super) fn list(&self, name: &str) -> Option<Vec<&str>> {
        self.values(name).next()?;
        let items = self.values(name).flat_map(|value| value.split(','));
        Some(items.map(str::trim).filter(|item| !item.is_empty()).collect())
    }

    /// Whether a flag is set: it is there, with no value or with one that means yes.
    pub(super) fn is_set(&self, name: &str) -> bool {
        self.values(name).next().is_some_and(|value| YES.contains(&value))
    }

    /// A whole number.
    pub(super) fn whole<T: FromStr>(&self, name: &str) -> Result<Option<T>, Fault> {
        self.get(name).map(|value| read_whole(name, value)).transpose()
    }

    /// A number in a range; `default` if the parameter is not there.
    pub(super) fn number(
        &self,
        name: &str,
        range: RangeInclusive<usize>,
        default: usize,
    ) -> Result<usize, Fault> {
        let Some(value) = self.get(name) else { return Ok(default) };
        let number = value.parse().ok().filter(|number| range.contains(number));
        let what = || format!("{} to {}", range.start(), range.end());
        number.ok_or_else(|| Fault::parameter(name, expected(&what(), value)))
    }

    /// Checks that all parameters have one of these names, or are the [language](LANG).
    pub(super) fn check_names(&self, known: &[&[&str]]) -> Result<(), Fault> {
        let is_known = |name: &str| name == LANG || known.iter().any(|names| names.contains(&name));
        match self.0.iter().find(|(name, _)| !is_known(name)) {
            None => Ok(()),
            Some((name, _)) => {
                let known = known.concat().join(", ");
                Err(Fault::bad_request(format_args!(
                    "no parameter {}; there is {known}",
                    Quoted(name)
                )))
            }
        }
    }
}

pub(super) fn read_whole<T: FromStr>(name: &str, value: &str) -> Result<T, Fault> {
    value.parse().map_err(|_| Fault::parameter(name, expected("a whole number", value)))
}

/// The parameters that select games: the flags of the command line without their hyphens. Games
/// that are kept have no numbers.
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
    let conditions = parameters.pairs().filter(|(name, _)| is_condition(name));
    let selection = Selection::from_conditions(conditions)
        .map_err(|fault| Fault::parameter(&fault.name, fault.reason))?;
    let from_position = parameters.is_set(FROM_POSITION);
    Ok(PositionQuery { selection, from_position, ..PositionQuery::default() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::{Player, Speed};

    #[test]
    fn values_are_decoded() {
        let parameters = Parameters::read("fen=8%2F8+w&speeds=blitz,rapid&speeds=&a&b=%ff&=x");
        assert_eq!(parameters.get("fen"), Some("8/8 w"));
        assert_eq!(parameters.list("speeds"), Some(vec!["blitz", "rapid"]));
        assert_eq!(parameters.list("a"), Some(vec![]));
        assert_eq!(parameters.list("c"), None);
        assert_eq!(parameters.get("b"), Some("\u{fffd}"));
        assert!(parameters.is_set("a") && !parameters.is_set("b") && !parameters.is_set("c"));
    }

    #[test]
    fn numbers_have_a_range() {
        let parameters = Parameters::read("a=7&b=8&c=x&d=&e=-1");
        let read = |name| parameters.number(name, 0..=7, 3);
        assert_eq!((read("a"), read("d"), read("z")), (Ok(7), Ok(3), Ok(3)));
        let text = |name| read(name).unwrap_err().text;
        assert_eq!(text("b"), "b: expected 0 to 7, not '8'");
        assert_eq!(text("c"), "c: expected 0 to 7, not 'x'");
        assert_eq!(text("e"), "e: expected 0 to 7, not '-1'");
    }

    #[test]
    fn an_unknown_name_is_refused_with_those_there_are() {
        let parameters = Parameters::read("fen=x&colour=white");
        let fault = parameters.check_names(&[&["fen", "play"], &["color"]]).unwrap_err();
        assert_eq!(fault.text, "no parameter 'colour'; there is fen, play, color");
        assert_eq!(Parameters::read("play=").check_names(&[&["play"]]), Ok(()));
    }

    fn selection(query: &str) -> Result<Selection, String> {
        read_query(&Parameters::read(query)).map(|query| query.selection).map_err(|f| f.text)
    }

    #[test]
    fn parameters_are_conditions() {
        let mut expected = Selection::default();
        assert_eq!(selection(""), Ok(expected.clone()));
        assert_eq!(selection("play=e2e4&from-position&game=x"), Ok(expected.clone()));
        expected.players = vec![Player::new("Tal, Mihail"), Player::asked("Fischer")];
        expected.speeds = vec![Speed::Blitz, Speed::Rapid, Speed::Classical];
        expected.rated = Some(false);
        let query = "player=Tal,+Mihail&player=Fischer&speed=blitz,rapid&speed=classical&rated=no";
        assert_eq!(selection(query), Ok(expected));
        assert!(read_query(&Parameters::read("from-position")).unwrap().from_position);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let fault = selection("color=red&player=x").unwrap_err();
        assert_eq!(fault, "color: expected white or black, not 'red'");
    }
}
