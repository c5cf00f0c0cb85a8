//! The explorer over HTTP: what was played in a position, for browsers and for programs.
//!
//! A [`Site`] answers requests about collections of games; it knows no sockets. A [`Server`]
//! listens, and has the limits. Nothing is written, but for the answers of a session of training,
//! where one was [asked for](Site::with_training).
//!
//! There are two APIs. That of lichess's opening explorer is for the programs that speak it; eco's
//! own, under `/eco/`, is what the page uses. `docs/serve.md` describes both.

mod answer;
mod asked_line;
mod cache;
mod eco_api;
mod fault;
mod hosts;
mod kept_line;
mod lichess_api;
mod opened;
mod page;
mod parameters;
mod respond;
mod roles;
mod selection;
mod server;
mod side;
mod site;
mod training;

pub use respond::{Access, Cors};
pub use roles::Roles;
pub use server::{Limits, Server, StopHandle};
pub use site::{Site, SiteError};

#[cfg(test)]
mod tests;
