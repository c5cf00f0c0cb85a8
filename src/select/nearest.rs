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
        // Beside a name with a slip or two, one that is much farther was not meant.
        let most = self.names.first().map_or(0, |(least, _)| 2 * least + 2);
        let near = self.names.iter().filter(|(distance, _)| *distance <= most);
        let nearest = near.map(|(_, name)| name.clone()).collect();
        UnknownPlayer { name: name.to_owned(), nearest }
    }
}

/// How far a name is from another, by words: a word that is there costs nothing, one that is
/// abbreviated or completed 1, another one twice the letters that differ; and each word beyond
/// those of the name costs 1. `None` if it is too far to be meant, or no whole word is near:
/// initials alone say little.
pub(crate) fn name_distance(sought: &Player, name: &Player) -> Option<usize> {
    let mut words: Vec<&str> = name.as_str().split(' ').filter(|word| !word.is_empty()).collect();
    let mut sought_words: Vec<&str> = sought.as_str().split(' ').collect();
    // An initial takes what the long words have left.
    sought_words.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let has_initials_only = sought_words.first().is_none_or(|word| word.len() < 2);
    let (mut sum, mut is_anchored) = (0, false);
    for word in sought_words {
        let cost = |other: &&str| match () {
            () if *other == word => 0,
            () if is_abbreviated(word, other) => 1,
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

/// Whether one of two words begins with the other, which is an initial or not much shorter.
fn is_abbreviated(a: &str, b: &str) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    long.starts_with(short) && (short.len() == 1 || 3 * short.len() >= long.len())
}

/// Whether a word is one that was meant: abbreviated to some letters, or with a slip in three
/// letters at most.
fn is_near(a: &str, b: &str) -> bool {
    let (least, most) = (a.len().min(b.len()), a.len().max(b.len()));
    least > 1 && (is_abbreviated(a, b) || edits(a, b) <= (most / 3).max(1))
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
}
