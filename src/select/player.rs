//! Names of players.

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
pub struct Player(String);

impl Player {
    /// The player of this name.
    #[must_use]
    pub fn new(name: &str) -> Self {
        let words = |text: &str| -> Vec<String> {
            let plain = deunicode(text).to_lowercase();
            plain.split(is_gap).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        let name = match name.split_once(',') {
            Some((last, first)) => [words(first), words(last)].concat(),
            None => words(name),
        };
        Self(name.join(" "))
    }

    /// Whether a player of this name, as a file has it, is meant: the same as comparing with
    /// [`new`](Self::new), but without memory for most names.
    #[must_use]
    pub fn is_named(&self, name: &[u8]) -> bool {
        if !name.is_ascii() {
            return *self == Self::new(&decode_text(name));
        }
        let comma = name.iter().position(|byte| *byte == b',');
        let (last, first) = comma.map_or((name, &b""[..]), |at| (&name[..at], &name[at + 1..]));
        let words = ascii_words(first).chain(ascii_words(last));
        let mut own = self.0.as_bytes().split(|byte| *byte == b' ').filter(|word| !word.is_empty());
        let are_same =
            words.into_iter().all(|word| own.next().is_some_and(|o| o.eq_ignore_ascii_case(word)));
        are_same && own.next().is_none()
    }

    /// The name in the spelling that is compared: `magnus carlsen`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the name is empty.
    #[must_use]
    pub fn is_nobody(&self) -> bool {
        self.0.is_empty()
    }
}

/// Whether a character separates the words of a name.
fn is_gap(c: char) -> bool {
    c.is_whitespace() || matches!(c, '.' | '\'' | '"' | '-')
}

fn ascii_words(name: &[u8]) -> impl Iterator<Item = &[u8]> {
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
