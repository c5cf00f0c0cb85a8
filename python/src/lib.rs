//! The native half of the Python package `eco_openings`.
//!
//! Each file wraps a room of the library and adds what Python needs: objects for arguments, typed
//! exceptions for errors, Arrow's C interfaces for columns. What a game or a position is called is
//! decided in the library alone.

mod arguments;
mod arrow;
mod catalogue;
mod classify;
mod columns;
mod dataset;
mod errors;
mod explorer;
mod frames;
mod index;
mod input;
mod interrupt;
mod movetexts;
mod parts;
mod paths;
mod position;
mod positions;
mod selection;
mod shutdown;
mod stats;
mod table;
mod tag;

use pyo3::prelude::*;

#[pymodule]
mod _eco {
    #[pymodule_export]
    use super::{
        arrow::{Array, Batch},
        catalogue::{Catalogue, Opening, Verdict},
        classify::classify,
        columns::{BatchIterator, Reader},
        dataset::_write_dataset,
        explorer::{Explored, Explorer},
        frames::FrameWriter,
        index::{Indexed, index},
        movetexts::classify_moves,
        parts::{_endings, Part, parts},
        position::{check, key, play, svg, table},
        positions::{position_hash, positions},
        shutdown::_shut_down,
        stats::stats,
        table::Table,
        tag::{Tagged, tag},
    };
}
