//! Selections that no game can pass, since what they ask for is contradictory or has no name.

use super::{nearest::edits, selection::Selection};
use crate::{
    catalogue::{Catalogue, Query, begins},
    pgn::GameDate,
};

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
    /// No opening has a word in its name.
    #[error("no opening has '{word}' in its name{}", nearest_words(nearest))]
    Word {
        /// The word, in the form in which words are compared.
        word: String,
        /// The words of names that may have been meant.
        nearest: Vec<String>,
    },
    /// No opening has all of the words in its name, and one of the codes.
    #[error("no opening has these codes and words together")]
    Opening,
}

/// The number of words that are offered for one.
const OFFERED: usize = 3;

fn nearest_words(nearest: &[String]) -> String {
    let quoted: Vec<String> = nearest.iter().map(|word| format!("'{word}'")).collect();
    match &quoted[..] {
        [] => String::new(),
        [word] => format!(": the nearest word is {word}"),
        words => format!(": the nearest words are {}", words.join(", ")),
    }
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

    /// Checks that one of the catalogues has an opening that passes.
    ///
    /// # Errors
    ///
    /// If none has one.
    pub fn check_openings(&self, catalogues: &[&Catalogue]) -> Result<(), ImpossibleSelection> {
        let mut lines = catalogues.iter().flat_map(|catalogue| catalogue.lines());
        if !self.asks_for_opening() || lines.any(|line| self.has_opening(&line.opening)) {
            return Ok(());
        }
        let unknown = self.openings.iter().find_map(|query| unknown_word(query, catalogues));
        Err(unknown.unwrap_or(ImpossibleSelection::Opening))
    }
}

/// The first word of a search that no name has.
fn unknown_word(query: &Query, catalogues: &[&Catalogue]) -> Option<ImpossibleSelection> {
    let known: Vec<String> = catalogues.iter().flat_map(|catalogue| catalogue.words()).collect();
    let is_unknown = |word: &&String| !known.iter().any(|other| begins(other, word));
    let word = query.words().iter().find(is_unknown)?;
    let near = known.iter().filter_map(|other| {
        let distance = edits(word, other);
        (distance <= word.len() / 3).then_some((distance, other))
    });
    let mut near: Vec<_> = near.collect();
    near.sort();
    near.dedup();
    let nearest = near.into_iter().take(OFFERED).map(|(_, word)| word.clone()).collect();
    Some(ImpossibleSelection::Word { word: word.clone(), nearest })
}

#[cfg(test)]
mod tests {
    use super::*;

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
            (
                "",
                &["sicillian"],
                "no opening has 'sicillian' in its name: the nearest word is 'sicilian'",
            ),
            ("", &["sicilian zzyzx"], "no opening has 'zzyzx' in its name"),
            ("", &["najdorf caro"], "no opening has these codes and words together"),
            ("C", &["najdorf"], "no opening has these codes and words together"),
        ] {
            let selection = Selection {
                eco: (!eco.is_empty()).then(|| Query::new(eco)),
                openings: openings.iter().map(|words| Query::new(words)).collect(),
                ..Selection::default()
            };
            let found = selection.check_openings(&[catalogue]);
            let found = found.err().map(|error| error.to_string()).unwrap_or_default();
            assert_eq!(found, reason, "{eco} {openings:?}");
        }
    }
}
