//! Which games of a segment count, by their facts alone where these suffice.
//!
//! The meaning is [`Selection::matches`] on what a kept game says of itself; a test holds both
//! equal. Texts are compared once for each that the segment has, not for each game.

use std::ops::{ControlFlow, RangeInclusive};
use std::{iter, sync::OnceLock};

use super::PositionQuery;
use super::segment::{
    BlobSource, Dictionary, DictionaryKind, FACTS_A_CHUNK, Facts, Labels, SegmentReader, Sums,
    TAGS_A_FRAME, read_opening,
};
use crate::select::{
    GameInfo, GameResult, Player, SearchedLine, Selection, TagPart, VariantName, WantedPositions,
};
use crate::{chess::Board, chess::CodedBoard, chess::Color, pgn::decode_text};

/// Whether a game counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fits {
    Yes,
    No,
    /// Its tags decide.
    Ask,
}

/// Whether each number is in a set.
type Numbers = Vec<bool>;

#[inline(always)]
fn has(numbers: &Numbers, number: u32) -> bool {
    numbers.get(number as usize).is_some_and(|is_in| *is_in)
}

/// The conditions that only the tags or the moves of a game can decide, and what they have decided
/// of the games of a segment. A game is asked for by each position that it reaches, and its tags
/// are packed with those of others, so a frame is read once and leaves a bit for each of its games.
struct ByTags {
    /// The selection, and its conditions on tags alone.
    whole: Selection,
    tags: Selection,
    frames: Box<[OnceLock<u64>]>,
}

impl ByTags {
    fn new(selection: &Selection, games: u32) -> Self {
        let whole = selection.clone();
        let Selection { tags, games: numbers, sites, .. } = selection.clone();
        let tags = Selection { tags, games: numbers, sites, ..Selection::default() };
        let frames = match tags.is_everything() && !whole.asks_for_positions() {
            true => 0,
            false => (games as usize).div_ceil(TAGS_A_FRAME),
        };
        Self { whole, tags, frames: (0..frames).map(|_| OnceLock::new()).collect() }
    }

    /// Whether no game is decided by its facts alone.
    fn are_needed(&self) -> bool {
        let Selection { tags, games, .. } = &self.tags;
        !(tags.is_empty() && games.is_empty()) || self.whole.asks_for_positions()
    }

    fn fit<S: BlobSource>(
        &self,
        segment: &SegmentReader<'_, S>,
        game: u32,
    ) -> Result<bool, S::Error> {
        let (number, index) = (game as usize / TAGS_A_FRAME, game as usize % TAGS_A_FRAME);
        let known = self.frames.get(number).and_then(OnceLock::get);
        let fitting = match known {
            Some(fitting) => *fitting,
            None => self.read(segment, number)?,
        };
        Ok(fitting >> index & 1 == 1)
    }

    fn read<S: BlobSource>(
        &self,
        segment: &SegmentReader<'_, S>,
        number: usize,
    ) -> Result<u64, S::Error> {
        let mut fitting = u64::MAX;
        if !self.tags.is_everything() {
            let Selection { tags, sites, .. } = &self.tags;
            let is_read = |name: &[u8]| {
                tags.iter().any(|(wanted, _)| wanted.as_bytes() == name)
                    || !sites.is_empty() && name == b"Site"
            };
            fitting = segment.fit_by_tags(number as u32, is_read, |tags| {
                let info = GameInfo::of_tags(tags.tags(), (0, GameResult::Unknown), &[]);
                self.tags.matches(&info, || None).is_some()
            })?;
        }
        if let Some(wanted) = self.whole.wanted_positions() {
            let first = (number * TAGS_A_FRAME) as u32;
            let last = segment.header().games.min(first + TAGS_A_FRAME as u32);
            // A chunk of facts has whole frames.
            let traces = segment.traces(first / FACTS_A_CHUNK as u32)?;
            let may_fit = |game: &u32| {
                fitting >> (game - first) & 1 == 1
                    && wanted.may_be_in(&traces.get(*game as usize % FACTS_A_CHUNK))
            };
            let (mut found, mut lines) = (0, NeighbouringLines::default());
            segment.each_line((first..last).filter(may_fit), |game, codes, start| {
                found |= u64::from(lines.find(&wanted, start, codes)) << (game - first);
                Ok(())
            })?;
            fitting &= found;
        }
        // Another thread may have read the same.
        Ok(self.frames.get(number).map_or(fitting, |frame| *frame.get_or_init(|| fitting)))
    }
}

/// Lines that are searched one after the other. Each begins as the one before it did, and what was
/// searched there is not played again.
#[derive(Default)]
struct NeighbouringLines {
    start: Option<Board>,
    codes: Vec<u8>,
    /// By ply, the first boards of the last line, and what was found up to each.
    played: Vec<(CodedBoard, SearchedLine)>,
    /// The ply that decided about the last line, and how; `None` if its end did.
    decided: Option<(usize, bool)>,
}

impl NeighbouringLines {
    /// Few lines share more plies.
    const KEPT: usize = 40;

    /// Whether a line has what is wanted. It begins in the initial position, if not in another.
    fn find(&mut self, wanted: &WantedPositions<'_>, start: Option<Board>, codes: &[u8]) -> bool {
        if start != self.start {
            *self = Self { start, ..Self::default() };
        }
        let shared = iter::zip(&self.codes, codes).take_while(|(a, b)| a == b).count();
        if let Some((_, found)) = self.decided.filter(|(ply, _)| *ply <= shared) {
            return found;
        }
        self.codes.clear();
        self.codes.extend_from_slice(codes);
        self.played.truncate(shared + 1);
        self.decided = None;
        let begin = || (CodedBoard::from(start.unwrap_or_default()), SearchedLine::default());
        let (mut board, mut line) = self.played.last().copied().unwrap_or_else(begin);
        for ply in self.played.len()..=codes.len() {
            let before = (ply > 0).then_some(*board.board());
            if ply > 0 && board.play_code(codes[ply - 1]).is_none() {
                break;
            }
            let searched = wanted.search(&mut line, ply, before.as_ref(), board.board());
            if ply < Self::KEPT {
                self.played.push((board, line));
            }
            if let ControlFlow::Break(found) = searched {
                self.decided = Some((ply, found.is_some()));
                break;
            }
        }
        self.decided.is_some_and(|(_, found)| found)
    }
}

/// The facts of some games, and their labels if the filter reads them.
pub(super) type Chunk<'c> = (&'c Facts, Option<&'c Labels>);

/// A selection, and what it means for the texts of a segment.
pub(crate) struct SegmentFilter {
    selection: Selection,
    mean_ratings: Vec<RangeInclusive<u16>>,
    /// Whether it takes all games.
    is_everything: bool,
    by_tags: ByTags,
    players: Option<Numbers>,
    opponents: Option<Numbers>,
    events: Option<Numbers>,
    /// The sites that fit, and those of which only a part is known.
    sites: Option<(Numbers, Numbers)>,
    variants: Option<Numbers>,
    openings: Option<Numbers>,
    /// Games are left out that one of these takes.
    not: Vec<Self>,
    /// By the chunk of facts, the sums of its games that count, once they were asked for.
    sums: Box<[OnceLock<Sums>]>,
}

impl SegmentFilter {
    /// Reads what the selection means for a segment.
    pub(crate) fn new<S: BlobSource>(
        segment: &SegmentReader<'_, S>,
        query: &PositionQuery,
    ) -> Result<Self, S::Error> {
        let filter = Self::of(segment, &query.selection, &query.mean_ratings)?;
        let chunks = if filter.is_everything { 0 } else { segment.header().sums.len() };
        Ok(Self { sums: (0..chunks).map(|_| OnceLock::new()).collect(), ..filter })
    }

    fn of<S: BlobSource>(
        segment: &SegmentReader<'_, S>,
        selection: &Selection,
        mean_ratings: &[RangeInclusive<u16>],
    ) -> Result<Self, S::Error> {
        // All conditions are named, so that a new one does not compile: those that are ignored here
        // are asked for in `may_fit` or `ByTags`.
        let Selection {
            players,
            opponents,
            eco,
            openings,
            events,
            sites,
            variants,
            not,
            positions: _,
            from_position: _,
            structures: _,
            materials: _,
            lasting: _,
            tags: _,
            games: _,
            color: _,
            results: _,
            since: _,
            until: _,
            rating: _,
            rating_of: _,
            speeds: _,
            rated: _,
            min_plies: _,
        } = selection;
        let texts = |is_asked: bool, kind| is_asked.then(|| segment.dictionary(kind)).transpose();
        let people = |wanted: &[Player]| {
            let names = texts(!wanted.is_empty(), DictionaryKind::Players)?;
            Ok(names.map(|names| {
                names.iter().map(|(name, _)| wanted.iter().any(|p| p.is_named(name))).collect()
            }))
        };
        let event_texts = texts(!events.is_empty(), DictionaryKind::Events)?;
        let site_texts = texts(!sites.is_empty(), DictionaryKind::Sites)?;
        let variant_texts = texts(!variants.is_empty(), DictionaryKind::Variants)?;
        let asks_for_opening = eco.is_some() || !openings.is_empty();
        let opening_texts = texts(asks_for_opening, DictionaryKind::Openings)?;
        Ok(Self {
            is_everything: selection.is_everything() && mean_ratings.is_empty(),
            by_tags: ByTags::new(selection, segment.header().games),
            players: people(players)?,
            opponents: people(opponents)?,
            events: event_texts
                .map(|texts| texts.iter().map(|(text, _)| has_part(text, events)).collect()),
            sites: site_texts.map(|texts| sites_with_part(&texts, sites)),
            variants: variant_texts.map(|texts| {
                let is_wanted = |played: &VariantName| variants.iter().any(|v| v.is(played));
                texts.iter().map(|(text, _)| is_wanted(&VariantName::of_tag(text))).collect()
            }),
            openings: opening_texts.map(|texts| {
                let opening = |text| read_opening(text).ok().flatten();
                let fits = |text| opening(text).is_some_and(|o| selection.has_opening(&o));
                texts.iter().map(|(text, _)| fits(text)).collect()
            }),
            not: not.iter().map(|not| Self::of(segment, not, &[])).collect::<Result<_, _>>()?,
            selection: selection.clone(),
            mean_ratings: mean_ratings.to_vec(),
            sums: Box::default(),
        })
    }

    /// Whether it is the filter of a query.
    pub(crate) fn is_of(&self, query: &PositionQuery) -> bool {
        self.selection == query.selection && self.mean_ratings == query.mean_ratings
    }

    /// What is asked for by a text that the labels of a game refer to.
    fn texts(&self) -> impl Iterator<Item = &Numbers> {
        let Self { players, opponents, events, variants, openings, .. } = self;
        [players, opponents, events, variants, openings].into_iter().flatten()
    }

    /// Whether no game counts, since none has a text that is asked for: nobody of the name, as a
    /// rule.
    pub(super) fn counts_none(&self) -> bool {
        self.texts().any(|numbers| !numbers.contains(&true))
    }

    /// Whether any condition is about the labels of games.
    pub(super) fn reads_labels(&self) -> bool {
        self.texts().next().is_some()
            || self.sites.is_some()
            || self.selection.min_plies > 0
            || self.not.iter().any(Self::reads_labels)
    }

    /// Whether a game counts: its number, and the index in a chunk of facts, with its labels if
    /// [they are read](Self::reads_labels).
    pub(super) fn counts<S: BlobSource>(
        &self,
        segment: &SegmentReader<'_, S>,
        chunk: Chunk<'_>,
        at: usize,
        game: u32,
    ) -> Result<bool, S::Error> {
        if self.is_everything {
            return Ok(true);
        }
        let fits = match self.fits(chunk, at) {
            Fits::Yes => true,
            Fits::No => false,
            Fits::Ask => self.by_tags.fit(segment, game)?,
        };
        if !fits {
            return Ok(false);
        }
        for not in &self.not {
            if not.counts(segment, chunk, at, game)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// What the games of a chunk of facts add up to that count.
    pub(super) fn sums<S: BlobSource>(
        &self,
        segment: &SegmentReader<'_, S>,
        number: u32,
    ) -> Result<Sums, S::Error> {
        let of_all = segment.header().sums.get(number as usize).filter(|_| self.is_everything);
        let kept = self.sums.get(number as usize);
        if let Some(sums) = of_all.or(kept.and_then(OnceLock::get)) {
            return Ok(*sums);
        }
        let facts = segment.facts(number)?;
        let labels = self.reads_labels().then(|| segment.labels(number)).transpose()?;
        let (chunk, first) = ((&*facts, labels.as_deref()), number * FACTS_A_CHUNK as u32);
        let mut sums = Sums::default();
        for (at, game) in (0..facts.len()).zip(first..) {
            if self.counts(segment, chunk, at, game)? {
                sums.add(&facts, at);
            }
        }
        // Another thread may have added up the same.
        Ok(kept.map_or(sums, |kept| *kept.get_or_init(|| sums)))
    }

    /// Whether a game counts, by its index in a chunk of facts.
    fn fits(&self, (facts, labels): Chunk<'_>, at: usize) -> Fits {
        let named = |color| labels.map_or(0, |labels| labels.name(at, color));
        if !self.may_fit(facts, at) || !self.has_side(facts, at, named) {
            return Fits::No;
        }
        let by_labels = labels.map_or(Fits::Yes, |labels| self.fits_labels(labels, at));
        if self.by_tags.are_needed() && by_labels == Fits::Yes { Fits::Ask } else { by_labels }
    }

    fn fits_labels(&self, labels: &Labels, at: usize) -> Fits {
        let may_fit = is_in(&self.events, labels.event(at))
            && is_in(&self.variants, labels.variant(at))
            && is_in(&self.openings, labels.opening(at))
            && self.selection.min_plies <= labels.plies(at) as usize;
        match &self.sites {
            _ if !may_fit => Fits::No,
            Some((fit, _)) if has(fit, labels.site(at)) => Fits::Yes,
            Some((_, parts)) if has(parts, labels.site(at)) => Fits::Ask,
            Some(_) => Fits::No,
            None => Fits::Yes,
        }
    }

    fn may_fit(&self, facts: &Facts, at: usize) -> bool {
        let Selection { speeds, rated, .. } = &self.selection;
        self.selection.has_date(|| facts.date(at))
            && (speeds.is_empty() || facts.speed(at).is_some_and(|s| speeds.contains(&s)))
            && (rated.is_none() || facts.is_rated(at) == *rated)
            && self.has_mean_rating(facts, at)
    }

    fn has_mean_rating(&self, facts: &Facts, at: usize) -> bool {
        self.mean_ratings.is_empty()
            || facts
                .mean_rating(at)
                .is_some_and(|mean| self.mean_ratings.iter().any(|range| range.contains(&mean)))
    }

    /// Whether a side that may be asked for fits; `named` has the number of its name.
    fn has_side(&self, facts: &Facts, at: usize, named: impl Fn(Color) -> u32) -> bool {
        let color = self.selection.color;
        let fits = |side| {
            self.selection.fits_side(side, |color| facts.rating(at, color), || facts.result(at))
        };
        if self.players.is_none() && self.opponents.is_none() {
            return fits(color);
        }
        [Color::White, Color::Black].into_iter().any(|side| {
            color.is_none_or(|asked| asked == side)
                && is_in(&self.players, named(side))
                && is_in(&self.opponents, named(!side))
                && fits(Some(side))
        })
    }
}

/// Whether a number is one of those that are asked for, if any are.
#[inline(always)]
fn is_in(asked: &Option<Numbers>, number: u32) -> bool {
    asked.as_ref().is_none_or(|asked| has(asked, number))
}

/// Whether a text has one of the parts.
fn has_part(text: &[u8], wanted: &[TagPart]) -> bool {
    TagPart::is_any_in(wanted, &decode_text(text))
}

/// The sites that have one of the parts, and those of which only the beginning is known. How that
/// reads may depend on the rest, unless it is ASCII.
fn sites_with_part(sites: &Dictionary, wanted: &[TagPart]) -> (Numbers, Numbers) {
    let is_beginning = |site: &[u8]| site.ends_with(b"/");
    let has_part = |site: &[u8]| (site.is_ascii() || !is_beginning(site)) && has_part(site, wanted);
    sites.iter().map(|(site, _)| (has_part(site), is_beginning(site))).unzip()
}
