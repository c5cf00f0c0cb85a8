//! The connections there are, and which of them gives way to another one.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::Notify;

/// The connections there are. Clones are of the same ones.
#[derive(Clone)]
pub(super) struct Connections {
    most: usize,
    table: Arc<Mutex<Table>>,
}

#[derive(Default)]
struct Table {
    /// Counts whatever happens, so that it tells what was earlier.
    clock: u64,
    connections: HashMap<u64, Entry>,
}

struct Entry {
    /// When it began to wait for a request; `None` while it is answered.
    idle_since: Option<u64>,
    close: Arc<Notify>,
}

impl Table {
    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }
}

impl Connections {
    /// Room for this number of connections.
    pub(super) fn new(most: usize) -> Self {
        Self { most, table: Arc::default() }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for another connection, which may cost that its place which has waited the longest.
    /// `None` if all are answered just now.
    pub(super) fn admit(&self) -> Option<Place> {
        let mut table = self.table();
        if table.connections.len() >= self.most {
            let idle = table.connections.iter();
            let idle = idle.filter_map(|(number, entry)| Some((entry.idle_since?, *number)));
            let (_, longest) = idle.min()?;
            let entry = table.connections.remove(&longest)?;
            entry.close.notify_one();
        }
        let (number, close) = (table.tick(), Arc::new(Notify::new()));
        let entry = Entry { idle_since: Some(number), close: Arc::clone(&close) };
        table.connections.insert(number, entry);
        Some(Place { connections: self.clone(), number, close })
    }

    /// The number of connections.
    pub(super) fn len(&self) -> usize {
        self.table().connections.len()
    }
}

/// The place of a connection, which is free once this is dropped.
pub(super) struct Place {
    connections: Connections,
    number: u64,
    close: Arc<Notify>,
}

impl Place {
    /// Waits until the place is needed.
    pub(super) async fn lost(&self) {
        self.close.notified().await;
    }

    /// Notes that a request has come, so that the place is kept.
    pub(super) fn begin_answer(&self) {
        self.set_idle_since(|_| None);
    }

    /// Notes that it has been answered.
    pub(super) fn end_answer(&self) {
        self.set_idle_since(|table| Some(table.tick()));
    }

    fn set_idle_since(&self, idle_since: impl FnOnce(&mut Table) -> Option<u64>) {
        let mut table = self.connections.table();
        let idle_since = idle_since(&mut table);
        if let Some(entry) = table.connections.get_mut(&self.number) {
            entry.idle_since = idle_since;
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.connections.table().connections.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_waited_longest_gives_way() {
        let connections = Connections::new(3);
        let places: Vec<Place> = (0..3).map(|_| connections.admit().unwrap()).collect();
        let has = |place: &Place| connections.table().connections.contains_key(&place.number);
        // The first has asked, and waits again; the second is answered just now.
        places[0].begin_answer();
        places[0].end_answer();
        places[1].begin_answer();
        let fourth = connections.admit().unwrap();
        assert_eq!([0, 1, 2].map(|index| has(&places[index])), [true, true, false]);
        let fifth = connections.admit().unwrap();
        assert_eq!([0, 1].map(|index| has(&places[index])), [false, true]);
        fourth.begin_answer();
        fifth.begin_answer();
        assert!(connections.admit().is_none(), "all are answered");
        places[1].end_answer();
        assert!(connections.admit().is_some());
        assert!(!has(&places[1]) && connections.len() == 2);
        drop((places, fourth, fifth));
        assert_eq!(connections.len(), 0);
    }
}
