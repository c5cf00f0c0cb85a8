//! What no game has: names that are most often misspelled, with those nearest to them, and
//! selections that no game can pass, since what they ask for is contradictory or has no name.

use std::{collections::BTreeSet, fmt};

use super::player::{Player, ascii_name};
use super::selection::Selection;
use crate::catalogue::{Catalogue, Query};
use crate::pgn::GameDate;
use crate::quoted::{Quoted, counted, edits};

/// The number of names that are offered for one.
const OFFERED: usize = 4;

/// A player whom no game has, and the names that may have been meant.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownPlayer {
    /// The name as it was typed.
    pub name: String,
    /// The nearest names of the games, the nearest first.
    pub nearest: Vec<String>,
    /// Whether games do have such names, those listed, which cannot be of one person.
    pub is_several: bool,
}

impl UnknownPlayer {
    /// A surname with these spellings, which cannot be of one person.
    pub(crate) fn several(name: &str, spellings: &BTreeSet<String>) -> Self {
        let nearest = Player::asked(name).contradictory_first(spellings);
        Self { name: name.to_owned(), nearest, is_several: true }
    }
}

impl fmt::Display for UnknownPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_several {
            let all = listed(&self.nearest);
            return write!(f, "'{}' is not one player: {all}; name one of them", self.name);
        }
        write!(f, "no game has a player '{}'{}", self.name, nearest("name", &self.nearest))
    }
}

impl std::error::Error for UnknownPlayer {}

/// The number of spellings of a name, and the first of them.
pub(super) fn listed<'n>(spellings: impl IntoIterator<Item = &'n String>) -> String {
    let quoted: Vec<String> = spellings.into_iter().map(|name| format!("'{name}'")).collect();
    let more = quoted.len().saturating_sub(OFFERED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let first = quoted[..quoted.len().min(OFFERED)].join(", ");
    format!("{}: {first}{more}", counted(quoted.len(), "spelling"))
}

/// The end of a message: names or words that may have been meant.
fn nearest(noun: &str, texts: &[String]) -> String {
    let quoted: Vec<String> = texts.iter().map(|text| format!("'{text}'")).collect();
    match &quoted[..] {
        [] => String::new(),
        [text] => format!(": the nearest {noun} is {text}"),
        texts => format!(": the nearest {noun}s are {}", texts.join(", ")),
    }
}

/// Finds the names nearest to one.
#[derive(Debug)]
pub struct NearestNames {
    sought: Player,
    /// Each with its distance.
    names: Vec<(usize, String)>,
}

impl NearestNames {
    /// Looks for this player.
    pub fn new(sought: Player) -> Self {
        Self { sought, names: Vec::new() }
    }

    /// Compares names of the games, of which only the best are kept.
    pub fn add(&mut self, names: impl IntoIterator<Item = impl AsRef<str>>) {
        let (sought, mut spelling) = (SoughtName::new(&self.sought), String::new());
        for name in names {
            let name = name.as_ref();
            if !sought.may_be(name.as_bytes()) {
                continue;
            }
            Player::spell(name, &mut spelling);
            let worst = self.names.last().filter(|_| self.names.len() == OFFERED);
            let most = worst.map_or(usize::MAX, |(distance, _)| *distance);
            let Some(distance) = sought.distance(&spelling, most) else { continue };
            let is_before =
                |known: &(usize, String)| (known.0, known.1.as_str()) < (distance, name);
            let at = self.names.partition_point(is_before);
            if self.names.get(at).is_none_or(|(_, known)| known != name) {
                self.names.insert(at, (distance, name.to_owned()));
                self.names.truncate(OFFERED);
            }
        }
    }

    /// The nearest names, and the name as it was typed.
    pub fn unknown(&self, name: &str) -> UnknownPlayer {
        // Beside a name with a slip or two, one that is much farther was not meant.
        let most = self.names.first().map_or(0, |(least, _)| 2 * least + 2);
        let near = self.names.iter().filter(|(distance, _)| *distance <= most);
        let nearest = near.map(|(_, name)| name.clone()).collect();
        UnknownPlayer { name: name.to_owned(), nearest, is_several: false }
    }
}

/// A player who is looked for among many names.
///
/// Of a million names nearly all are ruled out by the lengths and the letters of their words,
/// without a look at the order of the letters; memory is taken for the words of a name only.
pub(super) struct SoughtName<'s> {
    /// An initial takes what the long words have left, so the longest word is the first.
    words: Vec<Word<'s>>,
    has_initials_only: bool,
    /// A name that is farther was not meant.
    most: usize,
}

impl<'s> SoughtName<'s> {
    pub(super) fn new(player: &'s Player) -> Self {
        let mut words: Vec<Word<'s>> =
            player.as_str().as_bytes().split(|byte| *byte == b' ').map(Word::new).collect();
        words.sort_by_key(|word| std::cmp::Reverse(word.text.len()));
        let has_initials_only = words.first().is_none_or(|word| word.text.len() < 2);
        Self { words, has_initials_only, most: player.as_str().len().max(3) }
    }

    /// How far a name is, by words: a word that is there costs nothing, one that is abbreviated or
    /// completed 1 to 3, another one twice the letters that differ; and each word beyond those of
    /// the name costs 1. `None` if it is farther than `most` or too far to be meant, or no whole
    /// word is near: initials alone say little.
    fn distance(&self, name: &str, most: usize) -> Option<usize> {
        let most = most.min(self.most);
        let words = name.as_bytes().split(|byte| *byte == b' ');
        let mut words: Vec<Word<'_>> =
            words.filter(|word| !word.is_empty()).map(Word::new).collect();
        let left = self.words.get(words.len()..).unwrap_or_default();
        let least = left.iter().map(Word::most_cost).sum::<usize>()
            + words.len().saturating_sub(self.words.len());
        if least > most {
            return None;
        }
        let (mut sum, mut is_anchored) = (0, false);
        for word in &self.words {
            let mut nearest = None;
            for (at, other) in words.iter().enumerate() {
                let least = nearest.map_or(usize::MAX, |(cost, _)| cost);
                let cost = word.cost_below(other, least);
                nearest = cost.map(|cost| (cost, at)).or(nearest);
            }
            let most_cost = word.most_cost();
            sum += nearest.map_or(most_cost, |(cost, at)| {
                let other = words.swap_remove(at);
                is_anchored |=
                    word.is_meant(&other, cost / 2) || self.has_initials_only && cost < most_cost;
                cost.min(most_cost)
            });
            if sum > most {
                return None;
            }
        }
        sum += words.len();
        (is_anchored && sum <= most).then_some(sum)
    }

    /// Whether a name, as a file has it, may be near or be this one, for all that the lengths and
    /// letters of its words say: nearly all are not, and are ruled out without memory.
    pub(super) fn may_be(&self, name: &[u8]) -> bool {
        let is_meant = |word: &Word<'_>, other: &Word<'_>| {
            word.is_meant(other, word.least_edits(other))
                || word.text.len().min(other.text.len()) > 1
                    && is_abbreviated(word.text, other.text)
        };
        let mut others = ascii_name(name).map(Word::new);
        self.has_initials_only
            || !name.is_ascii()
            || others.any(|other| self.words.iter().any(|word| is_meant(word, &other)))
    }
}

/// A word of a name, with a set of its letters.
struct Word<'t> {
    text: &'t [u8],
    letters: u64,
}

impl<'t> Word<'t> {
    fn new(text: &'t [u8]) -> Self {
        let letter = |byte: &u8| 1 << (byte.to_ascii_lowercase() % 64);
        Self { text, letters: text.iter().map(letter).fold(0, |letters, letter| letters | letter) }
    }

    /// What the word costs if nothing stands for it: another initial is more than one that is
    /// completed and a word besides.
    fn most_cost(&self) -> usize {
        (2 * self.text.len()).max(3)
    }

    /// No fewer edits lead to another word: each changes the length by one at most, takes one
    /// letter away at most, and brings one at most.
    fn least_edits(&self, other: &Word<'_>) -> usize {
        let gone = (self.letters & !other.letters).count_ones();
        let come = (other.letters & !self.letters).count_ones();
        self.text.len().abs_diff(other.text.len()).max(gone.max(come) as usize)
    }

    /// What it costs that another word stands for it; `None` if that is not below a number.
    fn cost_below(&self, other: &Word<'_>, below: usize) -> Option<usize> {
        let cost = match () {
            () if self.text == other.text => 0,
            () if is_abbreviated(self.text, other.text) => completed_cost(self.text, other.text),
            () if 2 * self.least_edits(other) >= below => return None,
            () => 2 * edits(self.text, other.text),
        };
        (cost < below).then_some(cost)
    }

    /// Whether another word is meant that this number of edits leads to: with a slip in three
    /// letters at most.
    fn is_meant(&self, other: &Word<'_>, edits: usize) -> bool {
        let (a, b) = (self.text.len(), other.text.len());
        a.min(b) > 1 && edits <= (a.max(b) / 3).max(1)
    }
}

/// What it costs that one of two words is the beginning of the other: an initial is a habit, and
/// half a name (`Carl` for `Carlson`) is farther than a slip (`Carlsen`).
fn completed_cost(a: &[u8], b: &[u8]) -> usize {
    let is_initial = a.len().min(b.len()) == 1;
    if is_initial { 1 } else { a.len().abs_diff(b.len()).min(3) }
}

/// Whether one of two words begins with the other, which is an initial or not much shorter.
fn is_abbreviated(a: &[u8], b: &[u8]) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    long[..short.len()].eq_ignore_ascii_case(short)
        && (short.len() == 1 || 3 * short.len() >= long.len())
}

/// No game can pass a selection.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImpossibleSelection {
    /// The last date is before the first.
    #[error("no date is on or after {since} and on or before {until}")]
    Dates {
        /// The first date.
        since: GameDate,
        /// The last date.
        until: GameDate,
    },
    /// No opening has a name, or anything near to it.
    #[error("no opening is called {}", Quoted(.0))]
    Name(String),
    /// No opening has all of the words in its name, and one of the codes.
    #[error("no opening has these codes and words together")]
    Opening,
}

impl Selection {
    /// Checks that there can be a game that passes, as far as dates are concerned.
    ///
    /// # Errors
    ///
    /// If the last date is before the first.
    pub fn check_dates(&self) -> Result<(), ImpossibleSelection> {
        match (self.since, self.until) {
            (Some(since), Some(until)) if until.is_before(since) => {
                Err(ImpossibleSelection::Dates { since, until })
            }
            _ => Ok(()),
        }
    }

    /// Finds out what the words of openings mean to catalogues, and checks that one of these has an
    /// opening that passes. Returns the slips that were corrected, as sentences.
    ///
    /// # Errors
    ///
    /// If none has one.
    pub fn understand_openings(
        &mut self,
        catalogues: &[&Catalogue],
    ) -> Result<Vec<String>, ImpossibleSelection> {
        if !self.asks_for_opening() {
            return Ok(Vec::new());
        }
        let mut corrected = Vec::new();
        for not in &mut self.not {
            corrected.extend(not.understand_openings(catalogues)?);
        }
        for query in &mut self.openings {
            *query = query.clone().understood_by(catalogues);
            corrected.extend(query.correction());
        }
        let lines = || catalogues.iter().flat_map(|catalogue| catalogue.lines());
        if !self.asks_for_own_opening() || lines().any(|line| self.has_opening(&line.opening)) {
            return Ok(corrected);
        }
        let is_unknown = |query: &&Query| {
            !query.has_codes() && !lines().any(|line| query.matches(&line.opening))
        };
        let unknown = self.openings.iter().find(is_unknown);
        let name = |query: &Query| ImpossibleSelection::Name(query.text.clone());
        Err(unknown.map_or(ImpossibleSelection::Opening, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// How far a name is from another, by words: a word that is there costs nothing, one that is
    /// abbreviated or completed 1 to 3, another one twice the letters that differ; and each word
    /// beyond those of the name costs 1. `None` if it is too far to be meant, or no whole word is
    /// near: initials alone say little.
    fn name_distance(sought: &Player, name: &Player) -> Option<usize> {
        let mut words: Vec<&str> =
            name.as_str().split(' ').filter(|word| !word.is_empty()).collect();
        let mut sought_words: Vec<&str> = sought.as_str().split(' ').collect();
        // An initial takes what the long words have left.
        sought_words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        let has_initials_only = sought_words.first().is_none_or(|word| word.len() < 2);
        let (mut sum, mut is_anchored) = (0, false);
        for word in sought_words {
            let cost = |other: &&str| match () {
                () if *other == word => 0,
                () if is_abbreviated(word.as_bytes(), other.as_bytes()) => {
                    completed_cost(word.as_bytes(), other.as_bytes())
                }
                () => 2 * edits(word, other),
            };
            let nearest = (0..words.len()).min_by_key(|at| cost(&words[*at]));
            // Another initial is more than one that is completed and a word besides.
            let most = (2 * word.len()).max(3);
            sum += nearest.map_or(most, |at| {
                let other = words.swap_remove(at);
                let cost = cost(&other).min(most);
                is_anchored |= is_near(word, other) || has_initials_only && cost < most;
                cost
            });
        }
        sum += words.len();
        (is_anchored && sum <= sought.as_str().len().max(3)).then_some(sum)
    }

    /// Whether a word is one that was meant: abbreviated to some letters, or with a slip in three
    /// letters at most.
    fn is_near(a: &str, b: &str) -> bool {
        let (least, most) = (a.len().min(b.len()), a.len().max(b.len()));
        least > 1
            && (is_abbreviated(a.as_bytes(), b.as_bytes()) || edits(a, b) <= (most / 3).max(1))
    }

    proptest! {
        #[test]
        fn names_are_ranked_as_the_plain_form_ranks_them(
            sought in "[a-d]{1,8}( [a-d]{1,8}){0,3}",
            names in prop::collection::vec("[a-dA-D]{1,9}([ ,][a-dA-D]{1,9}){0,3}", 0..40),
        ) {
            let player = Player::new(&sought);
            let ranked = names.iter().filter_map(|name| {
                Some((name_distance(&player, &Player::new(name))?, name.clone()))
            });
            let mut ranked: Vec<_> = ranked.collect();
            ranked.sort();
            ranked.dedup();
            ranked.truncate(OFFERED);
            let mut nearest = NearestNames::new(player);
            nearest.add(&names);
            prop_assert_eq!(nearest.names, ranked);
        }

        #[test]
        fn a_name_that_is_asked_for_is_never_ruled_out(
            asked in "[ab]{0,3}([ ,.'\u{e9}][abAB]{1,3}){0,2}",
            first in "([abAB\u{e9}]{0,3}[ ,.]){0,3}",
        ) {
            let player = Player::asked(&asked);
            for name in [format!("{asked},{first}"), format!("{first}{asked}"), first] {
                let may_be = SoughtName::new(&player).may_be(name.as_bytes());
                prop_assert!(may_be || !player.is_named(name.as_bytes()), "{}", name);
            }
        }
    }

    #[test]
    fn the_nearest_name_is_the_one_that_was_meant() {
        let names = [
            "Fischer, Robert James",
            "Byrne, Donald",
            "Byrne, Robert E",
            "Spassky, Boris V",
            "DrNykterstein",
            "Gaprindashvili, Nona",
            "Petrosian, Tigran V",
            "Tal, Mihail",
            "Alekseenko,K",
            "Acor,C",
            "Karpov,A",
            "Carlsen,M",
            "Pilnick,Carl",
            "Dr-CRO",
            "Lastin,A",
        ];
        for (sought, nearest) in [
            ("Fisher, Bobby", Some("Fischer, Robert James")),
            ("Fischer", Some("Fischer, Robert James")),
            ("donlad byrne", Some("Byrne, Donald")),
            ("Byrne, R.", Some("Byrne, Robert E")),
            ("drnikterstein", Some("DrNykterstein")),
            ("Mikhail Tal", Some("Tal, Mihail")),
            ("Petrosjan, Tigran", Some("Petrosian, Tigran V")),
            ("Zukertort", None),
            ("Karpow", Some("Karpov,A")),
            ("Carlsenn", Some("Carlsen,M")),
            ("carlson", Some("Carlsen,M")),
            ("DrNykterstien", Some("DrNykterstein")),
            ("Aronain,L", None),
        ] {
            let player = Player::new(sought);
            let ranked = names
                .iter()
                .filter_map(|name| Some((name_distance(&player, &Player::new(name))?, *name)));
            assert_eq!(ranked.min().map(|(_, name)| name), nearest, "for {sought}");
        }
        let mut nearest = NearestNames::new(Player::new("Aronain,L"));
        nearest.add(["Lastin,A", "Aronian,L", "Aronin,Lev", "Baron,Lior", "Aramyan,L"]);
        assert_eq!(nearest.unknown("Aronain,L").nearest, ["Aronian,L", "Aronin,Lev"]);
        assert_eq!(edits("carlsen", "calrsen"), 1);
        assert_eq!(edits("", "abc"), 3);
    }

    #[test]
    fn spellings_that_contradict_each_other_come_first() {
        let spellings =
            ["Anand", "Anand, V", "Anand, V.", "Anand, Vi", "Anand, Viswanathan", "Anand, Zed"];
        let several = UnknownPlayer::several("Anand", &spellings.map(str::to_owned).into());
        assert_eq!(
            several.to_string(),
            "'Anand' is not one player: 6 spellings: 'Anand, Zed', 'Anand, V', 'Anand, V.', \
             'Anand, Vi' and 2 more; name one of them"
        );
    }

    #[test]
    fn what_no_game_can_pass_is_named() {
        let catalogue = Catalogue::builtin();
        for (since, until, is_possible) in [
            ("2021", "2021", true),
            ("2021-05", "2021", true),
            ("2021", "2021-05", true),
            ("2021-06", "2021-05", false),
            ("2022", "2021", false),
        ] {
            let selection = Selection {
                since: Some(since.parse().unwrap()),
                until: Some(until.parse().unwrap()),
                ..Selection::default()
            };
            assert_eq!(selection.check_dates().is_ok(), is_possible, "{since} to {until}");
        }
        for (eco, openings, reason) in [
            ("", &["najdorf"][..], ""),
            ("", &["sicillian", "french"], ""),
            ("B9", &["english attack"], ""),
            ("", &["sicillian"], ""),
            ("", &["sicilian zzyzx"], "no opening is called 'sicilian zzyzx'"),
            ("", &["najdorf caro"], "no opening is called 'najdorf caro'"),
            ("C", &["najdorf"], "no opening has these codes and words together"),
        ] {
            let selection = Selection {
                eco: (!eco.is_empty()).then(|| Query::new(eco)),
                openings: openings.iter().map(|words| Query::new(words)).collect(),
                ..Selection::default()
            };
            let found = selection.clone().understand_openings(&[catalogue]);
            let found = found.map(drop);
            let found = found.err().map(|error| error.to_string()).unwrap_or_default();
            assert_eq!(found, reason, "{eco} {openings:?}");
        }
    }
}
