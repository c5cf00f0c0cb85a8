//! Answers that were given before.

use std::{collections::HashMap, mem, sync::Arc};

use super::answer::Answer;

/// Answers by what was asked. It holds as many bytes as it may, and forgets first what was not
/// asked for in a long time.
///
/// There are two generations. What is asked for is put into the young one; when that is full, it
/// becomes the old one, and what only the old one had is forgotten.
#[derive(Debug)]
pub(super) struct Cache {
    young: HashMap<String, Arc<Answer>>,
    old: HashMap<String, Arc<Answer>>,
    /// The bytes of the young generation.
    bytes: usize,
    /// The most bytes of a generation.
    most: usize,
}

/// What an answer takes besides its text and its name: the entry, the answer and its headers.
const OVERHEAD: usize = 256;

impl Cache {
    /// A cache of at most this number of bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self { young: HashMap::new(), old: HashMap::new(), bytes: 0, most: bytes / 2 }
    }

    /// The answer to what was asked before.
    pub(super) fn get(&mut self, asked: &str) -> Option<Arc<Answer>> {
        if let Some(answer) = self.young.get(asked) {
            return Some(Arc::clone(answer));
        }
        let (asked, answer) = self.old.remove_entry(asked)?;
        self.insert(asked, Arc::clone(&answer));
        Some(answer)
    }

    /// Keeps an answer, if it is not larger than everything that can be kept.
    pub(super) fn insert(&mut self, asked: String, answer: Arc<Answer>) {
        let bytes = asked.len() + answer.body.len() + OVERHEAD;
        if bytes > self.most {
            return;
        }
        if self.bytes + bytes > self.most {
            self.old = mem::take(&mut self.young);
            self.bytes = 0;
        }
        // Two threads may have found the same answer.
        if self.young.insert(asked, answer).is_none() {
            self.bytes += bytes;
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        (self.young, self.old, self.bytes) = (HashMap::new(), HashMap::new(), 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(length: usize) -> Arc<Answer> {
        Arc::new(Answer::pgn(vec![b'x'; length]))
    }

    #[test]
    fn it_holds_no_more_than_it_may() {
        let mut cache = Cache::new(100_000);
        for number in 0..10_000_usize {
            cache.insert(number.to_string(), answer(number % 500));
            cache.get("0");
            let held = cache.young.iter().chain(&cache.old);
            let held: usize = held.map(|(asked, a)| asked.len() + a.body.len() + OVERHEAD).sum();
            assert!(held <= 100_000, "{held} bytes after {number}");
        }
        assert!(cache.get("0").is_some(), "what is asked for is not forgotten");
        assert!(cache.get("1").is_none() && cache.get("9999").is_some());
        cache.insert("large".to_owned(), answer(50_000));
        assert!(cache.get("large").is_none() && cache.get("9999").is_some());
        cache.clear();
        assert!(cache.get("0").is_none() && cache.bytes == 0);
    }
}
