//! Names the opening of every chess game.

pub mod catalogue;
pub mod chess;
pub mod classify;
pub mod master;
pub mod opening;
pub mod pgn;
pub mod pipeline;
pub mod report;
pub mod stats;
pub mod store;
