//! Eco's own API, which `docs/serve.md` describes.
//!
//! ```text
//! objects │ collections · position · game · line · names · repertoires
//! ```

mod collections;
mod game;
mod line;
mod names;
mod objects;
mod position;
mod repertoires;

pub(super) use self::{
    collections::collections,
    game::{game, pgn},
    line::line,
    names::{openings, players},
    position::position,
    repertoires::repertoires,
};
