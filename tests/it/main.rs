//! All integration tests, one binary; a module for each theme.

#![allow(clippy::unwrap_used, reason = "a test that fails may do so anywhere")]
#![allow(unreachable_pub, reason = "the modules of a test binary have no outside")]

mod agreement;
mod anki;
mod architecture;
mod attack;
mod bad_input;
mod catalogue;
mod classify;
mod coach;
mod collection;
mod columns;
mod damage;
mod dataset;
mod diagram;
mod explore;
mod explore_recount;
mod export;
mod fen;
mod fen_games;
mod fen_images;
mod fen_moves;
mod filter;
mod findings;
mod fuzz;
mod growth;
mod harness;
mod help;
mod home;
mod index;
mod ingest;
#[cfg(target_os = "linux")]
mod interrupt;
mod language;
mod lookup;
mod manual;
mod mistakes;
mod opening_phase;
mod peers;
mod positions;
mod readme;
mod prepare;
mod real_games;
mod recount;
mod repertoire;
mod repertoire_check;
mod repertoire_commands;
mod repertoire_gaps;
mod repertoire_novelties;
mod repertoire_prepared;
mod repertoire_sources;
mod report;
mod rows;
mod selection_recount;
mod serve;
mod split;
mod stats;
mod stats_recount;
mod studies;
mod tag;
mod train;
mod typed;
mod week;
mod worlds;
