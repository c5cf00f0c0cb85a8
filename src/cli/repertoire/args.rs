//! Arguments that several subcommands of `eco repertoire` share.

use std::fmt::Display;

use clap::Args;
use eco::output::{ColumnSet, ColumnValue, Row};
use eco::repertoire::{Book, BookRule, Breadth};
use eco::{catalogue::Catalogue, chess::Color};

use crate::cli::outcome::{Failure, Outcome, say};
use crate::cli::{args, completion, rows};

/// An existing repertoire.
#[derive(Debug, Args)]
pub(super) struct NamedRepertoireArgs {
    /// The repertoire
    #[arg(value_name = "NAME", value_parser = args::parse_name, add = completion::repertoires())]
    pub(super) name: String,

    #[command(flatten)]
    pub(super) database: args::DatabaseArgs,
}

/// An existing repertoire, which may be left out if it is the only one.
#[derive(Debug, Args)]
pub(super) struct OneRepertoireArgs {
    /// The repertoire; optional if the database has only one
    #[arg(value_name = "NAME", value_parser = args::parse_name, add = completion::repertoires())]
    pub(super) name: Option<String>,

    #[command(flatten)]
    pub(super) database: args::DatabaseArgs,
}

/// A repertoire to create or to extend.
#[derive(Debug, Args)]
pub(super) struct NewRepertoireArgs {
    /// The repertoire
    #[arg(value_name = "NAME", value_parser = parse_new_name, add = completion::repertoires())]
    pub(super) name: String,

    #[command(flatten)]
    pub(super) database: args::DatabaseArgs,

    /// The side of the repertoire; required for a new one
    #[arg(long, value_parser = completion::one_of(args::SIDES))]
    pub(super) color: Option<Color>,
}

/// The played moves that are in the book, for each side.
#[derive(Debug, Args)]
pub(super) struct BreadthArgs {
    /// Own moves that are in the book, where none are prepared: top:1, share:20%, min-games:3, or
    /// several with commas [default: as the repertoire was built]
    #[arg(long, value_name = "BREADTH")]
    mine: Option<Breadth>,

    /// The same for the opponent's moves
    #[arg(long, value_name = "BREADTH")]
    theirs: Option<Breadth>,
}

impl BreadthArgs {
    /// The rule, for a repertoire that was built by another.
    pub(super) fn rule(&self, built: BookRule) -> BookRule {
        BookRule {
            mine: self.mine.unwrap_or(built.mine),
            theirs: self.theirs.unwrap_or(built.theirs),
        }
    }

    /// Says that a breadth changes nothing, where prepared moves are the book.
    pub(super) fn check_effect(&self, book: &Book) {
        if book.has_prepared() && (self.mine.is_some() || self.theirs.is_some()) {
            let book = "the book of this repertoire is what was prepared";
            say(&format_args!("--mine and --theirs choose among played moves; {book}"));
        }
    }
}

/// A repertoire, and the played moves that are in its book.
#[derive(Debug, Args)]
pub(super) struct BookArgs {
    #[command(flatten)]
    pub(super) repertoire: OneRepertoireArgs,

    #[command(flatten)]
    pub(super) breadth: BreadthArgs,
}

/// The played moves that are in the book, for each side or for both.
#[derive(Debug, Args)]
pub(super) struct BookRuleArgs {
    #[command(flatten)]
    pub(super) breadth: BreadthArgs,

    /// Games that a played move of either side needs
    #[arg(long, value_name = "N")]
    min_games: Option<u32>,

    /// Share of the games that a played move of either side needs: 0.05 or 5%
    #[arg(long, value_name = "SHARE", value_parser = parse_share)]
    min_share: Option<f64>,
}

impl BookRuleArgs {
    /// The rule, for a repertoire that was built by another.
    pub(super) fn rule(&self, built: BookRule) -> BookRule {
        let is_for_both = self.min_games.is_some() || self.min_share.is_some();
        // A default does not narrow a choice.
        let is_usual = is_for_both && built == BookRule::USUAL;
        let BookRule { mut mine, mut theirs } = if is_usual { BookRule::default() } else { built };
        for breadth in [&mut mine, &mut theirs] {
            breadth.min_games = self.min_games.unwrap_or(breadth.min_games);
            breadth.min_share = self.min_share.unwrap_or(breadth.min_share);
        }
        self.breadth.rule(BookRule { mine, theirs })
    }

    /// The rule that is asked for, if one is.
    pub(super) fn asked(&self, built: BookRule) -> Option<BookRule> {
        let Self { breadth: BreadthArgs { mine, theirs }, min_games, min_share } = self;
        let is_asked =
            mine.is_some() || theirs.is_some() || min_games.is_some() || min_share.is_some();
        is_asked.then(|| self.rule(built))
    }
}

/// How rows are written, and whether they are counted.
#[derive(Debug, Args)]
pub(super) struct ListingArgs {
    #[command(flatten)]
    rows: rows::RowArgs,

    /// Print no counts on standard error
    #[arg(long, short)]
    quiet: bool,
}

impl ListingArgs {
    /// Writes rows with names of these catalogues, and says how many there are.
    pub(super) fn write<'c, F: ColumnValue<R>, R: Row<Columns = ColumnSet<F>>>(
        &self,
        catalogues: impl IntoIterator<Item = &'c Catalogue>,
        rows: impl IntoIterator<Item = R>,
        counts: &dyn Display,
    ) -> Result<Outcome, Failure> {
        self.rows.write_named(R::columns(), catalogues, rows)?;
        if !self.quiet {
            say(counts);
        }
        Ok(Outcome::Done)
    }
}

/// A number of things, with the word for them.
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The name of a repertoire that may be new. The name of an existing file is refused: it was meant
/// as an input, and the repertoire was forgotten.
pub(super) fn parse_new_name(text: &str) -> Result<String, String> {
    if std::path::Path::new(text).is_file() {
        return Err("this is a file; name a repertoire before it".to_owned());
    }
    args::parse_name(text).map_err(str::to_owned)
}

/// A share, as `0.05` or `5%`.
pub(super) fn parse_share(text: &str) -> Result<f64, &'static str> {
    let share = match text.strip_suffix('%') {
        Some(percent) => percent.trim().parse().map(|percent: f64| percent / 100.0),
        None => text.parse(),
    };
    share
        .ok()
        .filter(|share| (0.0..=1.0).contains(share))
        .ok_or("expected a share such as 0.05 or 5%")
}
