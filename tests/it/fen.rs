//! `eco fen`, from outside.
