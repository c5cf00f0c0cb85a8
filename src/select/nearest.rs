//! The names nearest to one that no game has, which is most often misspelled.

use std::fmt;

use super::player::Player;

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
}

impl fmt::Display for UnknownPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no game has a player '{}'", self.name)?;
        let quoted: Vec<String> = self.nearest.iter().map(|name| format!("'{name}'")).collect();
        match &quoted[..] {
            [] => Ok(()),
            [name] => write!(f, ": the nearest name is {name}"),
            names => write!(f, ": the nearest names are {}", names.join(", ")),
        }
    }
}

impl std::error::Error for UnknownPlayer {}

/// Finds the names nearest to one.
#[derive(Debug)]
pub struct NearestNames {
    sought: Player,
    /// Each with its distance.
    names: Vec<(usize, String)>,
}

impl NearestNames {
    /// Looks for this player.
    #[must_use]
    pub fn new(sought: Player) -> Self {
        Self { sought, names: Vec::new() }
    }

    /// Compares names of the games, of which only the best are kept.
    pub fn add(&mut self, names: impl IntoIterator<Item = impl AsRef<str>>) {
        let near = names.into_iter().filter_map(|name| {
            let name = name.as_ref();
            Some((name_distance(&self.sought, &Player::new(name))?, name.to_owned()))
        });
        let near: Vec<_> = near.collect();
        self.names.extend(near);
        self.names.sort();
        self.names.dedup();
        self.names.truncate(OFFERED);
    }

    /// The nearest names, and the name as it was typed.
    #[must_use]
    pub fn unknown(&self, name: &str) -> UnknownPlayer {
        let nearest = self.names.iter().map(|(_, name)| name.clone()).collect();
        UnknownPlayer { name: name.to_owned(), nearest }
    }
}

/// How far a name is from another, by words: a word that is there costs nothing, one that is
/// abbreviated or completed 1, another one twice the letters that differ; and each word beyond
/// those of the name costs 1. `None` if it is too far to be meant, or only by its initials near.
pub(crate) fn name_distance(sought: &Player, name: &Player) -> Option<usize> {
    let mut words: Vec<&str> = name.as_str().split(' ').filter(|word| !word.is_empty()).collect();
    let (mut sum, mut is_anchored) = (0, false);
    for word in sought.as_str().split(' ') {
        let cost = |other: &&str| match () {
            () if *other == word => 0,
            () if other.starts_with(word) || word.starts_with(other) => 1,
            () => 2 * edits(word, other),
        };
        let nearest = (0..words.len()).min_by_key(|at| cost(&words[*at]));
        let most = 2 * word.len();
        sum += nearest.map_or(most, |at| {
            let other = words.swap_remove(at);
            let cost = cost(&other).min(most);
            is_anchored |= cost < most && (other.len() > 1 || word.len() == 1);
            cost
        });
    }
    sum += words.len();
    (is_anchored && sum <= sought.as_str().len().max(3)).then_some(sum)
}

/// The letters that are inserted, deleted, replaced, or exchanged with the next one, between two
/// words.
pub(super) fn edits(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=b.len()).collect());
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

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
        ] {
            let player = Player::new(sought);
            let ranked = names
                .iter()
                .filter_map(|name| Some((name_distance(&player, &Player::new(name))?, *name)));
            assert_eq!(ranked.min().map(|(_, name)| name), nearest, "for {sought}");
        }
        assert_eq!(edits("carlsen", "calrsen"), 1);
        assert_eq!(edits("", "abc"), 3);
    }
}
