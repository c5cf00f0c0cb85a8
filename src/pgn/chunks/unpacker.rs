//! Unpacking the frames of a file side by side.
//!
//! The file is listed in *lanes*: groups of frames that can be unpacked on their own. Whoever has
//! the time unpacks the next chunk of the earliest lane that nobody is at. That is the thread that
//! reads, when the chunk it needs is not there; and each worker before it works on a chunk of its
//! own, so that as much is unpacked as is taken. Chunks are taken in the order of the file, so all
//! else is as with a stream: `Chunks` splits them and puts games together that go on in the next.
//!
//! Two things bound the memory: workers stop when enough is unpacked ahead, and a lane begins only
//! if all before it are taken care of, so that there are no more decoders than threads.
//!
//! Where there are more threads than cores, they take turns at a core, and each decoder pushes the
//! window of the one before out of its cache. So fewer threads unpack at once there, each for
//! longer. A worker that finds the thread that reads at it for long waits to do it instead, so that
//! no thread carries the archive.
//!
//! Whatever is not as expected (damage, the end of the file within a frame, a length that is wrong,
//! a frame that is too long) ends the lanes. From the start of that lane on, the file is read as a
//! stream, so the answer is that of a stream.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::{collections::VecDeque, io, io::Read, mem, num::NonZeroUsize, thread, thread::ThreadId};

use super::carry::{Filled, HEADROOM, fill, read_chunk};
use crate::executor::lock;
use crate::pgn::buffers::{Buffer, Buffers};
use crate::pgn::frames::{Found, find_group};
use crate::pgn::source::{readers::failing, shared_file::SharedFile};
use crate::pgn::{codecs::decode_frames, game::BlockOptions, source::readers::packed_section};

/// The bytes that may be unpacked ahead, and more for each worker that has another core. With
/// frames of 32 MiB, which are the largest that `pzstd` writes by default, four of them can be
/// unpacked at once on eight cores, since the first is taken as fast as all are unpacked: when it
/// is begun, three quarters of it must be there, half of the next one, and a quarter of the third.
const AHEAD: usize = 4 << 20;
const AHEAD_PER_WORKER: usize = 8 << 20;

/// The most chunks that a worker unpacks before it works on one, and where there are more threads
/// than cores.
const CHUNKS_PER_HELP: usize = 4;
const CHUNKS_PER_TURN: usize = 16;

/// The chunks that the thread that reads unpacks there before a worker waits to do it.
const READER_CHUNKS: usize = 8;

/// Bytes of a chunk, which begin after the [`HEADROOM`].
struct Unpacked {
    buffer: Buffer,
    /// Where they end.
    end: usize,
    /// The number of compressed bytes that they were made of.
    packed: u64,
}

/// The end of the one that reads: it takes chunks in the order of the file.
pub(super) struct Unpacker {
    pub(super) shared: Arc<Shared>,
    /// The file from where the lanes end, once they have ended.
    rest: Option<Box<dyn Read>>,
}

/// What the threads share.
pub(super) struct Shared {
    bytes: SharedFile,
    buffers: Buffers,
    chunk_size: usize,
    /// The thread that reads. It unpacks only what it needs itself.
    reader: ThreadId,
    /// The threads that may unpack at once.
    cores: usize,
    lanes: Mutex<Lanes>,
    changed: Condvar,
}

#[derive(Default)]
struct Lanes {
    /// Those that are not taken to their end.
    lanes: VecDeque<Lane>,
    /// The number of lanes before these.
    before: usize,
    /// Where the last of those began, and the number of unpacked bytes that it had.
    last: (u64, u64),
    /// Where the next lane begins.
    listed: u64,
    /// What is there, if it is no lane.
    end: Option<Found>,
    /// The bytes of chunks that are unpacked and not taken.
    ahead: usize,
    /// The threads that unpack.
    unpacking: usize,
    /// The chunks that the thread that reads has unpacked since a worker did.
    by_reader: usize,
    /// Whether a worker waits to do it instead.
    worker_waits: bool,
    /// The threads that have helped.
    helpers: Vec<ThreadId>,
    is_closed: bool,
}

struct Lane {
    start: u64,
    end: u64,
    progress: Progress,
    chunks: VecDeque<Unpacked>,
    /// The number of unpacked bytes that were taken.
    taken: u64,
}

enum Progress {
    NotBegun,
    /// Unpacked as far as the chunks go.
    Paused(LaneDecoder),
    /// A thread unpacks its next chunk.
    Busy,
    Done,
    /// It cannot be unpacked to its end.
    Failed,
}

struct LaneDecoder {
    reader: Box<dyn Read + Send>,
    counter: Arc<AtomicU64>,
    counted: u64,
}

impl LaneDecoder {
    /// Unpacks the next chunk, which is shorter than others, or empty, at the end of the lane.
    fn unpack(&mut self, buffers: &Buffers, chunk_size: usize) -> io::Result<Unpacked> {
        let mut buffer = buffers.take(HEADROOM + chunk_size);
        let (end, lane_end) = fill(&mut buffer, HEADROOM, &mut self.reader);
        lane_end.transpose()?;
        let counted = self.counter.load(Ordering::Relaxed);
        let packed = counted - mem::replace(&mut self.counted, counted);
        Ok(Unpacked { buffer, end, packed })
    }
}

impl Unpacker {
    pub(super) fn new(bytes: SharedFile, buffers: &Buffers, chunk_size: usize) -> Self {
        bytes.position.set(0);
        let shared = Shared {
            bytes,
            buffers: buffers.clone(),
            chunk_size: chunk_size.max(1),
            reader: thread::current().id(),
            cores: thread::available_parallelism().map_or(1, NonZeroUsize::get),
            lanes: Mutex::default(),
            changed: Condvar::new(),
        };
        Self { shared: Arc::new(shared), rest: None }
    }

    /// The next chunk of the file: unpacked frames, or bytes of the stream that it is from where
    /// the lanes end.
    pub(super) fn read(&mut self, options: BlockOptions) -> Filled {
        let shared = &self.shared;
        let rest = match &mut self.rest {
            Some(rest) => rest,
            lanes => match shared.next_chunk() {
                Ok(Turn::Chunk(chunk)) => return (chunk.buffer, chunk.end, None),
                Ok(Turn::End) => lanes.insert(Box::new(io::empty())),
                Ok(Turn::Stream { start, taken }) => {
                    let rest = shared.bytes.open(start, u64::MAX, taken);
                    lanes.insert(rest.unwrap_or_else(failing))
                }
                Err(error) => lanes.insert(failing(error)),
            },
        };
        read_chunk(&shared.buffers, options, rest)
    }
}

impl Drop for Unpacker {
    fn drop(&mut self) {
        self.shared.close(&mut lock(&self.shared.lanes));
    }
}

enum Turn {
    Chunk(Unpacked),
    End,
    /// The file must be read as a stream from `start` on, where this number of unpacked bytes was
    /// taken already.
    Stream {
        start: u64,
        taken: u64,
    },
}

impl Shared {
    /// Unpacks ahead on a worker, if less is unpacked than may be.
    pub(super) fn help(&self) {
        let thread = thread::current().id();
        if thread == self.reader {
            return;
        }
        for done in 0..CHUNKS_PER_TURN {
            let mut lanes = lock(&self.lanes);
            if !lanes.helpers.contains(&thread) {
                lanes.helpers.push(thread);
            }
            if done == CHUNKS_PER_HELP && !self.is_crowded(&lanes) {
                return;
            }
            let Some(mut lanes) = self.wait_for_turn(lanes) else { return };
            // What cannot be listed is for the thread that reads.
            let Ok(Some(index)) = self.idle_lane(&mut lanes) else { return };
            drop(self.unpack(lanes, index));
        }
    }

    /// Waits, where there are more threads than cores, until the thread that reads has unpacked its
    /// chunk; one worker does. `None` if enough is unpacked, or other workers are at it.
    fn wait_for_turn<'l>(
        &'l self,
        mut lanes: MutexGuard<'l, Lanes>,
    ) -> Option<MutexGuard<'l, Lanes>> {
        let others = lanes.helpers.len().min(self.cores - 1);
        let enough = AHEAD + AHEAD_PER_WORKER * others;
        let may_unpack = |lanes: &Lanes| lanes.unpacking < self.most_unpacking(lanes);
        if self.is_crowded(&lanes)
            && !may_unpack(&lanes)
            && lanes.by_reader >= READER_CHUNKS
            && !lanes.worker_waits
        {
            lanes.worker_waits = true;
            let has_no_turn = |lanes: &mut Lanes| !lanes.is_closed && !may_unpack(lanes);
            let waited = self.changed.wait_while(lanes, has_no_turn);
            lanes = waited.unwrap_or_else(PoisonError::into_inner);
            lanes.worker_waits = false;
            // The thread that reads waits meanwhile.
            self.changed.notify_all();
        }
        (may_unpack(&lanes) && lanes.ahead < enough).then_some(lanes)
    }

    /// Whether there are more threads than cores.
    fn is_crowded(&self, lanes: &Lanes) -> bool {
        lanes.helpers.len() >= self.cores
    }

    /// The number of threads that may unpack at once.
    fn most_unpacking(&self, lanes: &Lanes) -> usize {
        if self.is_crowded(lanes) { (self.cores - 1).max(1) } else { self.cores }
    }

    /// Takes the next chunk, and unpacks it if that is to be done.
    fn next_chunk(&self) -> io::Result<Turn> {
        let mut lanes = lock(&self.lanes);
        loop {
            let worker_waits = lanes.worker_waits;
            let Some(front) = lanes.lanes.front_mut() else {
                self.list(&mut lanes)?;
                match lanes.end.filter(|_| lanes.lanes.is_empty()) {
                    None => continue,
                    Some(Found::End) => return Ok(Turn::End),
                    Some(_) => {
                        // From the last lane on, since what follows may be a frame only there:
                        // zeros after a member of gzip are padding.
                        let (start, taken) = lanes.last;
                        self.close(&mut lanes);
                        return Ok(Turn::Stream { start, taken });
                    }
                }
            };
            if let Some(chunk) = front.chunks.pop_front() {
                front.taken += (chunk.end - HEADROOM) as u64;
                lanes.ahead -= chunk.buffer.len();
                self.bytes.position.advance(chunk.packed);
                return Ok(Turn::Chunk(chunk));
            }
            match front.progress {
                Progress::Done => {
                    let last = (front.start, front.taken);
                    lanes.last = last;
                    lanes.lanes.pop_front();
                    lanes.before += 1;
                }
                Progress::Failed => {
                    let turn = Turn::Stream { start: front.start, taken: front.taken };
                    self.close(&mut lanes);
                    return Ok(turn);
                }
                Progress::NotBegun | Progress::Paused(_) if worker_waits => {
                    lanes = self.changed.wait(lanes).unwrap_or_else(PoisonError::into_inner);
                }
                Progress::NotBegun | Progress::Paused(_) => {
                    let index = lanes.before;
                    lanes = self.unpack(lanes, index);
                }
                Progress::Busy => lanes = self.while_busy(lanes)?,
            }
        }
    }

    /// What the thread that reads does while another unpacks the chunk that it needs: the same with
    /// another chunk, unless enough is unpacked.
    fn while_busy<'l>(
        &'l self,
        mut lanes: MutexGuard<'l, Lanes>,
    ) -> io::Result<MutexGuard<'l, Lanes>> {
        if lanes.unpacking < self.most_unpacking(&lanes)
            && lanes.ahead < AHEAD
            && let Some(index) = self.idle_lane(&mut lanes)?
        {
            return Ok(self.unpack(lanes, index));
        }
        Ok(self.changed.wait(lanes).unwrap_or_else(PoisonError::into_inner))
    }

    /// The number of the earliest lane that nobody is at, and whose next chunk is to be unpacked.
    fn idle_lane(&self, lanes: &mut Lanes) -> io::Result<Option<usize>> {
        if lanes.is_closed {
            return Ok(None);
        }
        let is_idle =
            |lane: &Lane| matches!(lane.progress, Progress::NotBegun | Progress::Paused(_));
        if !lanes.lanes.iter().any(is_idle) {
            self.list(lanes)?;
        }
        Ok(lanes.lanes.iter().position(is_idle).map(|index| lanes.before + index))
    }

    /// Lists another lane, or why there is none.
    fn list(&self, lanes: &mut Lanes) -> io::Result<()> {
        if lanes.end.is_some() {
            return Ok(());
        }
        match find_group(&*self.bytes.file, self.bytes.compression, lanes.listed)? {
            Found::Frames { end } => {
                let start = mem::replace(&mut lanes.listed, end);
                let (progress, chunks) = (Progress::NotBegun, VecDeque::new());
                lanes.lanes.push_back(Lane { start, end, progress, chunks, taken: 0 });
            }
            found => lanes.end = Some(found),
        }
        Ok(())
    }

    /// Unpacks the next chunk of the lane of this number, which is idle.
    fn unpack<'l>(
        &'l self,
        mut lanes: MutexGuard<'l, Lanes>,
        number: usize,
    ) -> MutexGuard<'l, Lanes> {
        let index = number - lanes.before;
        let lane = &mut lanes.lanes[index];
        let (start, end) = (lane.start, lane.end);
        let progress = mem::replace(&mut lane.progress, Progress::Busy);
        lanes.unpacking += 1;
        let is_reader = thread::current().id() == self.reader;
        lanes.by_reader = if is_reader { lanes.by_reader + 1 } else { 0 };
        drop(lanes);
        // A panic would leave the others waiting.
        let guard = FailedUnlessDone { shared: self, number };
        let (progress, chunk) = match progress {
            Progress::Paused(decoder) => self.go_on(Ok(decoder)),
            _ => self.go_on(self.decoder(start, end)),
        };
        mem::forget(guard);
        let mut lanes = lock(&self.lanes);
        self.put(&mut lanes, number, progress, chunk);
        lanes
    }

    fn go_on(&self, decoder: io::Result<LaneDecoder>) -> (Progress, Option<Unpacked>) {
        let unpacked = decoder.and_then(|mut decoder| {
            let chunk = decoder.unpack(&self.buffers, self.chunk_size)?;
            Ok((decoder, chunk))
        });
        match unpacked {
            Ok((decoder, chunk)) if chunk.end == chunk.buffer.len() => {
                (Progress::Paused(decoder), Some(chunk))
            }
            Ok((_, chunk)) => (Progress::Done, Some(chunk)),
            Err(_) => (Progress::Failed, None),
        }
    }

    fn decoder(&self, start: u64, end: u64) -> io::Result<LaneDecoder> {
        let counter = Arc::default();
        let input = packed_section(&self.bytes.file, start, end, &counter);
        let reader = decode_frames(self.bytes.compression, input)?;
        Ok(LaneDecoder { reader, counter, counted: 0 })
    }

    /// Puts the result for a lane in its place, unless nobody will ask for it.
    fn put(&self, lanes: &mut Lanes, number: usize, progress: Progress, chunk: Option<Unpacked>) {
        lanes.unpacking -= 1;
        let index = number.wrapping_sub(lanes.before);
        if let Some(lane) = lanes.lanes.get_mut(index) {
            lane.progress = progress;
            if let Some(chunk) = chunk {
                let bytes = chunk.buffer.len();
                lane.chunks.push_back(chunk);
                lanes.ahead += bytes;
            }
        }
        self.changed.notify_all();
    }

    /// Nothing more is unpacked.
    fn close(&self, lanes: &mut Lanes) {
        lanes.is_closed = true;
        lanes.ahead = 0;
        lanes.lanes.clear();
    }
}

struct FailedUnlessDone<'s> {
    shared: &'s Shared,
    number: usize,
}

impl Drop for FailedUnlessDone<'_> {
    fn drop(&mut self) {
        let mut lanes = lock(&self.shared.lanes);
        self.shared.put(&mut lanes, self.number, Progress::Failed, None);
    }
}
