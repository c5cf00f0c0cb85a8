//! All integration tests, one binary; a module for each theme.

mod real_games;
