//! How often each number of plies occurs.

/// Up to this number of values are kept one by one.
const FEW: usize = 32;

/// Up to this number of values are kept in place.
const FEWEST: usize = 6;

/// Greater numbers of plies count as this one. The longest game on record has 538.
const MAX: u16 = 1023;

/// Numbers of plies, and how often each occurs.
///
/// A group may have one game and there may be a million groups, so the fewest values take no memory
/// of their own.
#[derive(Debug, Clone)]
pub struct Histogram(Values);

#[derive(Debug, Clone)]
enum Values {
    Fewest(u8, [u16; FEWEST]),
    // What has more takes one more step to find, which takes less than longer groups do.
    More(Box<More>),
}

/// A number of games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Bin {
    /// The ply.
    pub plies: u64,
    /// The games.
    pub games: u64,
}

/// Few values are a list; many are counts by value.
#[derive(Debug, Clone, Default)]
struct More {
    /// Values in any order, or else counts by value.
    few: Vec<u16>,
    counts: Vec<u32>,
}

impl Default for Histogram {
    fn default() -> Self {
        Self(Values::Fewest(0, [0; FEWEST]))
    }
}

impl Histogram {
    /// Adds a number of plies. More than 1,023 count as 1,023.
    pub fn add(&mut self, plies: usize) {
        let plies = plies.min(usize::from(MAX)) as u16;
        match &mut self.0 {
            Values::Fewest(length, values) if usize::from(*length) < FEWEST => {
                values[usize::from(*length)] = plies;
                *length += 1;
            }
            Values::Fewest(..) => self.more().add(plies),
            Values::More(more) => more.add(plies),
        }
    }

    /// Adds the values of another one.
    pub fn merge(&mut self, other: &Self) {
        match &other.0 {
            Values::Fewest(..) => {
                other.few().iter().for_each(|plies| self.add(usize::from(*plies)));
            }
            Values::More(other) => self.more().merge(other),
        }
    }

    /// Makes room for any number of values.
    fn more(&mut self) -> &mut More {
        if let Values::Fewest(..) = self.0 {
            let more = More { few: self.few().to_vec(), counts: Vec::new() };
            self.0 = Values::More(Box::new(more));
        }
        match &mut self.0 {
            Values::More(more) => more,
            Values::Fewest(..) => unreachable!("it has just been made"),
        }
    }

    /// The values that are kept one by one.
    fn few(&self) -> &[u16] {
        match &self.0 {
            Values::Fewest(length, values) => &values[..usize::from(*length)],
            Values::More(more) => &more.few,
        }
    }

    fn counts(&self) -> &[u32] {
        match &self.0 {
            Values::Fewest(..) => &[],
            Values::More(more) => &more.counts,
        }
    }

    /// How many games have each number of plies, of those that occur, in ascending order.
    pub fn bins(&self) -> Vec<Bin> {
        let mut whole = More::default();
        self.few().iter().for_each(|plies| whole.count(*plies, 1));
        let counts = if self.few().is_empty() { self.counts() } else { &whole.counts };
        let bins = (0..).zip(counts).map(|(plies, games)| Bin { plies, games: (*games).into() });
        bins.filter(|bin| bin.games > 0).collect()
    }

    /// The median; of an even number of values the mean of the two in the middle. `None` of none.
    pub fn median(&self) -> Option<f64> {
        let own = self.few();
        if !own.is_empty() {
            let mut few = [0; FEW];
            let few = &mut few[..own.len()];
            few.copy_from_slice(own);
            few.sort_unstable();
            let middle = few[(few.len() - 1) / 2] + few[few.len() / 2];
            return Some(f64::from(middle) / 2.0);
        }
        let total: u64 = self.counts().iter().map(|count| u64::from(*count)).sum();
        let at = |rank: u64| {
            let mut passed = 0;
            self.counts().iter().position(|count| {
                passed += u64::from(*count);
                passed > rank
            })
        };
        let (low, high) = (at(total.checked_sub(1)? / 2)?, at(total / 2)?);
        Some((low + high) as f64 / 2.0)
    }
}

impl More {
    fn add(&mut self, plies: u16) {
        if self.counts.is_empty() && self.few.len() < FEW {
            self.few.push(plies);
        } else {
            self.count(plies, 1);
        }
    }

    fn merge(&mut self, other: &Self) {
        other.few.iter().for_each(|plies| self.add(*plies));
        let Some(longest) = other.counts.len().checked_sub(1) else { return };
        // Makes room for all, and a list counts.
        self.count(longest as u16, 0);
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count = count.saturating_add(*more);
        }
    }

    fn count(&mut self, plies: u16, count: u32) {
        if !self.few.is_empty() {
            for few in std::mem::take(&mut self.few) {
                self.count(few, 1);
            }
        }
        let index = usize::from(plies);
        if index >= self.counts.len() {
            self.counts.resize(index + 1, 0);
        }
        self.counts[index] = self.counts[index].saturating_add(count);
    }
}

/// Equal if the same values occur as often.
impl PartialEq for Histogram {
    fn eq(&self, other: &Self) -> bool {
        self.bins() == other.bins()
    }
}

impl Eq for Histogram {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn histogram(values: &[usize]) -> Histogram {
        let mut histogram = Histogram::default();
        values.iter().for_each(|value| histogram.add(*value));
        histogram
    }

    #[test]
    fn the_median_is_in_the_middle() {
        for (values, median) in [
            (&[][..], None),
            (&[7], Some(7.0)),
            (&[9, 1], Some(5.0)),
            (&[2, 1], Some(1.5)),
            (&[3, 1, 2], Some(2.0)),
            (&[5, 5, 1, 9], Some(5.0)),
            (&[2000, 3000], Some(1023.0)),
        ] {
            assert_eq!(histogram(values).median(), median, "{values:?}");
        }
    }

    proptest! {
        #[test]
        fn parts_make_the_whole(
            values in prop::collection::vec(0_usize..1200, 0..200), at in 0_usize..200,
        ) {
            let (head, tail) = values.split_at(at.min(values.len()));
            let (mut one, mut other) = (histogram(tail), histogram(head));
            one.merge(&histogram(head));
            other.merge(&histogram(tail));
            prop_assert_eq!(&one, &histogram(&values));
            prop_assert_eq!(&other, &one);
            let mut sorted: Vec<usize> = values.iter().map(|value| *value.min(&1023)).collect();
            sorted.sort_unstable();
            let middle = |at: usize| sorted[at] as f64;
            let median = (!sorted.is_empty())
                .then(|| (middle((sorted.len() - 1) / 2) + middle(sorted.len() / 2)) / 2.0);
            prop_assert_eq!(one.median(), median);
        }
    }
}
