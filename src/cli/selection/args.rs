//! The flags that select games, the same in every command.

use std::ops::RangeInclusive;

use clap::{Args, ValueEnum};
use eco::{
    catalogue::{ParseCodesError, Query},
    pgn::GameDate,
    select::{
        Player, RatingOf, Selection, Speed, TagPart, VariantName, WantedResult, parse_numbers,
        parse_ratings,
    },
};

use crate::cli::{args::Side, outcome::Failure};

/// Which games are meant.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(in crate::cli) struct SelectionArgs {
    #[command(flatten)]
    pub(in crate::cli) conditions: ConditionArgs,

    /// Only games in which the player has this colour
    #[arg(long, value_enum, value_name = "COLOR")]
    color: Option<Side>,
}

/// Which games are meant, where the colour of the player is known.
#[derive(Debug, Args)]
#[command(next_help_heading = "Selection")]
pub(in crate::cli) struct ConditionArgs {
    /// Only games of this player; case, accents and the order of `Last, First` do not matter. Every
    /// flag of the selection that takes a text or a list may be repeated: a game of any of them
    /// passes
    #[arg(long, alias = "alias", value_name = "NAME", value_parser = parse_player)]
    pub(in crate::cli) player: Vec<String>,

    /// Only games against this player
    #[arg(long, value_name = "NAME", value_parser = parse_player)]
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
    #[arg(long, value_enum, value_name = "WHO", requires = "rating")]
    rating_of: Option<RatingOfArg>,

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

/// Whose rating is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum RatingOfArg {
    Player,
    Opponent,
}

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
    pub(in crate::cli) fn selection_of_kept(&self) -> Result<Selection, Failure> {
        let selection = self.selection()?;
        if !selection.games.is_empty() {
            let hint = "`eco filter --game` selects games of a file";
            return Err(Failure(format!(
                "games of a collection have no numbers for --game; {hint}"
            )));
        }
        Ok(selection)
    }

    /// What is selected.
    ///
    /// # Errors
    ///
    /// If a flag needs another one, or no game can have what the flags ask for.
    pub(in crate::cli) fn selection(&self) -> Result<Selection, Failure> {
        let mut selection = self.conditions.selection()?;
        selection.color = self.color.map(Into::into);
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
    pub(in crate::cli) fn selection(&self) -> Result<Selection, Failure> {
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
        selection.rating_of = match self.rating_of {
            None => RatingOf::Both,
            Some(RatingOfArg::Player) => RatingOf::Player,
            Some(RatingOfArg::Opponent) => RatingOf::Opponent,
        };
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

    /// The names that were typed, each of which somebody in the games should have.
    pub(in crate::cli) fn people(&self) -> Vec<String> {
        self.player.iter().chain(&self.opponent).cloned().collect()
    }
}
