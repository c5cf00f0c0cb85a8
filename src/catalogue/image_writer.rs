//! The [image](super::image) of a catalogue.

use std::collections::HashMap;

use super::image::{Expected, MAGIC};
use super::index::{Catalogue, Duplicate, NamedPosition};
use super::{image_reader::checksum, tree::NodeId};
use crate::master::{Alias, MasterInfo};
use crate::{chess::PositionKey, opening::EcoCode};

/// The texts while they are collected, each once.
#[derive(Default)]
struct Texts {
    text: String,
    starts: HashMap<String, u32>,
    expected: u32,
}

impl Texts {
    fn add(&mut self, text: &str) -> [u8; 8] {
        let start = self.starts.get(text).copied().unwrap_or_else(|| {
            let start = number(self.text.len());
            self.text.push_str(text);
            self.starts.insert(text.to_owned(), start);
            start
        });
        let (distance, len) = (start.wrapping_sub(self.expected), number(text.len()));
        self.expected = start + len;
        (u64::from(len) << 32 | u64::from(distance)).to_le_bytes()
    }
}

fn number(n: usize) -> u32 {
    u32::try_from(n).expect("memory ends before the numbers")
}

fn push(bytes: &mut Vec<u8>, n: usize) {
    bytes.extend(number(n).to_le_bytes());
}

fn code(eco: Option<&EcoCode>) -> [u8; EcoCode::MAX_LEN] {
    eco.map_or(EcoCode::NO_CODE, |eco| eco.to_padded())
}

impl Catalogue {
    /// The catalogue as bytes.
    pub(crate) fn to_image(&self) -> Vec<u8> {
        let (mut texts, mut bytes) = (Texts::default(), MAGIC.to_vec());
        let details = self.details_to_image(&mut texts);
        let mut keys: Vec<PositionKey> = self.tree.keys().collect();
        let mut known = HashMap::new();
        for (index, key) in keys.iter().enumerate() {
            known.entry(*key).or_insert(index);
        }
        let mut positions = Vec::new();
        for NamedPosition { key, line } in &*self.positions {
            let index = *known.entry(*key).or_insert_with(|| {
                keys.push(*key);
                keys.len() - 1
            });
            push(&mut positions, index);
            positions.extend(number(*line).wrapping_sub(number(positions.len() / 8)).to_le_bytes());
        }
        let counts = [self.tree.nodes.len(), keys.len(), self.positions.len(), texts.text.len()];
        counts.into_iter().chain([self.max_ply, self.min_pieces]).for_each(|n| push(&mut bytes, n));
        for (index, (san, node)) in self.tree.sans.iter().zip(&*self.tree.nodes).enumerate() {
            let children = self.tree.children(self.tree.cursor(NodeId::new(index)));
            bytes.extend(san.to_bits().to_le_bytes());
            bytes.extend((children.len() as u16).to_le_bytes());
            bytes.extend(node.name.0.to_le_bytes());
        }
        for (index, key) in keys.iter().enumerate() {
            let [planes @ .., state] = match self.tree.nodes.get(index) {
                Some(node) if index > 0 => {
                    let parent = self.tree.board(node.parent);
                    let (key, parent) = (key.to_words(), parent.key().to_words());
                    std::array::from_fn(|word| key[word] ^ parent[word])
                }
                _ => key.to_words(),
            };
            planes.iter().for_each(|plane| bytes.extend(plane.to_le_bytes()));
            bytes.extend((state as u16).to_le_bytes());
        }
        bytes.extend(positions);
        bytes.extend(texts.text.into_bytes());
        bytes.extend(details);
        let checksum = checksum(&bytes);
        bytes.extend(checksum.to_le_bytes());
        bytes
    }

    fn details_to_image(&self, texts: &mut Texts) -> Vec<u8> {
        let mut bytes = Vec::new();
        push(&mut bytes, self.masters.len());
        for MasterInfo { name, version, date, fingerprint } in &self.masters {
            for text in [name, version, date, fingerprint] {
                bytes.extend(texts.add(text));
            }
        }
        let mut files: Vec<&str> = Vec::new();
        let mut file_numbers = HashMap::new();
        for line in self.lines() {
            file_numbers.entry(&*line.location.file).or_insert_with(|| {
                files.push(&line.location.file);
                files.len() - 1
            });
        }
        push(&mut bytes, files.len());
        files.into_iter().for_each(|file| bytes.extend(texts.add(file)));
        push(&mut bytes, self.duplicates.len());
        for Duplicate { line, first } in &self.duplicates {
            push(&mut bytes, *line);
            push(&mut bytes, *first);
        }
        push(&mut bytes, self.lines().len());
        let mut expected = Expected::default();
        for line in self.lines() {
            push(&mut bytes, line.master);
            push(&mut bytes, file_numbers[&*line.location.file]);
            bytes.extend(line.location.line.wrapping_sub(expected.line).to_le_bytes());
            expected.line = line.location.line.wrapping_add(1);
            bytes.extend(code(line.opening.eco()));
            bytes.extend(texts.add(line.opening.name()));
            let position = number(line.position);
            bytes.extend(position.wrapping_sub(expected.position).to_le_bytes());
            expected.position = position + 1;
            push(&mut bytes, line.end.map_or(0, |end| end.index() + 1));
            push(&mut bytes, line.aliases.len());
            for Alias { source, eco, name } in &line.aliases {
                bytes.extend(texts.add(source));
                bytes.extend(code(eco.as_ref()));
                bytes.extend(texts.add(name));
            }
        }
        bytes
    }
}
