//! Visits that wait to be counted: in memory, or in a temporary file.

use std::{
    fs::File,
    io::{self, BufWriter, Read, Seek, SeekFrom, Write},
    path::Path,
};

use super::visits::{PARTS, VISIT_BYTES, Visit, Visits};

/// The visits of a block, in memory.
pub(super) struct HeldVisits {
    pub(super) visits: Visits,
    /// By the index of a game in the block: its index among all games, unless it is left out.
    pub(super) games: Vec<Option<u32>>,
}

impl HeldVisits {
    pub(super) fn part(&self, part: usize) -> impl Iterator<Item = Visit> {
        self.visits.part(part).iter().filter_map(|visit| {
            let game = self.games.get(visit.game() as usize).copied().flatten()?;
            Some(visit.with_game(game))
        })
    }
}

/// Visits in a temporary file.
pub(super) struct Spill {
    file: File,
    /// A run is written each time that memory is full. For each, the offsets in bytes where its
    /// parts begin and where the last one ends.
    runs: Vec<Vec<u64>>,
}

impl Spill {
    /// A file without a name, which is gone with the process.
    pub(super) fn create_in(folder: &Path) -> io::Result<Self> {
        Ok(Self { file: tempfile::tempfile_in(folder)?, runs: Vec::new() })
    }

    /// Writes visits as a run, part by part.
    pub(super) fn write_run(&mut self, held: &[HeldVisits]) -> io::Result<()> {
        let mut offset = self.runs.last().and_then(|run| run.last()).copied().unwrap_or(0);
        let mut run = vec![offset];
        let mut out = BufWriter::with_capacity(1 << 18, &mut self.file);
        for part in 0..PARTS {
            for visit in held.iter().flat_map(|held| held.part(part)) {
                for word in visit.0 {
                    out.write_all(&word.to_ne_bytes())?;
                }
                offset += VISIT_BYTES as u64;
            }
            run.push(offset);
        }
        out.flush()?;
        drop(out);
        self.runs.push(run);
        Ok(())
    }

    /// Reads a part of all runs.
    pub(super) fn read_part(&mut self, part: usize, visits: &mut Vec<Visit>) -> io::Result<()> {
        let mut bytes = Vec::new();
        for run in &self.runs {
            let (start, end) = (run[part], run[part + 1]);
            bytes.clear();
            bytes.resize((end - start) as usize, 0);
            self.file.seek(SeekFrom::Start(start))?;
            self.file.read_exact(&mut bytes)?;
            visits.extend(bytes.chunks_exact(VISIT_BYTES).map(|bytes| {
                let mut words = bytes.chunks_exact(8).map(|word| {
                    u64::from_ne_bytes(word.try_into().expect("a chunk has eight bytes"))
                });
                Visit([(); 5].map(|()| words.next().expect("a visit has five words")))
            }));
        }
        Ok(())
    }
}
