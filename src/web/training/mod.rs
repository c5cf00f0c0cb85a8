//! `/eco/train`: a session of training over HTTP, the only thing that anybody can write.
//!
//! A [`Trainer`] takes the body of a request and answers it. There is one session at a time, which
//! lives here; what was answered is in the file at once. Who may ask is decided before, by
//! [`refusal`].
//!
//! ```text
//! asked · refusal · reply │ trainer
//! ```

mod asked;
mod refusal;
mod reply;
mod trainer;

pub(super) use self::{
    refusal::{MAX_BODY, PATH, Sender, refusal},
    trainer::Trainer,
};
