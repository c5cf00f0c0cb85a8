//! Several segments in, one out: their games are read and written in the order of their moves, and
//! none is in memory for long.

use std::{cmp::Ordering, sync::Arc};

use super::blobs::{BlobKind, DictionaryKind};
use super::bytes::DamagedSegment;
use super::dictionary::{Dictionary, Interner};
use super::facts::{FACTS_A_CHUNK, Facts, FactsRow, Labels};
use super::game_moves::{
    FRAMES_A_BLOB, GameMoves, MOVES_A_FRAME, MovesFrame, pack_moves, shared_moves,
};
use super::merged_tags::{MergedTags, TagDictionaries, TagParts};
use super::reader::{BlobSource, SegmentReader};
use super::sink::{JoinedItems, SegmentSink};
use super::tag_columns::{TAGS_A_FRAME, TagsFrame, pack_frame};
use super::unindexed::{Unindexed, add_dictionary, add_facts, pack_facts};
use crate::chess::{Board, Color, PositionKey};
use crate::collection::Details;
use crate::{executor::Executor, lists::Lists};

/// A segment whose games go into a new one.
pub(crate) struct MergedSegment<'a, S> {
    /// The segment.
    pub(crate) reader: SegmentReader<'a, S>,
    /// By the number of a game, whether it is left out; none is, if there are no numbers.
    pub(crate) left_out: Vec<bool>,
    /// What is added to the numbers of arrival.
    pub(crate) arrivals: u32,
}

impl<S> MergedSegment<'_, S> {
    fn is_left_out(&self, game: u32) -> bool {
        self.left_out.get(game as usize).copied().unwrap_or(false)
    }
}

/// The dictionaries of the texts that labels refer to.
const TEXTS: [DictionaryKind; 5] = [
    DictionaryKind::Players,
    DictionaryKind::Events,
    DictionaryKind::Sites,
    DictionaryKind::Variants,
    DictionaryKind::Openings,
];

/// Games that are packed at the same time: a whole number of all blobs.
const GAMES_AT_ONCE: usize = 1 << 15;

/// Writes the games of some segments as one, without its index.
///
/// # Errors
///
/// If a segment cannot be read, or nothing be written.
pub(crate) fn merge<S: BlobSource, K: SegmentSink<Error = S::Error>>(
    segments: &[MergedSegment<'_, S>],
    executor: &impl Executor,
    sink: &mut K,
) -> Result<Unindexed, S::Error> {
    let Some(first) = segments.first() else { return Ok(Unindexed::new(0, 0)) };
    let mut numbers = vec![Vec::new(); segments.len()];
    for kind in TEXTS {
        let (dictionary, of_kind) = join_texts(segments, kind)?;
        add_dictionary(sink, kind, &dictionary)?;
        numbers.iter_mut().zip(of_kind).for_each(|(all, numbers)| all.push(numbers));
    }
    let tags: Vec<TagDictionaries> = segments
        .iter()
        .map(|segment| segment.reader.tag_dictionaries())
        .collect::<Result<_, _>>()?;
    let tags = MergedTags::new(&tags).map_err(|fault| first.reader.damaged(fault))?;
    add_dictionary(sink, DictionaryKind::Forms, &tags.forms)?;
    for (column, dictionary) in (0..).zip(&tags.columns) {
        if let Some(dictionary) = dictionary {
            add_dictionary(sink, DictionaryKind::Column(column), dictionary)?;
        }
    }
    let mut sources = Vec::new();
    for (index, (segment, numbers)) in segments.iter().zip(numbers).enumerate() {
        sources.extend(Source::new(segment, index, numbers)?);
    }
    let max_ply = segments.iter().map(|segment| segment.reader.header().max_ply).max();
    let games = segments.iter().map(|segment| segment.reader.header().games as usize).sum();
    let mut writer = Writer {
        unindexed: Unindexed::new(usize::from(max_ply.unwrap_or(0)), games),
        tags,
        last: None,
        window: Window::default(),
        moves: JoinedItems::new(BlobKind::Moves, FRAMES_A_BLOB),
        frames: JoinedItems::new(BlobKind::Tags, FRAMES_A_BLOB),
    };
    // The source of the next game is the last one.
    sources.sort_by(|a, b| b.compare(a));
    while let Some(mut source) = sources.pop() {
        writer.add(&source)?;
        if writer.window.rows.len() == GAMES_AT_ONCE {
            writer.write_window(executor, sink)?;
        }
        if source.advance()? {
            let at = sources.partition_point(|other| other.compare(&source).is_gt());
            sources.insert(at, source);
        }
    }
    writer.finish(executor, sink)
}

/// The dictionary of the texts of segments, and for each of these the new numbers by the old ones.
/// A text that only games have which are left out is not there.
fn join_texts<S: BlobSource>(
    segments: &[MergedSegment<'_, S>],
    kind: DictionaryKind,
) -> Result<(Dictionary, Vec<Vec<u32>>), S::Error> {
    let (mut texts, mut interned) = (Interner::default(), Vec::new());
    for segment in segments {
        let dictionary = segment.reader.dictionary(kind)?;
        let left_out = counts_left_out(segment, kind, dictionary.len())?;
        let add = |((text, games), left_out): ((&[u8], u32), &u32)| match games
            .saturating_sub(*left_out)
        {
            0 => u32::MAX,
            games => texts.add_times(text, games),
        };
        interned.push(dictionary.iter().zip(&left_out).map(add).collect::<Vec<u32>>());
    }
    let (dictionary, sorted) = texts.sorted();
    let renumber = |number: &mut u32| {
        *number = sorted.get(*number as usize).copied().unwrap_or(u32::MAX);
    };
    interned.iter_mut().flatten().for_each(renumber);
    Ok((dictionary, interned))
}

/// For each text, how often games have it that are left out.
fn counts_left_out<S: BlobSource>(
    segment: &MergedSegment<'_, S>,
    kind: DictionaryKind,
    texts: usize,
) -> Result<Vec<u32>, S::Error> {
    let mut counts = vec![0; texts];
    let mut labels: Option<(u32, Arc<Labels>)> = None;
    for game in (0..).zip(&segment.left_out).filter(|(_, is_out)| **is_out).map(|(game, _)| game) {
        let (chunk, at) = (game / FACTS_A_CHUNK as u32, game as usize % FACTS_A_CHUNK);
        let of_chunk = match labels.take_if(|(of, _)| *of == chunk) {
            Some((_, labels)) => labels,
            None => segment.reader.labels(chunk)?,
        };
        for (of, number) in TEXTS_OF_GAME.iter().zip(texts_of(&of_chunk, at)) {
            if let Some(count) = counts.get_mut(number as usize).filter(|_| TEXTS[*of] == kind) {
                *count += 1;
            }
        }
        labels = Some((chunk, of_chunk));
    }
    Ok(counts)
}

/// The dictionaries of the texts of a game, as indices of [`TEXTS`].
const TEXTS_OF_GAME: [usize; 6] = [0, 0, 1, 2, 3, 4];

/// The numbers of these texts.
fn texts_of(labels: &Labels, at: usize) -> [u32; 6] {
    let [white, black] = [Color::White, Color::Black].map(|color| labels.name(at, color));
    [white, black, labels.event(at), labels.site(at), labels.variant(at), labels.opening(at)]
}

/// Reads the games of a segment one after another, without those that are left out.
struct Source<'m, 'a, S> {
    segment: &'m MergedSegment<'a, S>,
    index: usize,
    /// The new numbers of texts, by the index of [`TEXTS`] and the old number.
    numbers: Vec<Vec<u32>>,
    game: u32,
    facts: Arc<Facts>,
    labels: Arc<Labels>,
    moves: Vec<MovesFrame>,
    tags: Vec<TagsFrame>,
    forms: Arc<Dictionary>,
    /// Where the game begins, if it is set up.
    start: Option<(PositionKey, Board)>,
}

impl<'m, 'a, S: BlobSource> Source<'m, 'a, S> {
    /// At the first game; `None` if there is none.
    fn new(
        segment: &'m MergedSegment<'a, S>,
        index: usize,
        numbers: Vec<Vec<u32>>,
    ) -> Result<Option<Self>, S::Error> {
        let mut source = Self {
            segment,
            index,
            numbers,
            game: 0,
            facts: Arc::default(),
            labels: Arc::default(),
            moves: Vec::new(),
            tags: Vec::new(),
            forms: segment.reader.dictionary(DictionaryKind::Forms)?,
            start: None,
        };
        Ok(source.seek(0)?.then_some(source))
    }

    fn advance(&mut self) -> Result<bool, S::Error> {
        self.seek(self.game + 1)
    }

    /// Goes to a game, or to the next one that is not left out. Returns whether there is one.
    fn seek(&mut self, game: u32) -> Result<bool, S::Error> {
        let (segment, reader) = (self.segment, &self.segment.reader);
        let header = reader.header();
        let Some(next) = (game..header.games).find(|game| !segment.is_left_out(*game)) else {
            return Ok(false);
        };
        let before = (self.facts.len() > 0).then_some(self.game);
        let is_in =
            |games: usize| before.is_some_and(|b| b as usize / games == next as usize / games);
        if !is_in(FACTS_A_CHUNK) {
            let chunk = next / FACTS_A_CHUNK as u32;
            (self.facts, self.labels) = (reader.facts(chunk)?, reader.labels(chunk)?);
        }
        if !is_in(MOVES_A_FRAME * FRAMES_A_BLOB) {
            self.moves = reader.moves_frames(next as usize / (MOVES_A_FRAME * FRAMES_A_BLOB))?;
        }
        if !is_in(TAGS_A_FRAME * FRAMES_A_BLOB) {
            let blob = next as usize / (TAGS_A_FRAME * FRAMES_A_BLOB);
            self.tags = reader.tags_frames(blob, &self.forms)?;
        }
        self.game = next;
        self.moves().map_err(|fault| reader.damaged(fault))?;
        let is_set_up = (header.initial..header.counted).contains(&next);
        let start = if is_set_up { reader.game(next)?.start_board() } else { None };
        self.start = start.map(|board| (board.key(), board));
        Ok(true)
    }

    fn at(&self) -> usize {
        self.game as usize % FACTS_A_CHUNK
    }

    fn moves(&self) -> Result<GameMoves<'_>, DamagedSegment> {
        const NO_MOVES: DamagedSegment = DamagedSegment::new("a game has no moves");
        let frame = self.game as usize / MOVES_A_FRAME % FRAMES_A_BLOB;
        self.moves.get(frame).ok_or(NO_MOVES)?.get(self.game as usize % MOVES_A_FRAME)
    }

    fn codes(&self) -> &[u8] {
        self.moves().map_or(&[], |moves| moves.codes)
    }

    /// 0 for games from the initial position, 1 for others that count, 2 for the rest.
    fn class(&self) -> u8 {
        let header = self.segment.reader.header();
        u8::from(self.game >= header.initial) + u8::from(self.game >= header.counted)
    }

    /// Which game comes first in a segment.
    fn compare(&self, other: &Self) -> Ordering {
        let print = |source: &Self| source.labels.fingerprint(source.at());
        let start = |source: &Self| source.start.map(|(key, _)| key);
        self.class()
            .cmp(&other.class())
            .then_with(|| start(self).cmp(&start(other)))
            .then_with(|| self.codes().cmp(other.codes()))
            .then_with(|| print(self).cmp(&print(other)))
            .then_with(|| self.index.cmp(&other.index))
    }

    /// What is known of the game, with the new numbers of its texts.
    fn row(&self) -> Result<FactsRow, DamagedSegment> {
        let (facts, labels, at) = (&self.facts, &self.labels, self.at());
        let mut texts = texts_of(labels, at);
        for (kind, number) in TEXTS_OF_GAME.into_iter().zip(&mut texts) {
            let new = self.numbers[kind].get(*number as usize).filter(|new| **new < u32::MAX);
            *number = *new.ok_or(DamagedSegment::new("a label refers to no text"))?;
        }
        let [white, black, event, site, variant, opening] = texts;
        let details = Details {
            result: facts.result(at),
            plies: labels.plies(at) as usize,
            date: facts.date(at),
            played_at: facts.played_at(at),
            ratings: [Color::White, Color::Black].map(|color| facts.rating(at, color)),
            speed: facts.speed(at),
            is_rated: facts.is_rated(at),
        };
        Ok(FactsRow {
            details,
            names: [white, black],
            event,
            site,
            variant,
            opening,
            shared: 0,
            next: 0,
            fingerprint: labels.fingerprint(at),
            arrival: facts.arrival(at).saturating_add(self.segment.arrivals),
        })
    }
}

/// Games that are packed together.
#[derive(Default)]
struct Window {
    codes: Lists<u8>,
    rests: Lists<u8>,
    rows: Vec<FactsRow>,
    tags: Vec<TagParts>,
}

/// Writes games in the order of their moves.
struct Writer<'s> {
    unindexed: Unindexed,
    tags: MergedTags<'s>,
    /// The class and the start of the last game.
    last: Option<(u8, Option<PositionKey>)>,
    window: Window,
    moves: JoinedItems,
    frames: JoinedItems,
}

impl Writer<'_> {
    /// Adds the game of a source.
    fn add<S: BlobSource>(&mut self, source: &Source<'_, '_, S>) -> Result<(), S::Error> {
        self.push(source).map_err(|fault| source.segment.reader.damaged(fault))
    }

    fn push<S: BlobSource>(&mut self, source: &Source<'_, '_, S>) -> Result<(), DamagedSegment> {
        let (window, unindexed) = (&mut self.window, &mut self.unindexed);
        let (mut row, moves, class) = (source.row()?, source.moves()?, source.class());
        let place = (class, source.start.map(|(key, _)| key));
        let before = window.codes.len().checked_sub(1).map(|last| window.codes.get(last));
        let shared = (self.last == Some(place))
            .then(|| shared_moves(before.unwrap_or(&unindexed.last), moves.codes));
        self.last = Some(place);
        row.shared = shared.unwrap_or(0);
        let next = moves.codes.get(usize::from(row.shared));
        row.next = next.map_or(0, |code| u16::from(*code) + 1);
        let start = source.start.map(|(_, board)| board);
        unindexed.push((moves.codes, shared), start, &row, class);
        window.codes.push(moves.codes);
        window.rests.push(moves.rest);
        window.rows.push(row);
        let frame = source.game as usize / TAGS_A_FRAME % FRAMES_A_BLOB;
        let frame = source.tags.get(frame).ok_or(DamagedSegment::new("a game has no tags"))?;
        let full = self.tags.push(source.index, frame, source.game as usize % TAGS_A_FRAME)?;
        window.tags.extend(full);
        Ok(())
    }

    fn write_window<K: SegmentSink>(
        &mut self,
        executor: &impl Executor,
        sink: &mut K,
    ) -> Result<(), K::Error> {
        let window = std::mem::take(&mut self.window);
        let chunks = executor.map(window.rows.chunks(FACTS_A_CHUNK).collect(), |rows| {
            pack_facts(rows.iter().copied())
        });
        for chunk in chunks {
            let sums = &mut self.unindexed.header.sums;
            sums.push(add_facts(sink, sums.len() as u32, chunk)?);
        }
        let frames = (0..window.codes.len()).step_by(MOVES_A_FRAME).collect();
        let frames = executor.map(frames, |first| {
            let games = first..(first + MOVES_A_FRAME).min(window.codes.len());
            pack_moves(games.map(|game| GameMoves {
                codes: window.codes.get(game),
                rest: window.rests.get(game),
            }))
        });
        frames.into_iter().try_for_each(|frame| self.moves.push(frame, sink))?;
        let frames = executor.map(window.tags, |parts| pack_frame(&parts.forms, &parts.columns));
        frames.into_iter().try_for_each(|frame| self.frames.push(frame, sink))?;
        if let Some(last) = window.codes.len().checked_sub(1) {
            self.unindexed.last = window.codes.get(last).to_vec();
        }
        Ok(())
    }

    fn finish<K: SegmentSink>(
        mut self,
        executor: &impl Executor,
        sink: &mut K,
    ) -> Result<Unindexed, K::Error> {
        self.window.tags.extend(self.tags.rest());
        self.write_window(executor, sink)?;
        self.moves.finish(sink)?;
        self.frames.finish(sink)?;
        self.unindexed.header.shared_columns =
            self.tags.columns.iter().map(Option::is_some).collect();
        Ok(self.unindexed)
    }
}
