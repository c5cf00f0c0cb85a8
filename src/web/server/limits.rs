//! What a client may use up.

use std::time::Duration;

/// What clients may use up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The number of connections. One more closes that which has asked nothing for the longest
    /// time.
    pub connections: usize,
    /// The bytes of the head of a request, its address included; at least 8,192.
    pub head: usize,
    /// The time from the end of an answer, or the start of the connection, to the end of the next
    /// request's head.
    pub idle: Duration,
    /// The time that an answer may take.
    pub answer: Duration,
    /// The time from the head of a request to the end of its body, of those that have one.
    pub body: Duration,
    /// The number of answers for which games are searched at the same time. Others do not wait for
    /// them.
    pub threads: usize,
    /// The number of requests that may wait for others to be answered. More are refused, so that a
    /// connection can always be had.
    pub waiting: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 512,
            head: 64 << 10,
            idle: Duration::from_secs(60),
            answer: Duration::from_secs(30),
            body: Duration::from_secs(2),
            waiting: 64,
            threads: std::thread::available_parallelism().map_or(2, usize::from).max(2),
        }
    }
}
