//! What is trained: which repertoires, and which of their positions.

use clap::Args;
use eco::classify::Question;
use eco::quoted::{Quoted, counted};
use eco::store::{Database, RepertoireInfo};
use eco::{output::sanitize, training::Deck};

use crate::cli::repertoire::open_repertoire::{PositionArgs, without_moves};
use crate::cli::{outcome::Failure, position};

/// Which positions of which repertoires. Each condition leaves some of them, as a set of positions.
#[derive(Debug, Args)]
pub(super) struct ScopeArgs {
    #[command(flatten)]
    pub(super) position: PositionArgs,

    /// Only chapters with this in their names; may be repeated
    #[arg(long, value_name = "NAME")]
    chapter: Vec<String>,

    /// Only positions on this line
    #[arg(long, value_name = "MOVES")]
    line: Option<String>,
}

/// A repertoire and what is trained of it.
pub(super) struct Trained {
    pub(super) info: RepertoireInfo,
    pub(super) deck: Deck,
}

impl ScopeArgs {
    /// The repertoires that have positions to train, with those. `load` returns all of one.
    pub(super) fn find(
        &self,
        load: impl Fn(&RepertoireInfo) -> Result<Deck, Failure>,
    ) -> Result<Vec<Trained>, Failure> {
        let database = self.position.open()?;
        let (infos, question) = self.position.find_any()?;
        let from = question.map(|question| question.key());
        let line = self.line()?;
        let (mut found, mut had) = (Vec::new(), Vec::new());
        for info in infos {
            let mut deck = load(&info)?;
            had.push((info.clone(), deck.positions().count(), deck.poor_moves()));
            if let Some(from) = &from {
                let following = deck.following(from);
                deck = deck.limited_to(&following);
            }
            if let Some(line) = &line {
                let on_line = deck.on_line(line);
                deck = deck.limited_to(&on_line);
            }
            if !self.chapter.is_empty() {
                deck = deck.limited_to(&database.chapter_positions(&info.name, &self.chapter)?);
            }
            if deck.positions().next().is_some() {
                found.push(Trained { info, deck });
            }
        }
        if found.is_empty() { Err(self.nothing(&database, &had)?) } else { Ok(found) }
    }

    fn line(&self) -> Result<Option<Question>, Failure> {
        let catalogue = || self.position.database.naming.catalogue();
        let line = self.line.as_ref();
        line.map(|line| position::read(std::slice::from_ref(line), catalogue)).transpose()
    }

    /// Why there is nothing to train, and what there is.
    fn nothing(
        &self,
        database: &Database,
        had: &[(RepertoireInfo, usize, usize)],
    ) -> Result<Failure, Failure> {
        if let [(info, 0, poor)] = had {
            return Ok(Failure(match poor {
                0 => without_moves(&info.name, &format!("no move of {}", info.color)),
                _ => format!(
                    "{} has no move of {} that scores half of the points, or what ratings predict",
                    sanitize(info.name.as_bytes()),
                    info.color
                ),
            }));
        }
        let names: Vec<String> = had
            .iter()
            .map(|(info, positions, _)| {
                format!(
                    "{} has {}",
                    sanitize(info.name.as_bytes()),
                    counted(*positions, "position")
                )
            })
            .collect();
        let mut text = format!("nothing to train there; {}", names.join(", "));
        if !self.chapter.is_empty() {
            let mut chapters = Vec::new();
            for (info, ..) in had {
                chapters.extend(database.chapter_names(&info.name)?);
            }
            let shown = chapters.iter().take(MAX_CHAPTERS).map(|name| Quoted(name).to_string());
            text += &format!(" in {}", counted(chapters.len(), "chapter"));
            let shown: Vec<String> = shown.collect();
            let more = if chapters.len() > MAX_CHAPTERS { ", ..." } else { "" };
            text += &format!(": {}{more}", shown.join(", "));
        }
        Ok(Failure(text))
    }
}

/// The most chapters that are named.
const MAX_CHAPTERS: usize = 8;
