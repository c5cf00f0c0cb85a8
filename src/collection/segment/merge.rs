//! Several segments in, one out: their games are read and written in the order of their moves, and
//! none is in memory for long.

use std::{cmp::Ordering, sync::Arc};

use super::blobs::{DictionaryKind, TEXTS};
use super::facts::{FACTS_A_CHUNK, Facts, FactsRow, Labels, TEXTS_OF_GAME, TraceColumn};
use super::game_moves::{FRAMES_A_BLOB, GameMoves, MOVES_A_FRAME, MovesOfGames, NO_MOVES};
use super::merged_tags::{MergedTags, TagDictionaries};
use super::reader::{BlobSource, SegmentReader};
use super::tag_columns::{NO_TAGS, TAGS_A_FRAME, TagsFrame};
use super::writer::{NextGame, add_columns, add_dictionary, write_games};
use super::{
    bytes::DamagedSegment, dictionary::Dictionary, sink::SegmentSink, unindexed::Unindexed,
};
use crate::{chess::Board, executor::Executor};

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
    let mut tags = MergedTags::new(&tags).map_err(|fault| first.reader.damaged(fault))?;
    add_dictionary(sink, DictionaryKind::Forms, &tags.forms)?;
    let mut sources = Vec::new();
    for (index, (segment, numbers)) in segments.iter().zip(numbers).enumerate() {
        sources.extend(Source::new(segment, index, numbers)?);
    }
    let max_ply = segments.iter().map(|segment| segment.reader.header().max_ply).max();
    let games = segments.iter().map(|segment| segment.reader.header().games as usize).sum();
    let max_ply = usize::from(max_ply.unwrap_or(0));
    // The source of the next game is the last one.
    sources.sort_by(|a, b| b.compare(a));
    let mut unindexed = write_games(max_ply, games, executor, sink, |push| {
        while let Some(mut source) = sources.pop() {
            let game = source.next_game(&mut tags);
            push(game.map_err(|fault| source.segment.reader.damaged(fault))?)?;
            if source.seek(source.game + 1)? {
                let at = sources.partition_point(|other| other.compare(&source).is_gt());
                sources.insert(at, source);
            }
        }
        Ok(tags.rest())
    })?;
    add_columns(&mut unindexed, tags.columns.iter().map(Option::as_ref), sink)?;
    Ok(unindexed)
}

/// The dictionary of the texts of segments, and for each of these the new numbers by the old ones.
/// A text that only games have which are left out is not there.
fn join_texts<S: BlobSource>(
    segments: &[MergedSegment<'_, S>],
    kind: DictionaryKind,
) -> Result<(Dictionary, Vec<Vec<u32>>), S::Error> {
    let texts = segments.iter().map(|segment| {
        let dictionary = segment.reader.dictionary(kind)?;
        let left_out = counts_left_out(segment, kind, dictionary.len())?;
        Ok((dictionary, left_out))
    });
    let texts = texts.collect::<Result<Vec<_>, _>>()?;
    Ok(Dictionary::join(texts.iter().map(|(dictionary, left_out)| {
        let counted = dictionary.iter().zip(left_out);
        counted.map(|((text, games), left_out)| (text, games.saturating_sub(*left_out)))
    })))
}

/// For each text, how often games have it that are left out.
fn counts_left_out<S: BlobSource>(
    segment: &MergedSegment<'_, S>,
    kind: DictionaryKind,
    texts: usize,
) -> Result<Vec<u32>, S::Error> {
    let mut counts = vec![0; texts];
    let chunks = (0..).zip(segment.left_out.chunks(FACTS_A_CHUNK));
    for (chunk, left_out) in chunks.filter(|(_, left_out)| left_out.contains(&true)) {
        let labels = segment.reader.labels(chunk)?;
        for (at, _) in left_out.iter().enumerate().filter(|(_, is_out)| **is_out) {
            for (of, number) in TEXTS_OF_GAME.iter().zip(labels.texts(at)) {
                if let Some(count) = counts.get_mut(number as usize).filter(|_| TEXTS[*of] == kind)
                {
                    *count += 1;
                }
            }
        }
    }
    Ok(counts)
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
    traces: Arc<TraceColumn>,
    moves: Vec<MovesOfGames>,
    tags: Vec<TagsFrame>,
    forms: Arc<Dictionary>,
    /// Where the game begins, if it is set up.
    start: Option<Board>,
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
            traces: Arc::default(),
            moves: Vec::new(),
            tags: Vec::new(),
            forms: segment.reader.dictionary(DictionaryKind::Forms)?,
            start: None,
        };
        Ok(source.seek(0)?.then_some(source))
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
            self.traces = reader.traces(chunk)?;
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
        self.start = if is_set_up { reader.game(next)?.start_board() } else { None };
        Ok(true)
    }

    fn at(&self) -> usize {
        self.game as usize % FACTS_A_CHUNK
    }

    fn moves(&self) -> Result<GameMoves<'_>, DamagedSegment> {
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
        let start = |source: &Self| source.start.map(|board| board.key());
        self.class()
            .cmp(&other.class())
            .then_with(|| start(self).cmp(&start(other)))
            .then_with(|| self.codes().cmp(other.codes()))
            .then_with(|| print(self).cmp(&print(other)))
            .then_with(|| self.index.cmp(&other.index))
    }

    /// The game, with the new numbers of its texts.
    fn next_game(&self, tags: &mut MergedTags<'_>) -> Result<NextGame<'_>, DamagedSegment> {
        let (facts, labels, at) = (&self.facts, &self.labels, self.at());
        let row = FactsRow {
            details: facts.details(at, labels),
            texts: labels.texts(at),
            shared: 0,
            next: 0,
            fingerprint: labels.fingerprint(at),
            arrival: facts.arrival(at).saturating_add(self.segment.arrivals),
            traces: self.traces.get(at),
        };
        let row = row.renumbered(&self.numbers)?;
        let frame = self.game as usize / TAGS_A_FRAME % FRAMES_A_BLOB;
        let frame = self.tags.get(frame).ok_or(NO_TAGS)?;
        let tags = tags.push(self.index, frame, self.game as usize % TAGS_A_FRAME)?;
        let (moves, start, class) = (self.moves()?, self.start, self.class());
        Ok(NextGame { row, moves, start, class, tags })
    }
}
