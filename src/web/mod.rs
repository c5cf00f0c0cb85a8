//! The explorer over HTTP: what was played in a position, for browsers and for programs.
//!
//! A [`Site`] answers requests about collections of games; it knows no sockets. A [`Server`]
//! listens, and has the limits. Nothing is written, but for the answers of a session of training,
//! where one was [asked for](Site::with_training).
//!
//! There are two APIs. That of lichess's opening explorer is for the programs that speak it; eco's
//! own, under `/eco/`, is what the page uses. `docs/serve.md` describes both.
//!
//! ```text
//! answer │ database │ request │ line │ eco_api · lichess_api · training │ editing │ site
//!     │ responder │ server
//! ```

mod answer;
mod database;
mod eco_api;
mod lichess_api;
mod line;
mod request;
mod responder;
mod server;
mod site;
mod editing;
mod training;

pub use answer::Answer;
pub use request::Roles;
pub use responder::{Access, Cors};
pub use server::{Limits, Server};
pub use site::{Site, SiteError};

#[cfg(test)]
mod tests;
