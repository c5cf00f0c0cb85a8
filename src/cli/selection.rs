//! Which games a command is about: one set of flags, and what becomes of them.

use std::ops::RangeInclusive;

use clap::Args;
use eco::catalogue::{Catalogue, ParseCodesError, Query};
use eco::classify::{Classified, Classifier, NamedAt};
use eco::pgn::{Block, Game, GameDate};
use eco::select::{
    BlockPeople, Fingerprint, GameInfo, Match, People, Player, RatingOf, Selection, Selector,
    Speed, TagPart, UnknownPlayer, VariantName, WantedResult, parse_numbers, parse_ratings,
};
use eco::store::{Explorer, RepertoireInfo};
use eco::{chess::Color, stats::ScoredGame};

use super::completion::{Choice, one_of, players};
use super::{args::SIDES, outcome::Failure, repeats::Turn, settings};

/// Which games are meant.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(super) struct SelectionArgs {
    #[command(flatten)]
    pub(super) conditions: ConditionArgs,

    /// Only games in which the player has this colour
    #[arg(long, value_parser = one_of(SIDES), value_name = "COLOR")]
    color: Option<Color>,
}

/// Which games are meant, where the colour of the player is known.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(super) struct ConditionArgs {
    /// Only games of this player; case, accents and the order of `Last, First` do not matter. Every
    /// flag of the selection that takes a text or a list may be repeated: a game of any of them
    /// passes
    #[arg(long, alias = "alias", value_name = "NAME", value_parser = parse_player)]
    #[arg(add = players())]
    pub(super) player: Vec<String>,

    /// Only games against this player
    #[arg(long, value_name = "NAME", value_parser = parse_player, add = players())]
    opponent: Vec<String>,

    /// Only games with these codes: B90, B9, B or B90-B99
    #[arg(long, value_name = "CODES", value_delimiter = ',', value_parser = parse_codes)]
    eco: Vec<String>,

    /// Only openings whose name has these words, as `eco search` finds them
    #[arg(long, value_name = "WORDS", value_parser = parse_words)]
    opening: Vec<Query>,

    /// Only these results: 1-0, 0-1, 1/2-1/2 or *; with a player also win, loss or draw
    #[arg(long, value_name = "RESULT", value_delimiter = ',')]
    result: Vec<WantedResult>,

    /// Only games on or after this date: 2021, 2021-05 or 2021-05-13. A game dated by its year or
    /// month alone is left out only if all of it is too early; one without a date is left out
    #[arg(long, value_name = "DATE")]
    since: Option<GameDate>,

    /// Only games on or before this date; 2021 is the end of that year
    #[arg(long, value_name = "DATE")]
    until: Option<GameDate>,

    /// Only games of players rated MIN..MAX, MIN.. or ..MAX; a player without a rating is left out
    #[arg(long, value_name = "RANGE", value_parser = parse_ratings)]
    rating: Option<RangeInclusive<u16>>,

    /// Whose rating that is [default: both players']
    #[arg(long, value_parser = one_of(RATED), value_name = "WHO", requires = "rating")]
    rating_of: Option<RatingOf>,

    /// Only games of this speed by lichess's rule (base time plus 40 increments): ultraBullet,
    /// bullet, blitz, rapid, classical, correspondence
    #[arg(long, value_name = "SPEED", value_delimiter = ',')]
    speed: Vec<Speed>,

    /// Only rated games, by the tag Rated or by lichess's Event
    #[arg(long, conflicts_with = "casual")]
    rated: bool,

    /// Only casual games, likewise
    #[arg(long)]
    casual: bool,

    /// Only games with this text in the tag Event; case and accents do not matter
    #[arg(long, value_name = "TEXT", value_parser = parse_text)]
    event: Vec<String>,

    /// Only games with this text in the tag Site
    #[arg(long, value_name = "TEXT", value_parser = parse_text)]
    site: Vec<String>,

    /// Only games of this variant; standard if they name none or From Position, which alone selects
    /// standard chess from another start
    #[arg(long, value_name = "NAME", value_parser = parse_text)]
    variant: Vec<String>,

    /// Only these games of each input, by number: 7, 7-12 or 7-
    #[arg(long, value_name = "N,N-M", value_delimiter = ',', value_parser = parse_numbers)]
    game: Vec<RangeInclusive<u64>>,

    /// Only games with this value of a tag, exactly: Round=1.2. Several names must all fit, of
    /// several values for one name any. Round= is a missing or empty tag
    #[arg(long, value_name = "NAME=VALUE", value_parser = parse_tag)]
    tag: Vec<(String, String)>,

    /// Only games with at least this number of half-moves, as written
    #[arg(long, value_name = "N", default_value = "0", hide_default_value = true)]
    min_plies: usize,
}

const RATED: &[Choice<RatingOf>] =
    &[("player", "", RatingOf::Player), ("opponent", "", RatingOf::Opponent)];

/// The name of a player. An empty name would select everybody's games.
fn parse_player(text: &str) -> Result<String, &'static str> {
    if Player::new(text).is_nobody() {
        return Err("expected the name of a player");
    }
    Ok(text.trim().to_owned())
}

fn parse_codes(text: &str) -> Result<String, ParseCodesError> {
    if text.split_whitespace().nth(1).is_some() {
        return Err(ParseCodesError::NoCodes);
    }
    Query::from_codes(text).map(|_| text.to_owned())
}

fn parse_words(text: &str) -> Result<Query, &'static str> {
    let query = Query::new(text);
    if query.is_empty() { Err("expected words or codes to search for") } else { Ok(query) }
}

fn parse_text(text: &str) -> Result<String, &'static str> {
    if text.trim().is_empty() { Err("expected a text") } else { Ok(text.trim().to_owned()) }
}

fn parse_tag(text: &str) -> Result<(String, String), &'static str> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected NAME=VALUE, such as Round=1.2"),
    }
}

impl SelectionArgs {
    /// What is selected of the games of collections.
    ///
    /// # Errors
    ///
    /// As [`selection`](Self::selection), and if games are asked for by number.
    pub(super) fn selection_of_kept(&self) -> Result<Selection, Failure> {
        let selection = self.selection()?;
        if !selection.games.is_empty() {
            return Err(Failure(
                "--game is not for this; `eco filter --game` selects games of a file or a database \
                 by number"
                    .to_owned(),
            ));
        }
        Ok(selection)
    }

    /// What is selected.
    ///
    /// # Errors
    ///
    /// If a flag needs another one, or no game can have what the flags ask for.
    pub(super) fn selection(&self) -> Result<Selection, Failure> {
        let mut selection = self.conditions.selection()?;
        selection.color = self.color;
        let asks_for_somebody = !(selection.players.is_empty() && selection.opponents.is_empty());
        for (is_given, what) in [
            (self.color.is_some(), "--color goes"),
            (selection.results.iter().any(|r| r.needs_player()), "--result win, loss and draw go"),
            (self.conditions.rating_of.is_some(), "--rating-of goes"),
        ] {
            if is_given && !asks_for_somebody {
                return Err(Failure(format!("{what} with --player or --opponent")));
            }
        }
        Ok(selection)
    }
}

impl ConditionArgs {
    /// What is selected, by whichever colour.
    ///
    /// # Errors
    ///
    /// If no game can have what the flags ask for.
    pub(super) fn selection(&self) -> Result<Selection, Failure> {
        let people = |names: &[String]| names.iter().map(|name| Player::new(name)).collect();
        let parts = |texts: &[String]| texts.iter().map(|text| TagPart::new(text)).collect();
        let mut selection = Selection::default();
        selection.players = people(&self.player);
        selection.opponents = people(&self.opponent);
        selection.eco = (!self.eco.is_empty()).then(|| Query::new(&self.eco.join(" ")));
        selection.openings.clone_from(&self.opening);
        selection.results.clone_from(&self.result);
        (selection.since, selection.until) = (self.since, self.until);
        selection.rating.clone_from(&self.rating);
        selection.rating_of = self.rating_of.unwrap_or(RatingOf::Both);
        selection.speeds.clone_from(&self.speed);
        selection.rated = (self.rated || self.casual).then_some(self.rated);
        (selection.events, selection.sites) = (parts(&self.event), parts(&self.site));
        selection.variants = self.variant.iter().map(|name| VariantName::new(name)).collect();
        selection.games.clone_from(&self.game);
        selection.tags.clone_from(&self.tag);
        selection.min_plies = self.min_plies;
        selection.check_dates()?;
        Ok(selection)
    }

    /// The selected games of the players of a repertoire, or of those who are named, with its
    /// colour.
    pub(super) fn selection_of(&self, info: &RepertoireInfo) -> Result<Selection, Failure> {
        let mut selection = self.selection()?;
        selection.color = Some(info.color);
        if selection.players.is_empty() {
            selection.players = info.players.iter().map(|name| Player::new(name)).collect();
        }
        Ok(selection)
    }

    /// The names that were typed, each of which somebody in the games should have. Of several names
    /// of the user, a file has one.
    pub(super) fn people(&self) -> Vec<String> {
        let typed = self.player.iter().chain(&self.opponent);
        typed.filter(|name| !settings::is_one_of_mine(name)).cloned().collect()
    }
}

/// The games that a run is about, and the people in them. Workers share it.
pub(super) struct SelectedGames<'c> {
    /// `None` for all games.
    selector: Option<Selector<'c>>,
    people: People,
}

impl<'c> SelectedGames<'c> {
    /// Games of a selection, for which people of these names were asked for.
    ///
    /// # Errors
    ///
    /// If the catalogue has none of the openings that are asked for.
    pub(super) fn new(
        selection: Selection,
        people: Vec<String>,
        classifier: Classifier<'c>,
    ) -> Result<Self, Failure> {
        check_openings(&selection, &[classifier.catalogue()])?;
        let selector = (!selection.is_everything()).then(|| Selector::new(selection, classifier));
        Ok(Self { selector, people: People::new(people) })
    }

    /// What selects the games of a block; `None` if all games are selected.
    pub(super) fn in_block<'s, 'b>(&'s self, _: &'b Block) -> Option<BlockSelection<'s, 'c, 'b>> {
        let selector = self.selector.as_ref()?;
        Some(BlockSelection { selector, people: self.people.in_block(), info: GameInfo::default() })
    }

    /// Hands on the selected games of a block, with what is counted of them and the sides that they
    /// count for. If the block has a turn, games that came before are left out.
    pub(super) fn each_scored<'b>(
        &self,
        block: &'b Block,
        classifier: &Classifier<'c>,
        turn: Option<Turn<'_>>,
        mut count: impl FnMut(&Game<'b>, &ScoredGame<'b, 'c>, &[Color]),
    ) {
        let mut selected = self.in_block(block);
        if selected.is_none() && turn.is_none() {
            for game in block.games() {
                count(&game, &ScoredGame::read(classifier, &game), &[]);
            }
            return;
        }
        let mut score = |game: &Game<'b>| match &mut selected {
            None => Some((ScoredGame::read(classifier, game), Vec::new())),
            Some(selected) => selected.score(game, classifier),
        };
        let Some(turn) = turn else {
            for game in block.games() {
                if let Some((scored, sides)) = score(&game) {
                    count(&game, &scored, &sides);
                }
            }
            return;
        };
        let scored = block.games().filter_map(|game| score(&game).map(|scored| (game, scored)));
        let scored: Vec<_> = scored.collect();
        let games: Vec<Fingerprint> =
            scored.iter().map(|(game, _)| Fingerprint::of_game(game)).collect();
        for ((game, (scored, sides)), is_first) in scored.iter().zip(turn.are_first(&games)) {
            if is_first {
                count(game, scored, sides);
            }
        }
    }

    /// Looks for the people in a block.
    pub(super) fn meet_people(&self, block: &Block) {
        if self.people.are_found() {
            return;
        }
        let Some(mut selection) = self.in_block(block) else { return };
        block.games().for_each(|game| selection.read(&game));
    }

    /// Whether nobody was asked for.
    pub(super) fn are_of_nobody(&self) -> bool {
        self.people.are_nobody()
    }

    /// Whether several people were asked for.
    pub(super) fn are_of_several(&self) -> bool {
        self.people.are_several()
    }

    /// Whether all who were asked for were met.
    pub(super) fn have_met_all(&self) -> bool {
        self.people.are_found()
    }

    /// Says which other spellings the input has of the names of people, where games were
    /// [scored](Self::each_scored).
    pub(super) fn other_spellings(&self) -> impl Iterator<Item = String> {
        self.people.other_spellings()
    }

    /// Checks that the people who were asked for are found, once all games are read.
    ///
    /// # Errors
    ///
    /// If one of them is in no game.
    pub(super) fn check_people(&self) -> Result<(), Failure> {
        let missing = self.people.missing();
        if missing.is_empty() {
            return Ok(());
        }
        let hint = ": `eco classify --fields white,black` lists the players";
        let Failure(text) = unknown(missing, hint);
        Err(Failure(format!("{text}; nothing was written")))
    }
}

/// Checks that one of the catalogues has an opening that is asked for.
///
/// # Errors
///
/// If none has one.
pub(super) fn check_openings(
    selection: &Selection,
    catalogues: &[&Catalogue],
) -> Result<(), Failure> {
    selection
        .check_openings(catalogues)
        .map_err(|error| Failure(format!("{error}; `eco search` finds openings by code or name")))
}

/// The failure of a run that asked for these players. Where no name is near, a hint says where the
/// names are.
pub(super) fn unknown(players: Vec<UnknownPlayer>, hint: &str) -> Failure {
    let advice = players.into_iter().map(|player| match player.nearest.is_empty() {
        true => format!("{player}{hint}"),
        false => player.to_string(),
    });
    let advice: Vec<String> = advice.collect();
    Failure(advice.join("; "))
}

/// When more is read of a game than its tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    /// If the game is selected, or to select it.
    Always,
    /// To select it.
    ToSelect,
}

/// Selects games of a block.
pub(super) struct BlockSelection<'s, 'c, 'b> {
    selector: &'s Selector<'c>,
    people: BlockPeople<'s>,
    info: GameInfo<'b>,
}

impl<'c, 'b> BlockSelection<'_, 'c, 'b> {
    fn read(&mut self, game: &Game<'b>) {
        self.info.read_next(game);
        self.people.meet(&self.info);
    }

    /// Whether a game is selected.
    pub(super) fn select(&mut self, game: &Game<'b>) -> Option<Match> {
        self.read(game);
        self.selector.select(&self.info)
    }

    /// The verdict of a game, if it is selected.
    pub(super) fn classify<'g>(
        &mut self,
        game: &Game<'b>,
        classify: impl Fn() -> Classified<'g, 'c>,
    ) -> Option<Classified<'g, 'c>> {
        let named = |game: &Classified<'g, 'c>| game.verdict.named;
        self.select_read(game, Read::Always, classify, named)?.1
    }

    /// A game as it is counted, and the sides that it counts for, if it is selected.
    pub(super) fn score(
        &mut self,
        game: &Game<'b>,
        classifier: &Classifier<'c>,
    ) -> Option<(ScoredGame<'b, 'c>, Vec<Color>)> {
        let read = || ScoredGame::read(classifier, game);
        let selected = self.select_read(game, Read::Always, read, ScoredGame::named);
        self.people.count_spellings(&self.info);
        let (found, scored) = selected?;
        Some((scored?, found.sides().collect()))
    }

    /// How a game is selected, if it is, and what was read of it. It is read once at most: where
    /// the name decides, before it is selected, and else only if it is.
    pub(super) fn select_read<T>(
        &mut self,
        game: &Game<'b>,
        when: Read,
        read: impl Fn() -> T,
        named: impl Fn(&T) -> Option<NamedAt<'c>>,
    ) -> Option<(Match, Option<T>)> {
        self.read(game);
        let mut found = None;
        let matched = self.selector.select_named(&self.info, || named(found.insert(read())))?;
        match when {
            Read::Always => Some((matched, Some(found.unwrap_or_else(read)))),
            Read::ToSelect => Some((matched, found)),
        }
    }
}

/// Checks that a game has each of these people.
///
/// # Errors
///
/// If there are games, but none of somebody who was asked for; or the file cannot be read.
pub(super) fn check_kept_people(explorer: &Explorer, names: &[String]) -> Result<(), Failure> {
    let mut missing = Vec::new();
    for name in names {
        missing.extend(explorer.unknown_player(name)?);
    }
    if missing.is_empty() { Ok(()) } else { Err(unknown(missing, "")) }
}

/// Checks that there is an opening that is asked for: in the catalogue of the command, or in the
/// built-in one, by which games may have been named when they were added.
///
/// # Errors
///
/// If there is none.
pub(super) fn check_kept_openings(
    selection: &Selection,
    stored: Option<&Catalogue>,
) -> Result<(), Failure> {
    let builtin = || selection.asks_for_opening().then(Catalogue::builtin);
    let catalogues: Vec<&Catalogue> = stored.into_iter().chain(builtin()).collect();
    check_openings(selection, &catalogues)
}
