//! A selection in words: the names of conditions and their values, as an address or a program gives
//! them. The names are the flags of the command line without their hyphens.

use std::{fmt::Display, ops::RangeInclusive, str::FromStr};

use super::player::Player;
use super::selection::{RatingOf, Selection, TagPart, VariantName};
use crate::classify::{Question, QuestionFault};
use crate::quoted::{Quoted, meant};
use crate::{catalogue::Query, chess::Color, chess::PositionKey};

/// A condition that cannot be read. Prints as `rating: ` and the reason.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{name}: {reason}")]
pub struct ConditionFault {
    /// The name of the condition.
    pub name: String,
    /// What is wrong with its value.
    pub reason: String,
}

impl ConditionFault {
    fn new(name: &str, reason: impl Display) -> Self {
        Self { name: name.to_owned(), reason: reason.to_string() }
    }
}

/// What stands for yes and for no, as clients of web servers send it.
const YES: [&str; 6] = ["true", "True", "on", "1", "yes", ""];
const NO: [&str; 5] = ["false", "False", "off", "0", "no"];

impl Selection {
    /// The names of the conditions that [`from_conditions`](Self::from_conditions) reads.
    pub const CONDITIONS: &[&str] = &{
        let (mut names, mut at) = ([""; CONDITIONS.len()], 0);
        while at < names.len() {
            names[at] = CONDITIONS[at].0;
            at += 1;
        }
        names
    };

    /// Reads conditions by their names. A condition may occur several times where the flag of the
    /// command line may; an empty value is none. Lists are separated by commas. `not` has a
    /// condition as its value: `event=Titled Tuesday`.
    ///
    /// # Errors
    ///
    /// If a name is unknown, a value cannot be read, or conditions contradict each other.
    ///
    /// ```
    /// use eco::select::Selection;
    ///
    /// let conditions = [("player", "Tal, Mihail"), ("color", "white"), ("result", "win,draw")];
    /// assert_eq!(Selection::from_conditions(conditions)?.results.len(), 2);
    /// let fault = Selection::from_conditions([("color", "red")]).unwrap_err();
    /// assert_eq!(fault.to_string(), "color: expected white or black, not 'red'");
    /// # Ok::<(), eco::select::ConditionFault>(())
    /// ```
    pub fn from_conditions<'a>(
        conditions: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, ConditionFault> {
        let selection = Self::read_conditions(conditions)?;
        selection.check_players()?;
        Ok(selection)
    }

    /// As [`from_conditions`](Self::from_conditions), for a caller who knows whose games are meant:
    /// what goes with a player needs none.
    ///
    /// # Errors
    ///
    /// As `from_conditions`.
    pub fn read_conditions<'a>(
        conditions: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, ConditionFault> {
        let conditions = Conditions(conditions.into_iter().collect());
        if let Some((name, _)) = conditions.0.iter().find(|(n, _)| !Self::CONDITIONS.contains(n)) {
            let (near, names) =
                (meant(name, Self::CONDITIONS.iter().copied()), Self::CONDITIONS.join(", "));
            let fault = format_args!("no such condition{near}; there is {names}");
            return Err(ConditionFault::new(name, fault));
        }
        let mut selection = Self::default();
        for (name, read) in CONDITIONS {
            read(&conditions, name, &mut selection)?;
        }
        selection.from_position &= selection.asks_for_positions();
        if selection.lasting > 0
            && selection.structures.is_empty()
            && selection.materials.is_empty()
        {
            return Err(ConditionFault::new("lasting", "goes with structure or material"));
        }
        selection.check_dates().map_err(|error| ConditionFault::new("until", error))?;
        if selection.rating_of != RatingOf::Both && selection.rating.is_none() {
            return Err(ConditionFault::new("rating-of", "goes with rating"));
        }
        selection.see_from_players();
        Ok(selection)
    }

    /// What a condition leaves out that goes with a player is about the players of the selection:
    /// to be called when they change.
    pub fn see_from_players(&mut self) {
        let (players, opponents) = (&self.players, &self.opponents);
        for not in self.not.iter_mut().filter(|not| not.names_side().is_some()) {
            (not.players, not.opponents) = (players.clone(), opponents.clone());
        }
    }

    /// The name of a condition that goes with a player, and what goes with one.
    fn names_side(&self) -> Option<(&'static str, &'static str)> {
        match () {
            () if self.color.is_some() => Some(("color", "goes")),
            () if self.results.iter().any(|result| result.needs_player()) => {
                Some(("result", "win, loss and draw go"))
            }
            () if self.rating_of != RatingOf::Both => Some(("rating-of", "goes")),
            () => None,
        }
    }

    /// Checks that somebody is asked for where a condition goes with a player.
    fn check_players(&self) -> Checked<()> {
        let needs = |selection: &Self| match selection.names_side() {
            Some((name, what)) if !selection.asks_for_players() => {
                let reason = format_args!("{what} with player or against");
                Err(ConditionFault::new(name, reason))
            }
            _ => Ok(()),
        };
        needs(self)?;
        self.not.iter().try_for_each(needs)
    }
}

/// Reads the condition of a name.
type ReadCondition = fn(&Conditions<'_>, &str, &mut Selection) -> Checked<()>;

/// All conditions, in the order in which they are read.
const CONDITIONS: [(&str, ReadCondition); 24] = [
    ("player", |c, name, s| c.each(name, read_player).map(|players| s.players = players)),
    ("against", |c, name, s| c.each(name, read_player).map(|players| s.opponents = players)),
    ("color", |c, name, s| c.first(name, read_color).map(|color| s.color = color)),
    ("eco", |c, name, s| c.codes(name).map(|codes| s.eco = codes)),
    ("opening", |c, name, s| c.each(name, read_words).map(|words| s.openings = words)),
    ("result", |c, name, s| c.list(name, str::parse).map(|results| s.results = results)),
    ("since", |c, name, s| c.first(name, str::parse).map(|date| s.since = date)),
    ("until", |c, name, s| c.first(name, str::parse).map(|date| s.until = date)),
    ("rating", |c, name, s| c.first(name, parse_ratings).map(|range| s.rating = range)),
    ("rating-of", |c, name, s| {
        c.first(name, read_rating_of).map(|whose| s.rating_of = whose.unwrap_or_default())
    }),
    ("speed", |c, name, s| c.list(name, str::parse).map(|speeds| s.speeds = speeds)),
    ("rated", |c, name, s| c.answer(name).map(|rated| s.rated = rated)),
    ("event", |c, name, s| c.texts(name, TagPart::new).map(|parts| s.events = parts)),
    ("site", |c, name, s| c.texts(name, TagPart::new).map(|parts| s.sites = parts)),
    ("variant", |c, name, s| c.texts(name, VariantName::new).map(|names| s.variants = names)),
    ("game", |c, name, s| c.list(name, parse_numbers).map(|numbers| s.games = numbers)),
    ("tag", |c, name, s| c.each(name, read_tag).map(|tags| s.tags = tags)),
    ("min-plies", |c, name, s| {
        c.first(name, str::parse).map(|plies| s.min_plies = plies.unwrap_or_default())
    }),
    ("position", |c, name, s| c.each(name, read_position).map(|keys| s.positions = keys)),
    ("from-position", |c, name, s| {
        c.answer(name).map(|answer| s.from_position = answer.unwrap_or_default())
    }),
    ("structure", |c, name, s| c.each(name, str::parse).map(|found| s.structures = found)),
    ("material", |c, name, s| c.each(name, str::parse).map(|found| s.materials = found)),
    ("lasting", |c, name, s| {
        c.first(name, str::parse).map(|plies| s.lasting = plies.unwrap_or_default())
    }),
    ("not", |c, name, s| c.each(name, read_not).map(|not| s.not = not)),
];

/// Names and values, in their order.
struct Conditions<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Conditions<'a> {
    /// All values of a condition; empty ones are none.
    fn all(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let values =
            self.0.iter().filter(move |(other, _)| *other == name).map(|(_, value)| *value);
        values.filter(|value| !value.is_empty())
    }

    /// Yes or no, or neither.
    fn answer(&self, name: &str) -> Checked<Option<bool>> {
        let first = self.0.iter().find(|(other, _)| *other == name);
        match first {
            None => Ok(None),
            Some((_, value)) if YES.contains(value) => Ok(Some(true)),
            Some((_, value)) if NO.contains(value) => Ok(Some(false)),
            Some((_, value)) => Err(ConditionFault::new(name, expected("yes or no", value))),
        }
    }

    /// What is made of any text.
    fn texts<T>(&self, name: &str, made: fn(&str) -> T) -> Checked<Vec<T>> {
        Ok(self.all(name).map(made).collect())
    }

    fn each<T, E: Display>(&self, name: &str, read: ReadValue<T, E>) -> Checked<Vec<T>> {
        read_all(name, self.all(name), read)
    }

    fn first<T, E: Display>(&self, name: &str, read: ReadValue<T, E>) -> Checked<Option<T>> {
        Ok(read_all(name, self.all(name).take(1), read)?.pop())
    }

    fn list<T, E: Display>(&self, name: &str, read: ReadValue<T, E>) -> Checked<Vec<T>> {
        read_all(name, self.items(name), read)
    }

    /// The items of a list, separated by commas or in several values.
    fn items(&self, name: &str) -> impl Iterator<Item = &'a str> {
        self.all(name).flat_map(|value| value.split(',')).map(str::trim).filter(|v| !v.is_empty())
    }

    fn codes(&self, name: &str) -> Checked<Option<Query>> {
        let codes: Vec<&str> = self.items(name).collect();
        for text in &codes {
            Query::from_codes(text).map_err(|error| {
                ConditionFault::new(name, format_args!("{error}, not {}", Quoted(text)))
            })?;
        }
        Ok((!codes.is_empty()).then(|| Query::new(&codes.join(" "))))
    }
}

type ReadValue<T, E = String> = fn(&str) -> Result<T, E>;
type Checked<T> = Result<T, ConditionFault>;

fn read_all<'a, T, E: Display>(
    name: &str,
    values: impl Iterator<Item = &'a str>,
    read: ReadValue<T, E>,
) -> Checked<Vec<T>> {
    let fail = |reason| ConditionFault::new(name, reason);
    values.map(|value| read(value).map_err(fail)).collect()
}

fn read_player(text: &str) -> Result<Player, String> {
    let player = Player::asked(text);
    if player.is_nobody() { Err("expected the name of a player".to_owned()) } else { Ok(player) }
}

/// Reads `white` or `black`.
pub(crate) fn read_color(text: &str) -> Result<Color, String> {
    match text {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        other => Err(expected("white or black", other)),
    }
}

fn read_words(text: &str) -> Result<Query, String> {
    let query = Query::new(text);
    if query.is_empty() { Err(expected("words or codes", text)) } else { Ok(query) }
}

fn read_rating_of(text: &str) -> Result<RatingOf, String> {
    match text {
        "player" => Ok(RatingOf::Player),
        "opponent" => Ok(RatingOf::Opponent),
        other => Err(expected("player or opponent", other)),
    }
}

fn read_tag(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(expected("NAME=VALUE, such as Round=1.2", text)),
    }
}

fn read_position(text: &str) -> Result<PositionKey, QuestionFault> {
    Ok(text.parse::<Question>()?.key())
}

fn read_not(text: &str) -> Result<Selection, String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    if matches!(name, "not" | "from-position") || value.is_empty() && name != "rated" {
        return Err(expected("NAME=VALUE, such as event='Titled Tuesday'", text));
    }
    Selection::read_conditions([(name, value)]).map_err(|fault| fault.to_string())
}

/// Says what was expected in the place of a text.
pub(crate) fn expected(what: &str, found: &str) -> String {
    format!("expected {what}, not {}", Quoted(found))
}

/// The text is not a range of what was expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found {}", Quoted(.found))]
pub struct ParseRangeError {
    found: String,
    expected: &'static str,
}

/// Reads a range of ratings: `2000..2400`, `2000..` or `..2400`. Both ends are included.
///
/// # Errors
///
/// If the text is something else, or no number is in the range.
pub fn parse_ratings(text: &str) -> Result<RangeInclusive<u16>, ParseRangeError> {
    let read = || {
        let (first, last) = text.split_once("..")?;
        if first.trim().is_empty() && last.trim().is_empty() {
            return None;
        }
        range(number_or(first, 0)?, number_or(last, u16::MAX)?)
    };
    let expected = "the lowest and the highest rating, such as 2000..2400, or one of them";
    read().ok_or_else(|| ParseRangeError { found: text.to_owned(), expected })
}

/// Reads numbers of games: `7`, `7-12`, or `7-` for all from there on. They begin with 1.
///
/// # Errors
///
/// If the text is something else, or no number is in the range.
pub fn parse_numbers(text: &str) -> Result<RangeInclusive<u64>, ParseRangeError> {
    let read = || {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let first = number_or(first, 0).filter(|first| *first > 0)?;
        range(first, number_or(last, u64::MAX)?)
    };
    let expected = "N, N-M or N-, such as 7-12";
    read().ok_or_else(|| ParseRangeError { found: text.to_owned(), expected })
}

fn range<T: PartialOrd>(first: T, last: T) -> Option<RangeInclusive<T>> {
    (first <= last).then_some(first..=last)
}

/// Reads digits; no text is `absent`.
fn number_or<T: FromStr>(text: &str, absent: T) -> Option<T> {
    let text = text.trim();
    match text.bytes().all(|byte| byte.is_ascii_digit()) {
        true if text.is_empty() => Some(absent),
        true => text.parse().ok(),
        false => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::select::{GameResult, Speed, WantedResult};

    #[test]
    fn each_condition_sets_its_field() {
        let mut expected = Selection::default();
        assert_eq!(Selection::from_conditions([]), Ok(expected.clone()));
        let empty = [("player", ""), ("speed", ""), ("from-position", "false"), ("since", "")];
        assert_eq!(Selection::from_conditions(empty), Ok(expected.clone()));
        expected.players = vec![Player::asked("Tal, Mihail"), Player::asked("Fischer")];
        expected.opponents = vec![Player::asked("Byrne")];
        expected.color = Some(Color::Black);
        expected.eco = Some(Query::new("B9 C00-C19"));
        expected.openings = vec![Query::new("najdorf"), Query::new("french")];
        expected.results = vec![WantedResult::Win, WantedResult::Is(GameResult::Draw)];
        expected.since = Some("1956-10".parse().unwrap());
        expected.until = Some("1970".parse().unwrap());
        expected.rating = Some(2400..=2600);
        expected.rating_of = RatingOf::Opponent;
        expected.speeds = vec![Speed::Blitz, Speed::Rapid, Speed::Classical];
        expected.rated = Some(false);
        expected.events = vec![TagPart::new("open")];
        expected.sites = vec![TagPart::new("zurich")];
        expected.variants = vec![VariantName::new("standard")];
        expected.games = vec![1..=7, 9..=9];
        expected.tags = vec![("Round".into(), "1.2".into()), ("A".into(), String::new())];
        expected.min_plies = 20;
        expected.positions = ["e4 e5", "f4 d5 g3"].map(|m| read_position(m).unwrap()).to_vec();
        expected.from_position = true;
        let structures = ["8/?/?/3p4/?/?/?/8", "8/8/8/8/8/8/8/8"];
        expected.structures = structures.map(|text| text.parse().unwrap()).to_vec();
        expected.materials = ["KRPvKR", "KPk"].map(|text| text.parse().unwrap()).to_vec();
        expected.lasting = 3;
        let players = (expected.players.clone(), expected.opponents.clone());
        expected.not = vec![
            Selection { events: vec![TagPart::new("titled tuesday")], ..Selection::default() },
            Selection { rated: Some(true), ..Selection::default() },
            Selection {
                players: players.0,
                opponents: players.1,
                results: vec![WantedResult::Loss],
                ..Selection::default()
            },
        ];
        let conditions = [
            ("player", "Tal, Mihail"),
            ("player", "Fischer"),
            ("against", "Byrne"),
            ("color", "black"),
            ("eco", "B9,C00-C19"),
            ("opening", "najdorf"),
            ("opening", "french"),
            ("result", "win,1/2-1/2"),
            ("since", "1956-10"),
            ("until", "1970"),
            ("rating", "2400..2600"),
            ("rating-of", "opponent"),
            ("speed", "blitz,rapid"),
            ("speed", "classical"),
            ("rated", "no"),
            ("event", "Open"),
            ("site", "Zürich"),
            ("variant", "Standard"),
            ("game", "1-7,9"),
            ("tag", "Round=1.2"),
            ("tag", "A="),
            ("min-plies", "20"),
            ("position", "1.e4,e5"),
            ("position", "1. f4 d5 2. g3"),
            ("from-position", ""),
            ("structure", "8/?/?/...p..../?/?/?/8"),
            ("structure", "8/8/8/8/8/8/8/8"),
            ("material", "KPR v KR"),
            ("material", "KPk"),
            ("lasting", "3"),
            ("not", "event=Titled Tuesday"),
            ("not", "rated"),
            ("not", "result=loss"),
        ];
        assert_eq!(Selection::from_conditions(conditions), Ok(expected));
        for name in Selection::CONDITIONS {
            assert!(conditions.iter().any(|(tried, _)| tried == name), "{name} is not tried");
        }
        assert_eq!(Selection::from_conditions([("rated", "1")]).unwrap().rated, Some(true));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (conditions, text) in [
            (
                &[("colour", "white")][..],
                "colour: no such condition (did you mean 'color'?); there is player, against, ",
            ),
            (&[("player", ",")], "player: expected the name of a player"),
            (&[("color", "red")], "color: expected white or black, not 'red'"),
            (&[("color", "white")], "color: goes with player or against"),
            (
                &[("eco", "najdorf")],
                "eco: expected a code such as B90, B9 or B, or a range such as B90-B99, ",
            ),
            (&[("eco", "B20-A10")], "eco: B20-A10 ends before it begins; expected A10-B20"),
            (
                &[("since", "2022"), ("until", "2021")],
                "until: no date is on or after 2022 and on or before 2021",
            ),
            (&[("opening", "-")], "opening: expected words or codes, not '-'"),
            (&[("result", "2-0")], "result: not a result"),
            (&[("result", "win")], "result: win, loss and draw go with player or against"),
            (&[("since", "soon")], "since: not a date"),
            (&[("rating", "x")], "rating: "),
            (&[("game", "x")], "game: "),
            (
                &[("rating", "2000.."), ("rating-of", "him")],
                "rating-of: expected player or opponent",
            ),
            (&[("rating-of", "player"), ("player", "x")], "rating-of: goes with rating"),
            (
                &[("rating", "2000.."), ("rating-of", "player")],
                "rating-of: goes with player or against",
            ),
            (&[("speed", "fast")], "speed: not a speed"),
            (&[("rated", "perhaps")], "rated: expected yes or no, not 'perhaps'"),
            (&[("position", "e5")], "position: "),
            (&[("not", "color=black")], "color: goes with player or against"),
            (&[("not", "event")], "not: expected NAME=VALUE, such as event='Titled Tuesday'"),
            (&[("not", "speed=fast")], "not: speed: not a speed"),
            (&[("not", "not=rated")], "not: expected NAME=VALUE"),
            (&[("tag", "Round")], "tag: expected NAME=VALUE, such as Round=1.2, not 'Round'"),
            (&[("min-plies", "-1")], "min-plies: "),
            (&[("structure", "8/8")], "structure: expected the pawns of eight ranks, as in FEN"),
            (&[("material", "KR")], "material: expected the pieces of both sides, such as KRPvKR"),
            (&[("lasting", "4"), ("position", "e4")], "lasting: goes with structure or material"),
        ] {
            let fault = Selection::from_conditions(conditions.iter().copied()).unwrap_err();
            assert!(fault.to_string().starts_with(text), "{conditions:?}: {fault}");
        }
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in ["", "..", "2400..2000", "2000", "a..b", "-1..2", "1...2", "..70000", "+1..2"] {
            assert!(parse_ratings(text).is_err(), "{text:?}");
        }
        for text in ["", "-", "0", "0-3", "-3", "3-2", "a", "1-2-3", "1..2", "+1"] {
            assert!(parse_numbers(text).is_err(), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn ranges_hold_what_lies_between_their_ends(a: u16, b: u16, n: u16) {
            let (min, max) = (a.min(b), a.max(b));
            let is_in = |text: String| parse_ratings(&text).unwrap().contains(&n);
            prop_assert_eq!(is_in(format!("{min}..{max}")), min <= n && n <= max);
            prop_assert_eq!(is_in(format!(" {min} .. ")), min <= n);
            prop_assert_eq!(is_in(format!("..{max}")), n <= max);
            let (first, last, n) = (u64::from(min) + 1, u64::from(max) + 1, u64::from(n));
            let is_in = |text: String| parse_numbers(&text).unwrap().contains(&n);
            prop_assert_eq!(is_in(format!("{first}-{last}")), first <= n && n <= last);
            prop_assert_eq!(is_in(format!("{first}-")), first <= n);
            prop_assert_eq!(is_in(format!("{first}")), first == n);
        }
    }
}
