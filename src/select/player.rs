//! Names of players.

use deunicode::deunicode;

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
            let is_gap = |c: char| c.is_whitespace() || matches!(c, '.' | '\'' | '"' | '-');
            plain.split(is_gap).filter(|word| !word.is_empty()).map(str::to_owned).collect()
        };
        let name = match name.split_once(',') {
            Some((last, first)) => [words(first), words(last)].concat(),
            None => words(name),
        };
        Self(name.join(" "))
    }

    /// Whether the name is empty.
    #[must_use]
    pub fn is_nobody(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
