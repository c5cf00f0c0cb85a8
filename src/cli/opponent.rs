//! The games of an opponent, whom `--against` names.

use eco::collection::{KeptGame, KeptGameReader};
use eco::repertoire::Opponent;
use eco::select::{Player, Selection};
use eco::{chess::Color, classify::Classifier, pgn::Game};

use super::games::{GameBlock, GameInputs};
use super::outcome::{Failure, refuse};
use super::selection::{ConditionArgs, SelectedGames};
use super::{args::RunArgs, progress::Results, replace::Inputs, run::GamesRun, settings};

/// What was read of an opponent.
pub(super) struct OpponentRead {
    pub(super) opponent: Opponent,
    /// The files that were read, for the gate before outputs.
    pub(super) files: Inputs,
    /// The number of errors that were reported.
    pub(super) complaints: usize,
}

impl ConditionArgs {
    /// The opponent's names, as they were typed.
    pub(super) fn opponent(&self) -> String {
        self.against.join(" and ")
    }

    /// The names of the user: those that were typed, or else those of `eco me`.
    pub(super) fn me(&self) -> Vec<String> {
        if self.player.is_empty() { settings::all("me") } else { self.player.clone() }
    }
}

/// Reads the games of the opponent that the other conditions select. Results and ratings are seen
/// from the opponent; who plays against him makes no difference.
///
/// # Errors
///
/// If nobody is named, or one who is named is in no game.
pub(super) fn read(
    inputs: GameInputs,
    against: &[String],
    mut selection: Selection,
    classifier: Classifier<'_>,
    args: &RunArgs,
) -> Result<OpponentRead, Failure> {
    if against.is_empty() {
        return refuse("name the opponent: --against 'Last, First'");
    }
    selection.players = against.iter().map(|name| Player::asked(name)).collect();
    selection.opponents = Vec::new();
    selection.see_from_players();
    let selected = SelectedGames::new(selection, against.to_vec(), classifier)?;
    let run = GamesRun::new(inputs, selected, Results::Elsewhere, args).of_selected();
    let reader = KeptGameReader::with_classifier(Selection::default(), classifier);
    let (mut games, mut count) = (Vec::new(), 0);
    let read = run.each(
        |block| {
            let read = block.block.game_count() as u64;
            (read, games_of(&block, &run.selected, reader.clone()))
        },
        |(read, found): (u64, Vec<(KeptGame, Color)>)| {
            count += read;
            run.progress.update(count);
            games.extend(found);
            Ok::<(), Failure>(())
        },
    );
    let (files, count) = (run.inputs.files(), run.with_passed_over(count));
    if run.is_unread(count) {
        run.progress.finish(count);
        read?;
    } else {
        run.end(count, read)?;
    }
    Ok(OpponentRead {
        opponent: Opponent::new(games),
        files,
        complaints: run.progress.complaints(),
    })
}

/// The games of a block, each with the colour of the opponent.
fn games_of<'b>(
    GameBlock { block, .. }: &'b GameBlock<'_>,
    selected: &SelectedGames<'_>,
    mut reader: KeptGameReader<'_>,
) -> Vec<(KeptGame, Color)> {
    let Some(mut selected) = selected.in_block(block) else { return Vec::new() };
    let read = |game: Game<'b>| {
        let sides = selected.select(&game)?.sides().collect::<Vec<_>>();
        let kept = reader.read(&game)?;
        Some(sides.into_iter().map(move |side| (kept.clone(), side)))
    };
    block.games().filter_map(read).flatten().collect()
}
