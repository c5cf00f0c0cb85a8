//! The door to sockets: HTTP/1.1 with limits.
//!
//! Every client is taken for hostile. A request is short, arrives soon, and has no body, or a short
//! one for training. A connection that asks nothing is closed when another one needs its place.
//! What takes long is done on other threads, a few at a time, and given up after a while.
//!
//! ```text
//! limits │ connections │ service │ listen
//! ```

mod connections;
mod limits;
mod listen;
mod service;

pub use self::{
    limits::Limits,
    listen::{Server, StopHandle},
};
