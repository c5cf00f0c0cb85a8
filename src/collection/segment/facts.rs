//! What is known of each game, in columns. Every question adds up [`Facts`]. Few filters ask for
//! [`Labels`], which also tell games apart, or for [`TraceColumn`], so most questions leave those
//! out of memory.

use super::bytes::{ByteReader, DamagedSegment, push_packed};
use crate::chess::Color;
use crate::collection::{Details, RatingSum, Score};
use crate::pgn::{GameDate, PlayedAt};
use crate::select::{Fingerprint, GameResult, Speed, Traces};

/// The number of games whose facts share a blob, and whose labels do.
pub(crate) const FACTS_A_CHUNK: usize = if cfg!(test) { 64 } else { 1024 };

/// A collection takes no more games: so whatever a file says, those that come have a number.
pub(crate) const MOST_ARRIVALS: u32 = 1 << 31;

pub(crate) const TOO_MANY_ARRIVALS: DamagedSegment =
    DamagedSegment::new("more games than a collection takes");

/// The dictionaries of White, Black, `Event`, the first part of `Site`, `Variant` and the opening
/// of a game, as indices of `TEXTS`.
pub(super) const TEXTS_OF_GAME: [usize; 6] = [0, 0, 1, 2, 3, 4];

/// The facts of one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FactsRow {
    pub(crate) details: Details,
    /// The numbers of its texts, in the dictionaries of [`TEXTS_OF_GAME`].
    pub(crate) texts: [u32; 6],
    /// The moves that it begins with like the game before.
    pub(crate) shared: u16,
    /// One more than the code of the move after those; 0 if it ends.
    pub(crate) next: u16,
    /// Its identity.
    pub(crate) fingerprint: Fingerprint,
    /// Its number in the order in which the collection took its games.
    pub(crate) arrival: u32,
    /// What its positions had.
    pub(crate) traces: Traces,
}

impl FactsRow {
    /// The row with other numbers of texts: the new ones by the dictionary and the old one.
    pub(super) fn renumbered(mut self, numbers: &[Vec<u32>]) -> Result<Self, DamagedSegment> {
        for (kind, number) in TEXTS_OF_GAME.into_iter().zip(&mut self.texts) {
            let new = numbers[kind].get(*number as usize).filter(|new| **new < u32::MAX);
            *number = *new.ok_or(DamagedSegment::new("a label refers to no text"))?;
        }
        Ok(self)
    }
}

/// The facts of neighbouring games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Facts {
    /// Bits 0 and 1: the result; 2 to 4: the speed; 5 and 6: whether it is rated.
    flags: Vec<u8>,
    dates: Vec<u32>,
    /// The [numbers](PlayedAt::number) that order games; none, if they are those of the dates.
    played: Vec<u64>,
    /// Those of White, and those of Black.
    ratings: [Vec<u16>; 2],
    /// The moves that a game begins with like the one before, and the code after those.
    moves: [Vec<u16>; 2],
    arrivals: Vec<u32>,
}

/// The labels of neighbouring games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Labels {
    /// The names of White and of Black, and what the constants below say.
    columns: [Vec<u32>; 7],
    fingerprints: Vec<[u8; 16]>,
}

const EVENT: usize = 2;
const SITE: usize = 3;
const VARIANT: usize = 4;
const OPENING: usize = 5;
const PLIES: usize = 6;

const RESULTS: [GameResult; 4] =
    [GameResult::Unknown, GameResult::WhiteWins, GameResult::Draw, GameResult::BlackWins];

const RATED: [Option<bool>; 4] = [None, Some(false), Some(true), None];

pub(super) fn index_of<T: PartialEq>(items: &[T], item: &T) -> u8 {
    items.iter().position(|other| other == item).unwrap_or(0) as u8
}

impl Facts {
    /// Adds the facts of the next game.
    pub(super) fn push(&mut self, facts: &FactsRow) {
        let Details { result, date, played_at, ratings, speed, is_rated, .. } = facts.details;
        let (result, rated) = (index_of(&RESULTS, &result), index_of(&RATED, &is_rated));
        let speed = speed.map_or(0, |speed| index_of(Speed::ALL, &speed) + 1);
        self.flags.push(result | speed << 2 | rated << 5);
        self.dates.push(date.map_or(0, GameDate::number));
        self.played.push(played_at.number());
        for (column, rating) in self.ratings.iter_mut().zip(ratings) {
            column.push(rating.unwrap_or(0));
        }
        let moves = [facts.shared, facts.next];
        self.moves.iter_mut().zip(moves).for_each(|(column, number)| column.push(number));
        self.arrivals.push(facts.arrival);
    }

    /// The number of games.
    pub(crate) fn len(&self) -> usize {
        self.flags.len()
    }

    /// The memory that they take.
    pub(super) fn memory(&self) -> usize {
        self.len() * 17 + size_of_val(&*self.played)
    }

    #[inline(always)]
    pub(crate) fn result(&self, at: usize) -> GameResult {
        RESULTS[usize::from(self.flags[at] & 3)]
    }

    #[inline(always)]
    pub(crate) fn speed(&self, at: usize) -> Option<Speed> {
        let number = usize::from(self.flags[at] >> 2 & 7);
        Speed::ALL.get(number.checked_sub(1)?).copied()
    }

    #[inline(always)]
    pub(crate) fn is_rated(&self, at: usize) -> Option<bool> {
        RATED[usize::from(self.flags[at] >> 5 & 3)]
    }

    #[inline(always)]
    pub(crate) fn date(&self, at: usize) -> Option<GameDate> {
        GameDate::from_number(self.dates[at])
    }

    /// The [number](GameDate::number) of the date; 0 if it is not known.
    #[inline(always)]
    pub(crate) fn date_number(&self, at: usize) -> u32 {
        self.dates[at]
    }

    /// The [number](PlayedAt::number) that orders games.
    #[inline(always)]
    pub(crate) fn played_number(&self, at: usize) -> u64 {
        let number = self.played.get(at).copied();
        number.unwrap_or_else(|| PlayedAt::number_of_date(self.dates[at]))
    }

    pub(crate) fn played_at(&self, at: usize) -> PlayedAt {
        PlayedAt::from_number(self.played_number(at))
    }

    /// The rating of a side; 0 if it is not known.
    #[inline(always)]
    pub(crate) fn rating_or_zero(&self, at: usize, color: Color) -> u16 {
        self.ratings[color as usize ^ 1][at]
    }

    /// The rating of a side.
    #[inline(always)]
    pub(crate) fn rating(&self, at: usize, color: Color) -> Option<u16> {
        Some(self.rating_or_zero(at, color)).filter(|rating| *rating > 0)
    }

    /// The mean of both ratings, rounded down.
    #[inline(always)]
    pub(crate) fn mean_rating(&self, at: usize) -> Option<u16> {
        let [white, black] = [self.ratings[0][at], self.ratings[1][at]];
        (white > 0 && black > 0).then(|| white.midpoint(black))
    }

    /// The sum of both ratings; 0 if one of them is not known.
    #[inline(always)]
    pub(crate) fn rating_sum(&self, at: usize) -> u32 {
        let [white, black] = [self.ratings[0][at], self.ratings[1][at]];
        if white > 0 && black > 0 { u32::from(white) + u32::from(black) } else { 0 }
    }

    /// The numbers of moves that games begin with like the game before each.
    pub(crate) fn shared(&self) -> &[u16] {
        &self.moves[0]
    }

    /// The code of the first move in which a game differs from that before; `None` if it ends.
    #[inline(always)]
    pub(crate) fn next(&self, at: usize) -> Option<u8> {
        self.moves[1][at].checked_sub(1).map(|code| code as u8)
    }

    /// The number of a game in the order in which the collection took its games, over all runs:
    /// what decides between games that are equal otherwise.
    pub(crate) fn arrival(&self, at: usize) -> u32 {
        self.arrivals[at]
    }

    /// What a game says of itself in numbers; its labels have the number of half-moves.
    pub(super) fn details(&self, at: usize, labels: &Labels) -> Details {
        Details {
            result: self.result(at),
            plies: labels.plies(at) as usize,
            date: self.date(at),
            played_at: self.played_at(at),
            ratings: SIDES.map(|color| self.rating(at, color)),
            speed: self.speed(at),
            is_rated: self.is_rated(at),
        }
    }

    /// As bytes of a segment.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        push_packed(&mut bytes, &self.flags);
        let days = self.dates.iter().map(|date| date_to_days(*date)).collect::<Vec<_>>();
        push_planes(&mut bytes, &days);
        self.ratings.iter().for_each(|column| push_planes(&mut bytes, column));
        self.moves.iter().for_each(|column| push_planes(&mut bytes, column));
        // The date that orders games is nearly always the same, which leaves 0.
        let played = (0..self.len()).map(|at| self.played_at(at).to_numbers());
        let other_days = played.clone().zip(&days).map(|([date, _], day)| date_to_days(date) ^ day);
        push_planes(&mut bytes, &other_days.collect::<Vec<_>>());
        push_planes(&mut bytes, &played.map(|[_, time]| time).collect::<Vec<_>>());
        push_planes(&mut bytes, &self.arrivals);
        bytes
    }

    /// What [`to_bytes`](Self::to_bytes) wrote.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, DamagedSegment> {
        let mut reader = ByteReader::new(bytes);
        let flags = reader.unpacked()?;
        let games = flags.len();
        let mut column = || read_planes(&mut reader, games);
        let mut facts = Self { flags, ..Self::default() };
        let days = column()?;
        for short_column in facts.ratings.iter_mut().chain(&mut facts.moves) {
            *short_column = column()?.into_iter().map(|number| number as u16).collect();
        }
        let (others, times) = (column()?, column()?);
        if others.iter().chain(&times).any(|number| *number > 0) {
            let played = days.iter().zip(others).zip(times).map(|((day, other), time)| {
                PlayedAt::from_numbers([days_to_date(day ^ other), time]).number()
            });
            facts.played = played.collect();
        }
        facts.arrivals = column()?;
        if facts.arrivals.iter().any(|arrival| *arrival >= MOST_ARRIVALS) {
            return Err(TOO_MANY_ARRIVALS);
        }
        facts.dates = days.into_iter().map(days_to_date).collect();
        Ok(facts)
    }
}

/// What the facts of a chunk of games add up to: most chunks of a position with many games need
/// not be read to count them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    /// The least number of moves that a game begins with like the one before.
    pub(crate) shared: u64,
    /// How the games ended.
    pub(crate) score: Score,
    /// Those of White and of Black.
    pub(crate) ratings: [RatingSum; 2],
    /// The half-points of White and of Black against opponents with a rating.
    pub(crate) half_points: [u64; 2],
    /// The numbers of the first and the last date; 0 if there is none.
    pub(crate) dates: [u64; 2],
    /// The highest [rank](Facts::ranks) of each kind.
    pub(crate) ranks: [u64; 2],
}

/// The bits of the sum of two numbers of 16 bits.
const RATING_SUM_BITS: u32 = 17;

const SIDES: [Color; 2] = [Color::White, Color::Black];

impl Facts {
    /// What sorts a game among the best ones, by ratings, then by when it was played; and among the
    /// latest ones, by when it was played, then by ratings.
    #[inline(always)]
    pub(crate) fn ranks(&self, at: usize) -> [u64; 2] {
        let (ratings, played) = (u64::from(self.rating_sum(at)), self.played_number(at));
        [ratings << PlayedAt::NUMBER_BITS | played, played << RATING_SUM_BITS | ratings]
    }

    pub(super) fn sums(&self) -> Sums {
        let shared = self.shared().iter().min().copied().unwrap_or(0);
        let mut sums = Sums { shared: shared.into(), ..Sums::default() };
        (0..self.len()).for_each(|at| sums.add(self, at));
        sums
    }
}

#[inline(always)]
pub(in crate::collection) fn add_result(score: &mut Score, result: GameResult) {
    score.white += u64::from(result == GameResult::WhiteWins);
    score.draws += u64::from(result == GameResult::Draw);
    score.black += u64::from(result == GameResult::BlackWins);
}

impl Sums {
    /// Adds a game.
    pub(crate) fn add(&mut self, facts: &Facts, at: usize) {
        add_result(&mut self.score, facts.result(at));
        for (side, color) in SIDES.into_iter().enumerate() {
            let rating = facts.rating_or_zero(at, color);
            self.ratings[side].games += u64::from(rating > 0);
            self.ratings[side].sum += u64::from(rating);
            let points = facts.result(at).half_points(color).unwrap_or(0);
            let is_rated = facts.rating_or_zero(at, !color) > 0;
            self.half_points[side] += if is_rated { u64::from(points) } else { 0 };
        }
        self.add_dates([u64::from(facts.date_number(at)); 2]);
        let highest = self.ranks.iter_mut().zip(facts.ranks(at));
        highest.for_each(|(highest, rank)| *highest = rank.max(*highest));
    }

    /// Adds what other games add up to; what they share and their ranks are not looked at.
    pub(crate) fn add_all(&mut self, other: &Self) {
        self.score = self.score + other.score;
        for (side, RatingSum { games, sum }) in other.ratings.into_iter().enumerate() {
            self.ratings[side].games += games;
            self.ratings[side].sum += sum;
            self.half_points[side] += other.half_points[side];
        }
        self.add_dates(other.dates);
    }

    #[inline(always)]
    fn add_dates(&mut self, [first, last]: [u64; 2]) {
        if first > 0 {
            let known = self.dates[0];
            self.dates[0] = if known == 0 { first } else { first.min(known) };
            self.dates[1] = last.max(self.dates[1]);
        }
    }

    /// The first and the last date, if there is one.
    pub(crate) fn dates(&self) -> Option<(GameDate, GameDate)> {
        let [first, last] = self.dates.map(|date| GameDate::from_number(date as u32));
        first.zip(last)
    }

    /// All numbers in order, those that are counts first.
    pub(super) fn numbers(&mut self) -> [&mut u64; 14] {
        let Self { shared, score, ratings, half_points, dates, ranks } = self;
        let Score { white, draws, black } = score;
        let [RatingSum { games: a, sum: b }, RatingSum { games: c, sum: d }] = ratings;
        let ([e, f], [first, last], [top, recent]) = (half_points, dates, ranks);
        [shared, white, draws, black, a, b, c, d, e, f, first, last, top, recent]
    }
}

impl Labels {
    /// Adds the labels of the next game.
    pub(super) fn push(&mut self, facts: &FactsRow) {
        let plies = u32::try_from(facts.details.plies).unwrap_or(u32::MAX);
        let numbers = facts.texts.into_iter().chain([plies]);
        self.columns.iter_mut().zip(numbers).for_each(|(column, number)| column.push(number));
        self.fingerprints.push(facts.fingerprint.0);
    }

    /// The number of games.
    pub(crate) fn len(&self) -> usize {
        self.fingerprints.len()
    }

    /// The memory that they take.
    pub(super) fn memory(&self) -> usize {
        self.len() * 44
    }

    /// The numbers of the texts of a game, in the dictionaries of [`TEXTS_OF_GAME`].
    pub(super) fn texts(&self, at: usize) -> [u32; 6] {
        std::array::from_fn(|label| self.columns[label][at])
    }

    #[inline(always)]
    pub(crate) fn name(&self, at: usize, color: Color) -> u32 {
        self.columns[usize::from(color.is_black())][at]
    }

    #[inline(always)]
    pub(crate) fn event(&self, at: usize) -> u32 {
        self.columns[EVENT][at]
    }

    #[inline(always)]
    pub(crate) fn site(&self, at: usize) -> u32 {
        self.columns[SITE][at]
    }

    #[inline(always)]
    pub(crate) fn variant(&self, at: usize) -> u32 {
        self.columns[VARIANT][at]
    }

    #[inline(always)]
    pub(crate) fn opening(&self, at: usize) -> u32 {
        self.columns[OPENING][at]
    }

    #[inline(always)]
    pub(crate) fn plies(&self, at: usize) -> u32 {
        self.columns[PLIES][at]
    }

    pub(crate) fn fingerprint(&self, at: usize) -> Fingerprint {
        Fingerprint(self.fingerprints[at])
    }

    /// As bytes of a segment.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        push_packed(&mut bytes, self.fingerprints.as_flattened());
        self.columns.iter().for_each(|column| push_planes(&mut bytes, column));
        bytes
    }

    /// What [`to_bytes`](Self::to_bytes) wrote.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, DamagedSegment> {
        let mut reader = ByteReader::new(bytes);
        let fingerprints = reader.unpacked()?;
        let (fingerprints, []) = fingerprints.as_chunks::<16>() else { return Err(UNEVEN) };
        let mut labels = Self { fingerprints: fingerprints.to_vec(), ..Self::default() };
        for column in &mut labels.columns {
            *column = read_planes(&mut reader, fingerprints.len())?;
        }
        Ok(labels)
    }
}

/// The traces of neighbouring games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TraceColumn(Vec<[u8; Traces::BYTES]>);

impl TraceColumn {
    /// Adds those of the next game.
    pub(super) fn push(&mut self, facts: &FactsRow) {
        self.0.push(facts.traces.to_bytes());
    }

    /// The number of games.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The memory that they take.
    pub(super) fn memory(&self) -> usize {
        size_of_val(&*self.0)
    }

    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> Traces {
        Traces::from_bytes(self.0[at])
    }

    /// As bytes of a segment: first the first byte of each.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let planes = (0..Traces::BYTES).flat_map(|at| self.0.iter().map(move |traces| traces[at]));
        let mut bytes = Vec::new();
        push_packed(&mut bytes, &planes.collect::<Vec<_>>());
        bytes
    }

    /// What [`to_bytes`](Self::to_bytes) wrote.
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, DamagedSegment> {
        let planes = ByteReader::new(bytes).unpacked()?;
        let games = planes.len() / Traces::BYTES;
        let traces = |game| std::array::from_fn(|at| planes[at * games + game]);
        Ok(Self((0..games).map(traces).collect()))
    }
}

const UNEVEN: DamagedSegment = DamagedSegment::new("columns have different lengths");

/// A date as a number with fewer bits: 12 months of 31 days a year, each from 0.
fn date_to_days(date: u32) -> u32 {
    (date / 10_000 * 13 + date / 100 % 100) * 32 + date % 100
}

fn days_to_date(days: u32) -> u32 {
    let (months, day) = (days / 32, days % 32);
    // No year has more digits, whatever the file says.
    (months / 13).min(9999) * 10_000 + months % 13 * 100 + day
}

/// Appends a column as its lowest bytes, then the next ones, up to the last that are not all 0.
fn push_planes<T: Copy + Into<u32>>(out: &mut Vec<u8>, column: &[T]) {
    let numbers = || column.iter().map(|number| (*number).into());
    let highest: u32 = numbers().max().unwrap_or(0);
    let planes = (u32::BITS - highest.leading_zeros()).div_ceil(8);
    out.push(planes as u8);
    for plane in 0..planes {
        let bytes: Vec<u8> = numbers().map(|number| (number >> (8 * plane)) as u8).collect();
        push_packed(out, &bytes);
    }
}

fn read_planes(reader: &mut ByteReader<'_>, games: usize) -> Result<Vec<u32>, DamagedSegment> {
    let [planes @ 0..=4] = *reader.take(1)? else { return Err(UNEVEN) };
    let mut column = vec![0; games];
    for plane in 0..planes {
        let bytes = reader.unpacked()?;
        if bytes.len() != games {
            return Err(UNEVEN);
        }
        for (number, byte) in column.iter_mut().zip(bytes) {
            *number |= u32::from(byte) << (8 * plane);
        }
    }
    Ok(column)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pgn::Clock;

    fn game() -> impl Strategy<Value = FactsRow> {
        let dates = (0..2030_u32, 0..=12_u32, 0..=31_u32);
        let date = dates.prop_map(|(y, m, d)| GameDate::from_number(y * 10_000 + m * 100 + d));
        let time = (prop::sample::select(vec![Clock::Local, Clock::Utc]), 0..86_400_u32);
        let dates = (date.clone(), prop::option::of(date), prop::option::of(time));
        let dates = dates
            .prop_map(|(date, other, time)| (date, PlayedAt::new(other.unwrap_or(date), time)));
        let rating = || prop::option::of(1..=4000_u16);
        let small = (any::<[u32; 6]>(), any::<[u16; 2]>(), any::<[u32; 2]>());
        (0..4_usize, 0..7_usize, 0..3_usize, dates, [rating(), rating()], small, any::<[u8; 16]>())
            .prop_map(|(result, speed, rated, dates, ratings, small, print)| FactsRow {
                details: Details {
                    result: RESULTS[result],
                    plies: small.2[0] as usize,
                    date: dates.0,
                    played_at: dates.1,
                    ratings,
                    speed: speed.checked_sub(1).map(|at| Speed::ALL[at]),
                    is_rated: RATED[rated],
                },
                texts: small.0,
                shared: small.1[0],
                next: small.1[1] % 257,
                fingerprint: Fingerprint(print),
                arrival: small.2[1] % MOST_ARRIVALS,
                traces: Traces::from_bytes(print),
            })
    }

    proptest! {
        #[test]
        fn facts_are_read_as_they_were_written(games in prop::collection::vec(game(), 0..40)) {
            let (mut facts, mut labels) = (Facts::default(), Labels::default());
            let mut traces = TraceColumn::default();
            for game in &games {
                facts.push(game);
                labels.push(game);
                traces.push(game);
            }
            let traces = TraceColumn::from_bytes(&traces.to_bytes()).unwrap();
            let read = Facts::from_bytes(&facts.to_bytes()).unwrap();
            prop_assert_eq!(read.to_bytes(), facts.to_bytes());
            let label = Labels::from_bytes(&labels.to_bytes()).unwrap();
            prop_assert_eq!(&label, &labels);
            for (at, game) in games.iter().enumerate() {
                let (white, black) = (Color::White, Color::Black);
                let found = FactsRow {
                    details: read.details(at, &label),
                    texts: [
                        label.name(at, white),
                        label.name(at, black),
                        label.event(at),
                        label.site(at),
                        label.variant(at),
                        label.opening(at),
                    ],
                    shared: read.shared()[at],
                    next: read.next(at).map_or(0, |code| u16::from(code) + 1),
                    fingerprint: label.fingerprint(at),
                    arrival: read.arrival(at),
                    traces: traces.get(at),
                };
                prop_assert_eq!(label.texts(at), game.texts);
                prop_assert_eq!(&found, game);
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let _ = (Facts::from_bytes(&bytes), Labels::from_bytes(&bytes));
            let _ = TraceColumn::from_bytes(&bytes);
        }
    }
}
