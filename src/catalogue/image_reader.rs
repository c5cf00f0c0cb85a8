//! A catalogue from its [image](super::image), which may be damaged.

use super::image::{Image, key_table, read_details};
use super::index::{Catalogue, NamedPosition, OnDemand, RULE_PIECES, RULE_PLIES};
use super::tree::{LineTree, Node, TreeEdge};
use crate::{chess::Language, chess::PackedSan, master::has_control, opening::Opening};

impl Catalogue {
    /// The catalogue that became these bytes. `None` if they are damaged, or of another version.
    ///
    /// The checksum finds damage. Bytes that somebody has forged may name openings as he likes, but
    /// everything in them refers to something that is there.
    pub(crate) fn from_image(bytes: &[u8]) -> Option<Self> {
        let (content, sum) = bytes.split_last_chunk()?;
        if u64::from_le_bytes(*sum) != checksum(content) {
            return None;
        }
        let image = Image::split(bytes)?;
        let node_count = image.nodes.len();
        let mut edges = vec![TreeEdge::NONE; node_count + 1];
        let mut sans = vec![PackedSan::NONE; node_count];
        let mut nodes = vec![Node::NONE; node_count];
        image.fill_tree(&mut edges, &mut sans, &mut nodes)?;
        let mut positions = vec![NamedPosition::NONE; image.positions.len()];
        image.fill_positions(&nodes, &mut positions)?;
        let texts = str::from_utf8(image.texts).ok().filter(|texts| !has_control(texts))?;
        let (masters, duplicates, lines) = read_details(image.details, texts, Opening::new)?;
        let is_line = |line: usize| line < lines.len();
        let tree = LineTree { edges: edges.into(), sans: sans.into(), nodes: nodes.into() };
        let are_known = node_count > 0
            && image.max_ply >= RULE_PLIES
            && image.min_pieces <= RULE_PIECES
            && tree.keys().all(|key| key.is_writable())
            && positions.iter().all(|position| position.key.is_writable())
            && tree
                .nodes
                .iter()
                .all(|node| node.name.line().is_none_or(|(line, _)| line < lines.len()))
            && tree.sans.iter().all(|san| san.is_packed())
            && positions.iter().all(|position| is_line(position.line))
            && duplicates.iter().all(|d| is_line(d.line) && is_line(d.first))
            && lines.iter().all(|line| {
                line.master < masters.len()
                    && line.position < positions.len()
                    && line.end.is_none_or(|end| end.index() < node_count)
            });
        are_known.then(|| Self {
            masters,
            lines: lines.into(),
            language: Language::English,
            table: key_table(&positions),
            positions: positions.into(),
            duplicates,
            tree,
            max_ply: image.max_ply,
            min_pieces: image.min_pieces,
            on_demand: OnDemand::default(),
        })
    }
}

/// What fuzzing forges. The checksum would keep all changes out.
#[cfg(all(feature = "oracle", feature = "sqlite"))]
impl Catalogue {
    /// The bytes that a file keeps of the catalogue, without the checksum.
    #[doc(hidden)]
    pub fn to_unsealed_image(&self) -> Vec<u8> {
        let mut bytes = self.to_image();
        bytes.truncate(bytes.len() - super::image::CHECKSUM);
        bytes
    }

    /// The catalogue that is read from such bytes.
    #[doc(hidden)]
    pub fn from_unsealed_image(bytes: &[u8]) -> Option<Self> {
        Self::from_image(&[bytes, &checksum(bytes).to_le_bytes()].concat())
    }
}

/// A sum that damage changes. It is no protection from forgery.
pub(super) fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let words = words.iter().chain([&last]).map(|word| u64::from_le_bytes(*word));
    words.fold(bytes.len() as u64, |sum, word| {
        // The fraction of the golden ratio; both halves of the product count.
        let product = u128::from(sum ^ word) * 0x9e37_79b9_7f4a_7c15;
        sum.rotate_left(23) ^ product as u64 ^ (product >> 64) as u64
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        catalogue::image::{CHECKSUM, MAGIC},
        classify::Classifier,
        master::{Alias, Master, MasterFile, MasterFormat, MasterInfo},
    };

    fn catalogue() -> Catalogue {
        let rows = "eco\tname\tpgn\tepd\n\
            A00\tGrob\t1. g4\t\n\
            A00\tGrob: Fritz\t1. g4 d5 2. Bg2 Bxg4\t\n\
            B90a1\tÉtude\t\t8/8/8/4k3/8/8/4P3/4K3 w - -\n\
            A00\tGrob again\t1. g4\t\n\
            \tOur gambit\t1. g4 e5\t\n";
        let file = MasterFile { name: "a.tsv", bytes: rows.as_bytes() };
        let info = MasterInfo { name: "test".to_owned(), ..MasterInfo::default() };
        let mut masters = Master::read(info, &[file], Some(MasterFormat::Tsv)).unwrap().masters;
        masters[0].lines[1].aliases = vec![
            Alias { source: "x".to_owned(), eco: "A01".parse().ok(), name: "Fritz".to_owned() },
            Alias { source: "y".to_owned(), eco: None, name: "Grob".to_owned() },
        ];
        Catalogue::from_masters(masters).0
    }

    #[test]
    fn a_catalogue_is_what_it_was_after_its_way_through_bytes() {
        let before = catalogue();
        let after = Catalogue::from_image(&before.to_image()).unwrap();
        assert_eq!(before.difference(&after), None);
        assert_eq!((after.lines().len(), after.duplicates().len()), (5, 1));
        let nothing = Catalogue::from_masters([]).0;
        let after = Catalogue::from_image(&nothing.to_image()).unwrap();
        assert_eq!(nothing.difference(&after), None);
    }

    #[test]
    fn damaged_bytes_are_refused() {
        let bytes = catalogue().to_image();
        for len in 0..bytes.len() {
            assert!(Catalogue::from_image(&bytes[..len]).is_none(), "cut to {len} bytes");
        }
        for at in 0..bytes.len() {
            for flip in [1, 0x80, 0xff] {
                let mut damaged = bytes.clone();
                damaged[at] ^= flip;
                assert!(Catalogue::from_image(&damaged).is_none(), "byte {at} changed");
            }
        }
    }

    /// The catalogue of bytes whose checksum somebody has put right, once it has been used.
    fn forged(mut content: Vec<u8>) -> Option<Catalogue> {
        content.extend(checksum(&content).to_le_bytes());
        let catalogue = Catalogue::from_image(&content)?;
        for line in catalogue.lines() {
            let plies = catalogue.plies(line);
            assert!(plies.is_none_or(|plies| plies < catalogue.tree.nodes.len()));
            let moves = catalogue.moves(line);
            assert!(moves.is_none_or(|moves| Some(moves.len()) == plies));
        }
        for named in catalogue.positions() {
            assert!(catalogue.get(&named.key).is_some());
            assert!(named.key.to_string().ends_with(|c: char| c.is_ascii_graphic()));
        }
        let classifier = Classifier::new(&catalogue).exhaustive();
        for game in ["1. g4 d5 2. Bg2 Bxg4 3. c4", "1. e4 g5 2. g4", "1. g4 d5 2. h3"] {
            let named = classifier.classify_movetext(game.as_bytes()).named;
            assert!(named.is_none_or(|named| named.ply() <= 5), "{game}");
        }
        Some(catalogue)
    }

    fn content() -> Vec<u8> {
        let mut bytes = catalogue().to_image();
        bytes.truncate(bytes.len() - CHECKSUM);
        bytes
    }

    /// Forged bytes cause no panic, either.
    #[test]
    fn forged_bytes_are_refused_or_a_catalogue() {
        let content = content();
        let mut refused = 0;
        for at in MAGIC.len()..content.len() {
            for value in [0, 1, 7, 0xff] {
                let mut changed = content.clone();
                changed[at] = value;
                refused += usize::from(forged(changed).is_none());
            }
        }
        assert!(refused > 100, "{refused} were refused");
    }

    proptest! {
        #[test]
        fn so_are_bytes_with_several_changes(
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        ) {
            let mut content = content();
            for (at, value) in changes {
                let at = at.index(content.len());
                content[at] = value;
            }
            forged(content);
        }
    }
}
