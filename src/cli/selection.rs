//! Which games a command is about: one set of flags, and what becomes of them.

use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use eco::catalogue::Catalogue;
use eco::classify::{Classified, Classifier, NamedAt, Question};
use eco::pgn::{Block, Game};
use eco::select::{
    BlockPeople, ConditionFault, Fingerprint, GameInfo, Match, People, Player, Selection, Selector,
    UnknownPlayer,
};
use eco::store::{Explorer, RepertoireInfo};
use eco::{chess::Color, stats::ScoredGame};

use super::completion::{Choice, one_of, players};
use super::outcome::{Failure, complain, refuse, say};
use super::{args::SIDES, repeats::Turn, settings};

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

/// Which games are meant, where the colour of the player is known. Texts are read by [`Selection`],
/// as those of the web and of Python are.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(super) struct ConditionArgs {
    /// Only games of this player; case, accents and the order of `Last, First` do not matter. Every
    /// option of the selection that takes a text or a list may be repeated: a game with any of the
    /// values passes
    #[arg(long, alias = "alias", value_name = "NAME", value_parser = condition("player"))]
    #[arg(add = players())]
    pub(super) player: Vec<String>,

    /// Only games against this player
    #[arg(long, value_name = "NAME", value_parser = condition("against"), add = players())]
    pub(super) against: Vec<String>,

    /// Only games with these codes: B90, B9, B or B90-B99
    #[arg(long, value_name = "CODES", value_parser = condition("eco"))]
    eco: Vec<String>,

    /// Only openings whose name has these words, as `eco search` finds them
    #[arg(long, value_name = "WORDS", value_parser = condition("opening"))]
    opening: Vec<String>,

    /// Only games that reach this position by any move order: a FEN, moves (1.d4,f5,g3), an address
    /// of lichess or chess.com, a code or a name
    #[arg(long, value_name = "POSITION", value_parser = condition("position"))]
    position: Vec<String>,

    /// Only games with this pawn structure: the placement of a FEN or a diagram, in which ? may be
    /// anything (a rank of one ?, all of it), and pieces count as no pawns: 8/?/????p???/...
    #[arg(long, value_name = "PAWNS", value_parser = condition("structure"))]
    structure: Vec<String>,

    /// Only games with this material, in the same position as the structure: KRPvKR for either
    /// colour, KRPkr for White's and Black's; P* is any number of pawns, P+ one or more
    #[arg(long, value_name = "PIECES", value_parser = condition("material"))]
    material: Vec<String>,

    /// Only where structure and material stay for N half-moves in a row [default: 1]
    #[arg(long, value_name = "N", value_parser = condition("min-plies"))]
    lasting: Option<String>,

    /// Also games that begin in another position
    #[arg(long)]
    pub(super) from_position: bool,

    /// Only these results: 1-0, 0-1, 1/2-1/2 or *; with a player also win, loss or draw
    #[arg(long, value_name = "RESULT", value_parser = condition("result"))]
    result: Vec<String>,

    /// Only games on or after this date: 2021, 2021-05 or 2021-05-13. A game dated by its year or
    /// month alone is left out only if all of it is too early; one without a date is left out
    #[arg(long, value_name = "DATE", value_parser = condition("since"))]
    since: Option<String>,

    /// Only games on or before this date; 2021 is the end of that year
    #[arg(long, value_name = "DATE", value_parser = condition("until"))]
    until: Option<String>,

    /// Only games of players rated MIN..MAX, MIN.. or ..MAX; a player without a rating is left out
    #[arg(long, value_name = "RANGE", value_parser = condition("rating"))]
    rating: Option<String>,

    /// Whose rating counts [default: both players']
    #[arg(long, value_parser = one_of(RATED), value_name = "WHO", requires = "rating")]
    rating_of: Option<&'static str>,

    /// Only games of this speed by lichess's rule (base time plus 40 increments): ultraBullet,
    /// bullet, blitz, rapid, classical, correspondence
    #[arg(long, value_name = "SPEED", value_parser = condition("speed"))]
    speed: Vec<String>,

    /// Only rated games, by the tag Rated or by lichess's Event; --rated=no: only casual games
    #[arg(long, value_name = "yes|no", num_args = 0..=1, require_equals = true)]
    #[arg(default_missing_value = "yes", value_parser = one_of(ANSWERS), hide_possible_values = true)]
    rated: Option<&'static str>,

    /// Only games with this text in the tag Event; case and accents do not matter
    #[arg(long, value_name = "TEXT", value_parser = condition("event"))]
    event: Vec<String>,

    /// Only games with this text in the tag Site
    #[arg(long, value_name = "TEXT", value_parser = condition("site"))]
    site: Vec<String>,

    /// Only games of this variant; standard includes games that name none or From Position, which
    /// by itself selects standard chess from another start
    #[arg(long, value_name = "NAME", value_parser = condition("variant"))]
    variant: Vec<String>,

    /// Only these games of each input, by number: 7, 7-12 or 7-
    #[arg(long, value_name = "N,N-M", value_parser = condition("game"))]
    game: Vec<String>,

    /// Only games with this value of a tag, exactly: Round=1.2. With several names, all must fit;
    /// with several values of one name, any. Round= means a missing or empty tag
    #[arg(long, value_name = "NAME=VALUE", value_parser = condition("tag"))]
    tag: Vec<String>,

    /// Only games with at least this number of half-moves, as written
    #[arg(long, value_name = "N", value_parser = condition("min-plies"))]
    min_plies: Option<String>,

    /// Leave out games with a condition, by the name of its option: event='Titled Tuesday',
    /// color=black. Repeated, it leaves out games with any of them
    #[arg(long, value_name = "CONDITION", value_parser = condition("not"))]
    not: Vec<String>,
}

const RATED: &[Choice<&str>] = &[("player", "", "player"), ("opponent", "", "opponent")];
const ANSWERS: &[Choice<&str>] = &[("yes", "", "yes"), ("no", "", "no")];

/// Reads a condition as far as it stands alone. No text is none, and would select everything.
fn condition(name: &'static str) -> impl Fn(&str) -> Result<String, String> + Clone {
    move |text| {
        if text.trim().is_empty() {
            return Err("expected a value".to_owned());
        }
        let text = if name == "tag" { text } else { text.trim() };
        let read = Selection::read_conditions([(name, text)]);
        read.map(|_| text.to_owned()).map_err(|fault| fault.reason.to_owned())
    }
}

fn wrong(fault: &ConditionFault) -> Failure {
    Failure(format!("--{}: {}", fault.name, fault.reason))
}

impl SelectionArgs {
    /// What is selected of the games of collections.
    ///
    /// # Errors
    ///
    /// As [`selection`](Self::selection), and if games are asked for by number.
    pub(super) fn selection_of_kept(&self) -> Result<Selection, Failure> {
        let selection = self.selection()?;
        if !selection.games.is_empty() || selection.not.iter().any(|not| !not.games.is_empty()) {
            return refuse(
                "--game is not for this; `eco filter --game` selects games of a file or a database \
                 by number",
            );
        }
        Ok(selection)
    }

    /// What is selected.
    ///
    /// # Errors
    ///
    /// If a condition needs another one, or no game can have what they ask for.
    pub(super) fn selection(&self) -> Result<Selection, Failure> {
        self.conditions.say_positions();
        Selection::from_conditions(self.all()).map_err(|fault| wrong(&fault))
    }

    /// All conditions, by their names.
    fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        let color = SIDES.iter().find(|(.., color)| self.color == Some(*color));
        self.conditions.all().chain(color.map(|(name, ..)| ("color", *name)))
    }

    /// The options, as they can be typed.
    pub(super) fn as_typed(&self) -> Vec<String> {
        let option = |(name, value): (&str, &str)| match (name, value) {
            ("from-position", _) | ("rated", "yes") => format!("--{name}"),
            ("rated", value) => format!("--{name}={value}"),
            (_, value) if value.contains([' ', '?', '*']) => format!("--{name} '{value}'"),
            (_, value) => format!("--{name} {value}"),
        };
        self.all().map(option).collect()
    }
}

impl ConditionArgs {
    /// All conditions, by their names.
    fn all(&self) -> impl Iterator<Item = (&str, &str)> {
        let texts = [
            ("player", &self.player),
            ("against", &self.against),
            ("eco", &self.eco),
            ("opening", &self.opening),
            ("position", &self.position),
            ("structure", &self.structure),
            ("material", &self.material),
            ("result", &self.result),
            ("speed", &self.speed),
            ("event", &self.event),
            ("site", &self.site),
            ("variant", &self.variant),
            ("game", &self.game),
            ("tag", &self.tag),
            ("not", &self.not),
        ];
        let single = [
            ("since", self.since.as_deref()),
            ("until", self.until.as_deref()),
            ("rating", self.rating.as_deref()),
            ("rating-of", self.rating_of),
            ("rated", self.rated),
            ("min-plies", self.min_plies.as_deref()),
            ("lasting", self.lasting.as_deref()),
            ("from-position", self.from_position.then_some("yes")),
        ];
        let texts =
            texts.into_iter().flat_map(|(name, texts)| texts.iter().map(move |t| (name, &**t)));
        texts.chain(single.into_iter().filter_map(|(name, text)| Some((name, text?))))
    }

    /// Says which line a code or a name stands for, and what was forgiven.
    fn say_positions(&self) {
        for question in self.position.iter().filter_map(|text| text.parse::<Question>().ok()) {
            question.notes().iter().for_each(|note| say(note));
        }
    }

    /// What is selected, by whichever colour.
    ///
    /// # Errors
    ///
    /// If no game can have what the conditions ask for.
    pub(super) fn selection(&self) -> Result<Selection, Failure> {
        self.say_positions();
        Selection::read_conditions(self.all()).map_err(|fault| wrong(&fault))
    }

    /// The selected games of the players of a repertoire, or of those who are named, with its
    /// colour; of these others if there are neither.
    pub(super) fn selection_of(
        &self,
        info: &RepertoireInfo,
        others: &[String],
    ) -> Result<Selection, Failure> {
        let mut selection = self.selection()?;
        selection.color = Some(info.color);
        if selection.players.is_empty() {
            let players = if info.players.is_empty() { others } else { &info.players };
            selection.players = players.iter().map(|name| Player::asked(name)).collect();
        }
        selection.see_from_players();
        Ok(selection)
    }

    /// The names that were typed, each of which somebody in the games should have. Of several names
    /// of the user, a file has one.
    pub(super) fn people(&self) -> Vec<String> {
        let typed = self.player.iter().chain(&self.against);
        typed.filter(|name| !settings::is_one_of_mine(name)).cloned().collect()
    }
}

/// The games that a run is about, and the people in them. Workers share it.
pub(super) struct SelectedGames<'c> {
    /// `None` for all games.
    selector: Option<Selector<'c>>,
    /// Those who were asked for.
    pub(super) people: People,
    /// Whether they were looked for in indexes, and are not to be met in games.
    are_met: AtomicBool,
}

impl<'c> SelectedGames<'c> {
    /// Games of a selection, for which people of these names were asked for.
    ///
    /// # Errors
    ///
    /// If the catalogue has none of the openings that are asked for.
    pub(super) fn new(
        mut selection: Selection,
        people: Vec<String>,
        classifier: Classifier<'c>,
    ) -> Result<Self, Failure> {
        understand_openings(&mut selection, &[classifier.catalogue()])?;
        let selector = (!selection.is_everything()).then(|| Selector::new(selection, classifier));
        Ok(Self { selector, people: People::new(people), are_met: AtomicBool::new(false) })
    }

    /// Those who are to be looked for in indexes, unless they were: from then on they are not met
    /// in games.
    pub(super) fn take_people_to_meet(&self) -> Option<&People> {
        let are_met = self.are_met.swap(true, Ordering::Relaxed);
        (!are_met && !self.people.are_nobody()).then_some(&self.people)
    }

    /// Which games are selected.
    pub(super) fn selection(&self) -> Selection {
        self.selector.as_ref().map(|selector| selector.selection().clone()).unwrap_or_default()
    }

    /// What selects the games of a block; `None` if all games are selected.
    pub(super) fn in_block<'s, 'b>(&'s self, _: &'b Block) -> Option<BlockSelection<'s, 'c, 'b>> {
        let selector = self.selector.as_ref()?;
        let are_met = self.are_met.load(Ordering::Relaxed);
        let people = (!are_met).then(|| self.people.in_block());
        Some(BlockSelection { selector, people, info: GameInfo::default() })
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

    /// Meets the people in a block whose games are selected otherwise.
    pub(super) fn meet_people(&self, block: &Block) {
        if let Some(mut selection) = self.in_block(block) {
            block.games().for_each(|game| selection.read(&game));
        }
    }

    /// Looks for the people in a block, which is read again.
    pub(super) fn find_people(&self, block: &Block) {
        if self.people.are_found() {
            return;
        }
        let Some(BlockSelection { people: Some(mut people), mut info, .. }) = self.in_block(block)
        else {
            return;
        };
        for game in block.games() {
            info.read_next(&game);
            people.meet(&info);
        }
    }

    /// Says which spellings the input has of the names of people.
    pub(super) fn say_spellings(&self) {
        self.people.spellings().for_each(|note| say(&note));
    }

    /// Checks that no surname was met that cannot be of one person.
    ///
    /// # Errors
    ///
    /// If one was, with its spellings so far.
    pub(super) fn check_spellings(&self) -> Result<(), Failure> {
        if self.people.are_mixed() { self.check_people() } else { Ok(()) }
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
        refuse(format!("{text}; nothing was written"))
    }
}

/// Finds out what the openings that are asked for mean to catalogues, and says which slips were
/// corrected. Returns whether there were any.
///
/// # Errors
///
/// If none has an opening that is asked for.
fn understand_openings(
    selection: &mut Selection,
    catalogues: &[&Catalogue],
) -> Result<bool, Failure> {
    let corrected = selection.understand_openings(catalogues);
    let hint = "`eco search` finds openings by code or name";
    let corrected = corrected.map_err(|error| Failure(format!("{error}; {hint}")))?;
    corrected.iter().for_each(|correction| complain(correction));
    Ok(!corrected.is_empty())
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

/// Selects games of a block.
pub(super) struct BlockSelection<'s, 'c, 'b> {
    selector: &'s Selector<'c>,
    /// `None` if indexes have been asked for them.
    people: Option<BlockPeople<'s>>,
    info: GameInfo<'b>,
}

impl<'c, 'b> BlockSelection<'_, 'c, 'b> {
    fn read(&mut self, game: &Game<'b>) {
        self.info.read_next(game);
        if let Some(people) = &mut self.people {
            people.meet(&self.info);
            people.count_spellings(&self.info);
        }
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
        let (_, classified) = self.select_read(game, &classify, named)?;
        Some(classified.unwrap_or_else(classify))
    }

    /// A game as it is counted, and the sides that it counts for, if it is selected.
    pub(super) fn score(
        &mut self,
        game: &Game<'b>,
        classifier: &Classifier<'c>,
    ) -> Option<(ScoredGame<'b, 'c>, Vec<Color>)> {
        let read = || ScoredGame::read(classifier, game);
        let (found, scored) = self.select_read(game, read, ScoredGame::named)?;
        Some((scored.unwrap_or_else(read), found.sides().collect()))
    }

    /// How a game is selected, if it is, and what was read of it, if its name decided about that.
    pub(super) fn select_read<T>(
        &mut self,
        game: &Game<'b>,
        read: impl Fn() -> T,
        named: impl Fn(&T) -> Option<NamedAt<'c>>,
    ) -> Option<(Match, Option<T>)> {
        self.read(game);
        let mut found = None;
        let matched = self.selector.select_named(&self.info, || named(found.insert(read())))?;
        Some((matched, found))
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

/// Finds out what the openings that are asked for mean: to the catalogue of the command, or to the
/// built-in one, by which games may have been named when they were added.
///
/// # Errors
///
/// If there is none.
pub(super) fn understand_kept_openings(
    selection: &mut Selection,
    stored: Option<&Catalogue>,
) -> Result<bool, Failure> {
    let builtin = || selection.asks_for_opening().then(Catalogue::builtin);
    let catalogues: Vec<&Catalogue> = stored.into_iter().chain(builtin()).collect();
    understand_openings(selection, &catalogues)
}

#[cfg(test)]
mod tests {
    use clap::{Command, FromArgMatches};

    use super::*;

    #[test]
    fn every_condition_is_an_option_that_is_heeded() {
        let option = |name: &&str| match *name {
            "from-position" => "--from-position".to_owned(),
            "eco" => "--eco=B90".to_owned(),
            "position" => "--position=e4".to_owned(),
            "color" => "--color=white".to_owned(),
            "result" => "--result=1-0".to_owned(),
            "since" | "until" => format!("--{name}=2021"),
            "rating" => "--rating=2000..".to_owned(),
            "rating-of" => "--rating-of=player".to_owned(),
            "speed" => "--speed=blitz".to_owned(),
            "rated" => "--rated=yes".to_owned(),
            "game" | "min-plies" | "lasting" => format!("--{name}=1"),
            "structure" => "--structure=8/8/8/8/8/8/8/8".to_owned(),
            "material" => "--material=KvK".to_owned(),
            "tag" => "--tag=Round=1".to_owned(),
            "not" => "--not=color=white".to_owned(),
            name => format!("--{name}=Tal"),
        };
        let typed = ["eco".to_owned()].into_iter().chain(Selection::CONDITIONS.iter().map(option));
        let command = SelectionArgs::augment_args(Command::new("eco"));
        let matches = command.try_get_matches_from(typed).unwrap();
        let args = SelectionArgs::from_arg_matches(&matches).unwrap();
        let mut heeded: Vec<&str> = args.all().map(|(name, _)| name).collect();
        let mut conditions = Selection::CONDITIONS.to_vec();
        heeded.sort_unstable();
        conditions.sort_unstable();
        assert_eq!(heeded, conditions);
    }

    #[test]
    fn a_selection_is_shown_as_it_can_be_typed() {
        for (line, shown) in [
            ("eco", ""),
            ("eco_--rated_--player_Byrne, Donald", "--player 'Byrne, Donald' --rated"),
            ("eco_--since=1950_--alias_X", "--player X --since 1950"),
            ("eco_--rated=no_--color_white", "--rated=no --color white"),
        ] {
            let command = SelectionArgs::augment_args(Command::new("eco"));
            let matches = command.try_get_matches_from(line.split('_')).unwrap();
            let args = SelectionArgs::from_arg_matches(&matches).unwrap();
            assert_eq!(args.as_typed().join(" "), shown, "{line}");
        }
    }
}
