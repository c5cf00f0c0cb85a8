//! What was read of segments, kept for the next query, in bounded memory.

use std::{
    any::Any,
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::header::BlobKind;

/// A blob: the key of its segment, its kind, its number.
pub(crate) type BlobKey = (u64, BlobKind, u32);

/// Blobs as they were read. Threads share it; it holds no more than its limit.
#[derive(Debug)]
pub(crate) struct Cache {
    limit: usize,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    blobs: HashMap<BlobKey, Cached>,
    bytes: usize,
    /// The number of reads so far.
    clock: u64,
}

#[derive(Debug)]
struct Cached {
    value: Arc<dyn Any + Send + Sync>,
    bytes: usize,
    used: u64,
}

impl Cache {
    /// A cache of this many bytes.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, held: Mutex::default() }
    }

    /// What was kept of a blob.
    pub(super) fn get<T: Any + Send + Sync>(&self, key: BlobKey) -> Option<Arc<T>> {
        let mut held = self.held();
        held.clock += 1;
        let now = held.clock;
        let cached = held.blobs.get_mut(&key)?;
        cached.used = now;
        Arc::clone(&cached.value).downcast().ok()
    }

    /// Keeps what a blob was read as, which takes this many bytes.
    pub(super) fn put<T: Any + Send + Sync>(&self, key: BlobKey, value: Arc<T>, bytes: usize) {
        if bytes > self.limit {
            return;
        }
        let mut held = self.held();
        held.clock += 1;
        held.bytes += bytes;
        let cached = Cached { value, bytes, used: held.clock };
        if let Some(before) = held.blobs.insert(key, cached) {
            held.bytes -= before.bytes;
        }
        held.shrink_to(self.limit);
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        *self.held() = Held::default();
    }

    /// The bytes that it holds.
    #[cfg(test)]
    pub(crate) fn bytes(&self) -> usize {
        self.held().bytes
    }

    fn held(&self) -> MutexGuard<'_, Held> {
        // Nothing panics while it is locked.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    /// Drops what was not used for the longest time, a quarter at once: so the search for it pays.
    fn shrink_to(&mut self, limit: usize) {
        if self.bytes <= limit {
            return;
        }
        let mut by_age: Vec<_> = self.blobs.iter().map(|(key, c)| (c.used, *key)).collect();
        by_age.sort_unstable();
        for (_, key) in by_age {
            if self.bytes <= limit - limit / 4 {
                break;
            }
            self.bytes -= self.blobs.remove(&key).map_or(0, |cached| cached.bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_last_stays() {
        let cache = Cache::new(100);
        let key = |number| (1, BlobKind::Facts, number);
        for number in 0..10 {
            cache.put(key(number), Arc::new(number), 10);
        }
        assert_eq!(cache.get::<u32>(key(0)).as_deref(), Some(&0));
        cache.put(key(10), Arc::new(10_u32), 10);
        assert_eq!(cache.get::<u32>(key(0)).as_deref(), Some(&0));
        assert_eq!(cache.get::<u32>(key(1)), None);
        assert_eq!(cache.get::<u32>(key(10)).as_deref(), Some(&10));
        cache.put(key(11), Arc::new(11_u32), 101);
        assert_eq!(cache.get::<u32>(key(11)), None);
        assert!(cache.held().bytes <= 100);
        cache.clear();
        assert_eq!(cache.get::<u32>(key(0)), None);
    }
}
