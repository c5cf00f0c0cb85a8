//! What the diagrams of `fen show` and `fen image` have in common.

use clap::{Args, ValueEnum};
use eco::{
    chess::{Color, Fen},
    diagram::{Coordinates, Diagram, Mark},
};

/// The side at the bottom of a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    /// White
    White,
    /// Black
    Black,
    /// The side to move
    Mover,
}

/// The options of all diagrams.
#[derive(Debug, Args)]
pub(super) struct DiagramArgs {
    /// The side at the bottom
    #[arg(long, value_enum, default_value_t = Side::White)]
    side: Side,

    /// Squares to highlight, such as e4,d5; images accept colours: e4=#cc3333
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    mark: Vec<Mark>,

    /// Omit the letters and digits around the board
    #[arg(long)]
    no_coordinates: bool,
}

impl DiagramArgs {
    /// The diagram of a position.
    pub(super) fn diagram(&self, fen: Fen) -> Diagram {
        let bottom = match self.side {
            Side::White => Color::White,
            Side::Black => Color::Black,
            Side::Mover => fen.turn(),
        };
        let coordinates =
            if self.no_coordinates { Coordinates::Hidden } else { Coordinates::Shown };
        Diagram { bottom, coordinates, marks: self.mark.clone(), ..Diagram::new(fen) }
    }
}
