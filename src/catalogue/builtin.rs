//! The catalogue that is part of the program.
//!
//! `data/openings/catalogue.bin` is the [image](super::image) of the lines in `data/openings`. The
//! compiler takes it apart into the tables that games are looked up in, so a start does nothing:
//! they lie in the program as they are used, on machines of either byte order. Names are taken out
//! of it when they are first asked for. `data/openings/reachability.bin` is the table of
//! [`Reachability`], which follows from the positions, but takes longer to compute than a small
//! file to classify.
//!
//! WebAssembly gets the bytes alone, and makes the tables at the first call: for a page, what is
//! downloaded counts more, and the tables take twice as much of it.
//!
//! A file and not `build.rs`, which would need all that plays chess a second time. A test holds
//! both equal to what the lines make; where they differ, it gives the command that writes them
//! anew.

use std::{borrow::Cow, sync::OnceLock};

#[cfg(not(target_family = "wasm"))]
use tables::from_program;

use super::index::Catalogue;
use super::reachability::{Reachability, Rows, STORED_ROWS, stored_rows};

const IMAGE: &[u8] = include_bytes!("../../data/openings/catalogue.bin");

const REACHABILITY: (&[u8; STORED_ROWS], &[u8]) =
    include_bytes!("../../data/openings/reachability.bin").split_first_chunk().unwrap();

static ROWS: Rows = stored_rows(REACHABILITY.0);

impl Catalogue {
    /// The catalogue that is built in: lichess's, see `data/openings/`.
    pub fn builtin() -> &'static Self {
        static BUILTIN: OnceLock<Catalogue> = OnceLock::new();
        BUILTIN.get_or_init(|| {
            let mut catalogue = from_program();
            catalogue.on_demand.reachability = OnceLock::from(Reachability {
                rows: Cow::Borrowed(&ROWS),
                blocks: Cow::Borrowed(REACHABILITY.1.as_chunks().0),
            });
            catalogue
        })
    }
}

#[cfg(target_family = "wasm")]
fn from_program() -> Catalogue {
    Catalogue::from_image(IMAGE).expect("a test reads the same bytes")
}

/// The bytes as tables.
#[cfg(not(target_family = "wasm"))]
mod tables {
    use std::borrow::Cow;

    use super::super::{
        image::{Image, fill_key_table, read_details},
        index::{Catalogue, Line, Lines, NamedPosition, OnDemand},
        table::{self, KeyTable, Prefilter},
        tree::{LineTree, Node, TreeEdge},
    };
    use crate::{
        chess::{Language, PackedSan, PositionKey},
        master::Master,
        opening::Opening,
    };

    const IMAGE: Image<'static> = match Image::split(super::IMAGE) {
        Some(image) => image,
        // So that the program can be built that writes it anew.
        None => Image::EMPTY,
    };

    const NODE_COUNT: usize = IMAGE.nodes.len();

    const POSITION_COUNT: usize = IMAGE.positions.len();

    const SLOT_COUNT: usize = table::slots_for(POSITION_COUNT);

    const MAX_PLY: usize = IMAGE.max_ply;

    const MIN_PIECES: usize = IMAGE.min_pieces;

    /// One for each node, and the end.
    type Edges = [TreeEdge; NODE_COUNT + 1];

    type Sans = [PackedSan; NODE_COUNT];

    type Nodes = [Node; NODE_COUNT];

    const TREE: (Edges, Sans, Nodes) = {
        let mut edges = [TreeEdge::NONE; NODE_COUNT + 1];
        let mut sans = [PackedSan::NONE; NODE_COUNT];
        let mut nodes = [Node::NONE; NODE_COUNT];
        let filled = IMAGE.fill_tree(&mut edges, &mut sans, &mut nodes);
        assert!(NODE_COUNT == 0 || filled.is_some());
        (edges, sans, nodes)
    };

    static EDGES: Edges = TREE.0;

    static SANS: Sans = TREE.1;

    static NODES: Nodes = TREE.2;

    static POSITIONS: [NamedPosition; POSITION_COUNT] = {
        let mut positions = [NamedPosition::NONE; POSITION_COUNT];
        assert!(IMAGE.fill_positions(&NODES, &mut positions).is_some());
        positions
    };

    const KEY_TABLE: ([u32; SLOT_COUNT], Prefilter) = {
        let (mut slots, mut prefilter) = ([0; SLOT_COUNT], table::NO_BITS);
        fill_key_table(&POSITIONS, &mut slots, &mut prefilter);
        (slots, prefilter)
    };

    static SLOTS: [u32; SLOT_COUNT] = KEY_TABLE.0;

    static PREFILTER: Prefilter = KEY_TABLE.1;

    // Copies, since the program has all of what it refers to a part of.
    static TEXT_BYTES: [u8; IMAGE.texts.len()] = *first_chunk(IMAGE.texts);

    static TEXTS: &str = match str::from_utf8(&TEXT_BYTES) {
        Ok(texts) => texts,
        Err(_) => panic!("the texts are UTF-8"),
    };

    static DETAILS: [u8; IMAGE.details.len()] = *first_chunk(IMAGE.details);

    const fn first_chunk<const N: usize>(bytes: &[u8]) -> &[u8; N] {
        bytes.first_chunk().expect("it has that length")
    }

    fn lines() -> Vec<Line> {
        let details = read_details(&DETAILS, TEXTS, Opening::with_static_name);
        details.expect("a test reads the same bytes").2
    }

    pub(super) fn from_program() -> Catalogue {
        Catalogue {
            masters: vec![Master::builtin_info()],
            lines: Lines::on_demand(lines),
            language: Language::English,
            positions: Cow::Borrowed(&POSITIONS),
            duplicates: Vec::new(),
            table: KeyTable {
                hash: PositionKey::hash64,
                slots: Cow::Borrowed(&SLOTS),
                prefilter: Cow::Borrowed(&PREFILTER),
            },
            tree: LineTree {
                edges: Cow::Borrowed(&EDGES),
                sans: Cow::Borrowed(&SANS),
                nodes: Cow::Borrowed(&NODES),
            },
            max_ply: MAX_PLY,
            min_pieces: MIN_PIECES,
            on_demand: OnDemand::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, path::PathBuf};

    use super::*;
    use crate::master::Master;

    const MAKE_ANEW: &str = "cargo test --lib -- --ignored writes_the_builtin_catalogue_anew";

    /// What `data/openings` makes by way of reading, playing and naming.
    fn ingested() -> Catalogue {
        let (catalogue, faults) = Catalogue::from_masters([Master::builtin()]);
        assert_eq!(faults, []);
        catalogue
    }

    fn files() -> [(PathBuf, Vec<u8>); 2] {
        let (folder, catalogue) = (PathBuf::from(env!("CARGO_MANIFEST_DIR")), ingested());
        let reachability = catalogue.reachability().to_bytes();
        [("catalogue.bin", catalogue.to_image()), ("reachability.bin", reachability)]
            .map(|(name, bytes)| (folder.join("data/openings").join(name), bytes))
    }

    #[test]
    fn the_built_in_catalogue_is_what_its_lines_make() {
        for (path, bytes) in files() {
            let is_same = fs::read(&path).unwrap() == bytes;
            assert!(is_same, "{} is not what data/openings makes: {MAKE_ANEW}", path.display());
        }
        let ingested = ingested();
        assert_eq!(ingested.difference(Catalogue::builtin()), None, "{MAKE_ANEW}");
        let from_bytes = Catalogue::from_image(IMAGE).unwrap();
        assert_eq!(ingested.difference(&from_bytes), None, "{MAKE_ANEW}");
    }

    #[test]
    #[ignore = "it writes files"]
    fn writes_the_builtin_catalogue_anew() {
        for (path, bytes) in files() {
            fs::write(path, bytes).unwrap();
        }
    }
}
