//! Runs `eco filter`.

use std::{
    collections::HashSet,
    io::{self, ErrorKind},
    path::Path,
    sync::Arc,
};

use eco::{
    catalogue::Catalogue,
    classify::Classifier,
    pgn::{Compression, source::Source},
    pipeline::{self, Options},
};

use super::{
    args::FilterArgs,
    joint::Joint,
    kept::{Keeper, Kept, KeptGame, Origin, Stream},
    split::Split,
};
use crate::cli::{
    games::{FedChunk, feed_with_line_ends, find_part, inputs, options, total_size},
    masters::own_catalogue_at,
    outcome::{Failure, Outcome, say},
    pgn_output::{PgnOutput, check_name, check_packing, refuse_nested},
    progress::{Progress, Results},
    replace::{Inputs, cannot_write},
    selection::SelectedGames,
};

/// Writes the selected games.
pub(in crate::cli) fn run(args: &FilterArgs) -> Result<Outcome, Failure> {
    let inputs = inputs(&args.input.inputs, "filter")?;
    let selection = args.selection.selection()?;
    let path = args.output.as_deref().filter(|path| path.as_os_str() != "-");
    check_outputs(args, path)?;
    let stored = own_catalogue_at(args.naming.db.as_deref())?;
    let catalogue = stored.as_ref().unwrap_or_else(|| Catalogue::builtin());
    let classifier = Classifier::new(catalogue);
    let (sources, errors) = find_part(&inputs, &args.part)?;
    if let Some(folder) = &args.output_folder {
        refuse_nested(folder, &inputs)?;
    }
    let people = args.selection.conditions.people();
    let is_unique = args.repeats.unique;
    let takes_all = selection.is_everything() && args.split_by.is_none() && !is_unique;
    let long_text = if takes_all { LongText::Written } else { LongText::LeftOut };
    let selected = SelectedGames::new(selection, people, classifier)?;
    let options = options(&args.run);
    selected.find_several(&sources, &options)?;
    let keeper = Keeper { selected, classifier, split: args.split_by, is_unique };
    let mut copy = Copy::new(Target::open(args, path, &Inputs::of(&sources))?, long_text);
    let results = if copy.target.is_stdout() { Results::Stdout } else { Results::Elsewhere };
    let progress = Progress::new(total_size(&sources), results, &args.run);
    errors.iter().for_each(|error| progress.complain(error));
    let name = match (&args.output_folder, path) {
        (Some(folder), _) => folder.display().to_string(),
        (None, Some(path)) => path.display().to_string(),
        (None, None) => "standard output".to_owned(),
    };
    let copied = copy_games(&keeper, &sources, &options, &mut copy, &progress);
    let Copy { target, games, kept, .. } = copy;
    progress.finish(games);
    if copied.is_ok() {
        keeper.selected.check_people()?;
    }
    // Where nothing could be read, an old file stays.
    let is_unread = games == 0 && progress.complaints() > 0 && !target.is_stdout();
    let written = if is_unread { Ok(None) } else { copied.and_then(|()| target.finish()) };
    match written {
        // The reader has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe && name == "standard output" => {
            return Ok(Outcome::Done);
        }
        Err(error) => return Err(cannot_write(&name, &error)),
        Ok(files) if !args.run.quiet => {
            let files = files.map_or(String::new(), |files| format!(" in {files} files"));
            say(&format_args!("{kept} of {games} games are selected{files}"));
        }
        Ok(_) => {}
    }
    Ok(if progress.complaints() > 0 { Outcome::Incomplete } else { Outcome::Done })
}

/// Checks that the names of outputs promise what can be written.
fn check_outputs(args: &FilterArgs, path: Option<&Path>) -> Result<(), Failure> {
    let name = match (path, args.split_by) {
        (Some(path), _) => path.to_owned(),
        (None, Some(_)) => format!("x.{}", args.extension.0).into(),
        (None, None) => "x".into(),
    };
    check_name(&name)?;
    check_packing(Compression::of_name(&name), &args.packing)
}

/// Where games go.
enum Target {
    One(Box<One>),
    Split(Box<Split>),
}

/// One output.
struct One {
    out: PgnOutput,
    joint: Joint,
    /// What is written next.
    bytes: Vec<u8>,
}

impl Target {
    fn open(args: &FilterArgs, path: Option<&Path>, read: &Inputs) -> Result<Self, Failure> {
        if let Some(folder) = &args.output_folder {
            let split = Split::begin(folder, &args.extension.0, args.packing.level, read)?;
            return Ok(Self::Split(Box::new(split)));
        }
        let out = PgnOutput::open(path, args.packing.packing(&args.run), read)?;
        Ok(Self::One(Box::new(One { out, joint: Joint::default(), bytes: Vec::new() })))
    }

    fn is_stdout(&self) -> bool {
        matches!(self, Self::One(one) if matches!(one.out, PgnOutput::Stdout(_)))
    }

    /// Adds a game, and returns the files that it went to.
    fn add(&mut self, origin: &Origin, game: &KeptGame, bytes: &[u8]) -> io::Result<Vec<usize>> {
        match self {
            Self::One(one) => {
                let id = (origin.stream, game.number);
                let between = one.joint.before(id, bytes);
                one.joint.after(id, bytes);
                one.push(origin, &between);
                one.push(origin, bytes);
                Ok(vec![0])
            }
            Self::Split(split) => {
                let keys = game.keys.iter();
                keys.map(|key| split.add(key, origin, game.number, bytes)).collect()
            }
        }
    }

    /// Adds text that stands before all games of a stream. Of several files it belongs to none.
    fn add_text(&mut self, origin: &Origin, text: &[u8]) {
        if let Self::One(one) = self {
            let between = one.joint.before((origin.stream, 0), text);
            one.joint.after_text(origin.stream, &between, text);
            one.push(origin, &between);
            one.push(origin, text);
        }
    }

    /// Adds more of the game that went to these files.
    fn add_more(&mut self, origin: &Origin, files: &[usize], bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::One(one) if !files.is_empty() => {
                one.joint.after_more(bytes);
                one.push(origin, bytes);
                Ok(())
            }
            Self::One(_) => Ok(()),
            Self::Split(split) => {
                files.iter().try_for_each(|file| split.add_more(*file, origin, bytes))
            }
        }
    }

    /// Writes what was added.
    fn write(&mut self) -> io::Result<()> {
        match self {
            Self::One(one) if !one.bytes.is_empty() => {
                one.out.write(&one.bytes)?;
                one.bytes.clear();
                Ok(())
            }
            Self::One(_) | Self::Split(_) => Ok(()),
        }
    }

    /// Puts files in their places, and returns their number if there are several.
    fn finish(self) -> io::Result<Option<usize>> {
        match self {
            Self::One(one) => one.out.finish().map(|()| None),
            Self::Split(split) => split.finish().map(Some),
        }
    }
}

impl One {
    fn push(&mut self, origin: &Origin, bytes: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(bytes);
        origin.line_ends.restore(&mut self.bytes[start..]);
    }
}

/// The longest text before the first game of a stream that is held until that game is known.
const MAX_TEXT: usize = 4 << 20;

/// What becomes of a longer text, and of one that no game follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LongText {
    /// It is written: so is all that follows.
    Written,
    /// It is left out.
    LeftOut,
}

/// The text before the first game of a stream.
enum Preamble {
    /// It goes with the game.
    Held(Vec<u8>),
    /// It was too long for that.
    Long,
}

/// The games of all streams, as they are copied one after the other.
struct Copy {
    target: Target,
    games: u64,
    kept: u64,
    /// The stream that was copied last.
    stream: Option<Stream>,
    /// The number of streams so far.
    streams: u64,
    /// What stands before the first game of the stream.
    preamble: Preamble,
    long_text: LongText,
    /// Whether the stream has had a game.
    has_game: bool,
    /// The files that its last game went to.
    files: Vec<usize>,
}

impl Copy {
    fn new(target: Target, long_text: LongText) -> Self {
        Self {
            target,
            games: 0,
            kept: 0,
            stream: None,
            streams: 0,
            preamble: Preamble::Held(Vec::new()),
            long_text,
            has_game: false,
            files: Vec::new(),
        }
    }

    /// Copies what was kept of the next block.
    fn block(&mut self, kept: &Kept) -> io::Result<()> {
        let is_same = |last: &Stream| Arc::ptr_eq(&last.name, &kept.stream.name);
        if !self.stream.as_ref().is_some_and(is_same) {
            self.end_stream();
            self.stream = Some(kept.stream.clone());
            self.streams += 1;
            (self.has_game, self.files) = (false, Vec::new());
        }
        let origin = &Origin { stream: self.streams, line_ends: kept.stream.line_ends };
        let before = &kept.bytes[..kept.before];
        match self.has_game {
            true => self.target.add_more(origin, &self.files, before)?,
            false => self.add_text(origin, before)?,
        }
        for game in &kept.games {
            let bytes = &kept.bytes[game.range.clone()];
            self.files = match &self.preamble {
                Preamble::Held(text) if game.number == 1 && !text.is_empty() => {
                    self.target.add(origin, game, &[text, bytes].concat())?
                }
                _ => self.target.add(origin, game, bytes)?,
            };
        }
        if let Some(last) = kept.last {
            self.has_game = true;
            self.preamble = Preamble::Held(Vec::new());
            if kept.games.last().is_none_or(|game| game.number != last) {
                self.files.clear();
            }
        }
        self.games += kept.read;
        self.kept += kept.games.len() as u64;
        self.target.write()
    }

    /// Adds text before the first game of the stream.
    fn add_text(&mut self, origin: &Origin, text: &[u8]) -> io::Result<()> {
        let is_written = self.long_text == LongText::Written;
        match &mut self.preamble {
            Preamble::Held(held) => {
                held.extend_from_slice(text);
                if held.len() > MAX_TEXT {
                    if is_written {
                        self.target.add_text(origin, held);
                    }
                    self.preamble = Preamble::Long;
                }
                Ok(())
            }
            Preamble::Long if is_written => self.target.add_more(origin, &[0], text),
            Preamble::Long => Ok(()),
        }
    }

    /// Adds the text of a stream that had no game.
    fn end_stream(&mut self) {
        let text = std::mem::replace(&mut self.preamble, Preamble::Held(Vec::new()));
        if let (Preamble::Held(text), Some(stream)) = (text, &self.stream)
            && self.long_text == LongText::Written
            && !text.is_empty()
        {
            let origin = Origin { stream: self.streams, line_ends: stream.line_ends };
            self.target.add_text(&origin, &text);
        }
    }

    /// Copies what is left at the end of all streams.
    fn finish(&mut self) -> io::Result<()> {
        self.end_stream();
        self.target.write()
    }
}

fn copy_games(
    keeper: &Keeper<'_>,
    sources: &[Source],
    options: &Options,
    copy: &mut Copy,
    progress: &Progress,
) -> io::Result<()> {
    let mut seen = HashSet::new();
    let copied: io::Result<()> = pipeline::run(
        &options.workers,
        |push| feed_with_line_ends(sources, options.blocks, push, progress),
        |(name, line_ends, chunk): FedChunk| {
            keeper.block(Stream { name, line_ends }, &chunk.into_block())
        },
        |mut kept: Kept| {
            // Results come in the order of the input.
            kept.games.retain(|game| game.fingerprint.is_none_or(|game| seen.insert(game)));
            copy.block(&kept)?;
            progress.update(copy.games);
            Ok(())
        },
    );
    copied?;
    copy.finish()
}
