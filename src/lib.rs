//! Names the opening of every chess game.

pub mod chess;
pub mod opening;
pub mod pgn;
