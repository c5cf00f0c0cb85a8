//! Names of players.

use std::{borrow::Cow, cmp::Reverse, collections::BTreeSet};

use deunicode::deunicode;

use crate::pgn::decode_text;

/// The name of a player, in one spelling: without capitals, accents and punctuation, first names
/// first. `Carlsen, Magnus` is `magnus carlsen`; an abbreviated name stays a different one.
///
/// ```
/// use eco::select::Player;
///
/// assert_eq!(Player::new("Grünfeld, Ernst"), Player::new("ernst grunfeld"));
/// assert_ne!(Player::new("Grünfeld, E."), Player::new("Ernst Grünfeld"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Player {
    name: String,
    /// Whether any first names may be added.
    is_surname: bool,
}

impl Player {
    /// The player of this name.
    pub fn new(name: &str) -> Self {
        let mut spelling = String::new();
        Self::spell(name, &mut spelling);
        Self { name: spelling, is_surname: false }
    }

    /// The player who is asked for by this name. One word is a surname, in every spelling that
    /// games have of it: [`People`](super::People) says whether they can be of one person.
    ///
    /// ```
    /// use eco::select::Player;
    ///
    /// let player = Player::asked("Carlsen");
    /// assert!(player.is_named(b"Carlsen,M") && player.is_named(b"Magnus Carlsen"));
    /// assert!(!Player::asked("Carlsen, Magnus").is_named(b"Carlsen,M"));
    /// ```
    pub fn asked(name: &str) -> Self {
        let is_surname = !name.trim().contains([' ', ',']);
        Self { is_surname, ..Self::new(name) }
    }

    /// Whether the name is a surname, which several may have.
    pub fn is_surname(&self) -> bool {
        self.is_surname
    }

    /// The first names of a player with this surname.
    fn first_names<'n>(&self, name: &'n Self) -> Option<Vec<&'n str>> {
        let first = name.name.strip_suffix(&self.name)?;
        (first.is_empty() || first.ends_with(' ')).then(|| first.split_whitespace().collect())
    }

    /// Whether two players with this surname cannot be one person.
    fn tells_apart(&self, a: &Self, b: &Self) -> bool {
        let both = self.first_names(a).zip(self.first_names(b));
        both.is_some_and(|(a, b)| !are_compatible(&a, &b))
    }

    /// Whether all spellings of this surname can be of one person.
    pub(crate) fn are_one(&self, spellings: &BTreeSet<String>) -> bool {
        let players: Vec<Self> = spellings.iter().map(|name| Self::new(name)).collect();
        let mut pairs = players.iter().flat_map(|a| players.iter().map(move |b| (a, b)));
        pairs.all(|(a, b)| !self.tells_apart(a, b))
    }

    /// The spellings of this surname, those first that cannot be of one person: the one that
    /// contradicts most others, and those others.
    pub(crate) fn contradictory_first(&self, spellings: &BTreeSet<String>) -> Vec<String> {
        let player = |name: &String| (Self::new(name), name.clone());
        let mut players: Vec<(Self, String)> = spellings.iter().map(player).collect();
        let contradictions =
            |a: &Self| players.iter().filter(|(b, _)| self.tells_apart(a, b)).count();
        let worst = players.iter().min_by_key(|(player, _)| Reverse(contradictions(player)));
        let worst = worst.map(|(player, _)| player.clone());
        players.sort_by_key(|(player, _)| {
            worst.as_ref().map(|worst| (player != worst, !self.tells_apart(worst, player)))
        });
        players.into_iter().map(|(_, name)| name).collect()
    }

    /// Whether a player of this name, as a file has it, is meant: the same as comparing with
    /// [`new`](Self::new), but without memory for most names.
    pub fn is_named(&self, name: &[u8]) -> bool {
        if self.is_surname {
            let is_possible = self.may_end(name);
            return is_possible && self.first_names(&Self::new(&decode_text(name))).is_some();
        }
        if !name.is_ascii() {
            return self.name == Self::new(&decode_text(name)).name;
        }
        let words = ascii_name(name);
        let mut own =
            self.name.as_bytes().split(|byte| *byte == b' ').filter(|word| !word.is_empty());
        let are_same =
            words.into_iter().all(|word| own.next().is_some_and(|o| o.eq_ignore_ascii_case(word)));
        are_same && own.next().is_none()
    }

    /// Whether a name, as a file has it, may be another spelling of this one. It has the same last
    /// word, and the first names differ only as far as one abbreviates the other or is left out.
    ///
    /// ```
    /// use eco::select::Player;
    ///
    /// let player = Player::new("Carlsen, Magnus");
    /// assert!(player.may_be(b"Carlsen,M") && player.may_be(b"Carlsen"));
    /// assert!(!player.may_be(b"Carlsen, Henrik") && !player.may_be(b"magnus carlsen"));
    /// ```
    pub fn may_be(&self, name: &[u8]) -> bool {
        if !self.may_end(name) {
            return false;
        }
        let other = Self::new(&decode_text(name));
        let words: Vec<&str> = self.name.split(' ').collect();
        let other_words: Vec<&str> = other.name.split(' ').collect();
        let ([first @ .., last], [other_first @ .., other_last]) = (&words[..], &other_words[..])
        else {
            return false;
        };
        self.name != other.name && last == other_last && are_compatible(first, other_first)
    }

    /// Whether a name may end with the last word of this one. Nearly all do not, and are ruled out
    /// without memory.
    fn may_end(&self, name: &[u8]) -> bool {
        let last =
            name.split(|byte| *byte == b',').next().and_then(|last| ascii_words(last).next_back());
        let own_last = self.name.rsplit(' ').next().unwrap_or_default();
        !name.is_ascii() || last.is_none_or(|last| own_last.as_bytes().eq_ignore_ascii_case(last))
    }

    /// The name in the spelling that is compared: `magnus carlsen`.
    pub fn as_str(&self) -> &str {
        &self.name
    }

    /// Writes the spelling of a name that is compared over a text: many names take no more memory
    /// than one.
    pub(super) fn spell(name: &str, spelling: &mut String) {
        spelling.clear();
        let (last, first) = name.split_once(',').unwrap_or((name, ""));
        for part in [first, last] {
            let part = if part.is_ascii() { Cow::Borrowed(part) } else { deunicode(part).into() };
            for word in ascii_words(part.as_bytes()) {
                let gap = if spelling.is_empty() { "" } else { " " };
                spelling.push_str(gap);
                spelling.extend(word.iter().map(|byte| char::from(byte.to_ascii_lowercase())));
            }
        }
    }

    /// Whether the name is empty.
    pub fn is_nobody(&self) -> bool {
        self.name.is_empty()
    }
}

/// Whether first names are of one person: they differ only as far as one abbreviates the other or
/// is left out.
fn are_compatible(first: &[&str], other: &[&str]) -> bool {
    let mut pairs = first.iter().zip(other);
    pairs.all(|(a, b)| a.starts_with(b) || b.starts_with(a))
        || first.ends_with(other)
        || other.ends_with(first)
}

/// Whether a character separates the words of a name.
fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, '.' | '\'' | '"' | '-')
}

/// The words of a name, first names first.
pub(super) fn ascii_name(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let comma = name.iter().position(|byte| *byte == b',');
    let (last, first) = comma.map_or((name, &b""[..]), |at| (&name[..at], &name[at + 1..]));
    ascii_words(first).chain(ascii_words(last))
}

fn ascii_words(name: &[u8]) -> impl DoubleEndedIterator<Item = &[u8]> {
    name.split(|byte| is_gap(char::from(*byte))).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn names_in_files_are_compared_as_in_one_spelling(
            a in "[A-Ca-c ,.'\\-\u{e9}\t]{0,8}",
            b in prop_oneof!["[A-Ca-c ,.'\\-\u{e9}\t]{0,8}", any::<String>()],
        ) {
            let player = Player::new(&a);
            prop_assert_eq!(player.is_named(b.as_bytes()), player == Player::new(&b));
            prop_assert!(player.is_named(a.as_bytes()));
            let mut spelling = "before".to_owned();
            Player::spell(&b, &mut spelling);
            prop_assert_eq!(spelling, Player::new(&b).name);
        }
    }

    #[test]
    fn other_spellings_abbreviate_or_leave_out_first_names() {
        for (a, b, may_be) in [
            ("Carlsen, Magnus", "Carlsen,M", true),
            ("Carlsen, Magnus", "M. Carlsen", true),
            ("Carlsen, Magnus", "Carlsen, Sven Magnus", true),
            ("Carlsen, Magnus", "Carlsen, Magnus Oen", true),
            ("Carlsen, Magnus", "Carlsen", true),
            ("Carlsen, Magnus", "Karlsen, M", false),
            ("Carlsen, Magnus", "Carlsen, Henrik", false),
            ("Carlsen, Magnus", "Magnus CARLSEN", false),
            ("Vachier-Lagrave, Maxime", "Vachier Lagrave,M", true),
            ("Vachier-Lagrave, Maxime", "Vachier-Lagrave", true),
            ("Réti, Richard", "Reti,R", true),
            ("Polgar, Judit", "Polgar, Zsuzsa", false),
            ("DrNykterstein", "DrNykterstein2", false),
            ("DrNykterstein", "", false),
        ] {
            assert_eq!(Player::new(a).may_be(b.as_bytes()), may_be, "{a:?} and {b:?}");
            assert_eq!(Player::new(b).may_be(a.as_bytes()), may_be, "{b:?} and {a:?}");
        }
    }

    #[test]
    fn one_player_has_one_spelling() {
        for (a, b) in [
            ("Carlsen, Magnus", "magnus  CARLSEN"),
            ("Carlsen,Magnus", "Magnus Carlsen"),
            ("Grünfeld, Ernst", "Ernst Grunfeld"),
            ("O'Kelly de Galway, Alberic", "Albéric O Kelly de Galway"),
            ("DrNykterstein", "drnykterstein"),
            ("Byrne, R.", "R Byrne"),
            ("Vachier-Lagrave, Maxime", "maxime vachier lagrave"),
        ] {
            assert_eq!(Player::new(a), Player::new(b));
        }
        assert_ne!(Player::new("Carlsen, M."), Player::new("Carlsen, Magnus"));
        assert!(Player::new(" ").is_nobody());
    }
}
