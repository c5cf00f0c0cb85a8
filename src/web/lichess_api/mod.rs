//! The API of lichess's opening explorer, as its clients speak it.
//!
//! Fields, their order and their defaults are those of the reference server. What its games always
//! have, and ours may lack, is a number 0 (a rating, a mean, a year), since clients take no other
//! value there; a speed or mode that is not known is left out. Parameters that are not known are
//! ignored. Filters that take everything there is (all speeds, all bands of ratings, both modes,
//! the whole range of dates) take the games as well that do not say.
//!
//! ```text
//! reply · filters │ masters · lichess · player · pgn
//! ```

mod filters;
mod lichess;
mod masters;
mod pgn;
mod player;
mod reply;

pub(super) use self::{
    lichess::{history, lichess},
    masters::masters,
    pgn::masters_pgn,
    player::player,
};
