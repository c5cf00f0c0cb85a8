//! Connections: requests in, answers out.

use std::sync::{Arc, Mutex};
use std::{collections::HashMap, convert::Infallible, net::IpAddr, thread, time::Duration};

use http_body_util::{BodyExt, Collected, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Incoming};
use hyper::{header, header::HeaderName, http::request::Parts, http::uri::Authority};
use hyper::{server::conn::http1, service::service_fn};
use hyper_util::{rt::TokioIo, rt::TokioTimer, server::graceful::Watcher};
use tokio::sync::{Notify, Semaphore, watch};
use tokio::{net::TcpStream, task, time};

use crate::web::responder::{Head, Headers, Responder};
use crate::web::site::MAX_BODY;
use crate::{collection::Cancellation, executor::lock, web::answer::Answer, web::site::Work};

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
    /// The number of answers for which games are searched at the same time; with 0, no search is
    /// ever begun. Others do not wait for them.
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
            threads: thread::available_parallelism().map_or(2, usize::from).max(2),
        }
    }
}

/// What all connections share.
pub(super) struct Service {
    responder: Responder,
    limits: Limits,
    searches: Queue,
    lookups: Queue,
    writings: Queue,
    /// Whether nothing more is answered.
    is_over: watch::Sender<bool>,
}

impl Service {
    pub(super) fn new(responder: Responder, limits: Limits) -> Self {
        Self {
            responder,
            limits,
            searches: Queue::new(limits.threads, limits.waiting),
            lookups: Queue::new(LOOKUPS, limits.waiting),
            writings: Queue::new(1, limits.waiting / 4),
            is_over: watch::Sender::new(false),
        }
    }

    /// Answers what is still asked by saying that the server stops.
    pub(super) fn give_up(&self) {
        self.is_over.send_replace(true);
    }

    /// Answers the requests of a connection until it ends, another one needs its place, or the
    /// server stops.
    pub(super) async fn serve(
        self: Arc<Self>,
        stream: TcpStream,
        connection: Connection,
        open: Watcher,
    ) {
        // Without it, an answer in two packets may wait for the client.
        _ = stream.set_nodelay(true);
        let address = stream.peer_addr().ok().map(|address| address.ip());
        let answer = async |request| {
            connection.set_idle(false);
            let response = self.respond(request, address).await;
            connection.set_idle(true);
            Ok::<_, Infallible>(response)
        };
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new());
        builder.header_read_timeout(self.limits.idle).max_buf_size(self.limits.head.max(8192));
        let http = builder.serve_connection(TokioIo::new(stream), service_fn(answer));
        tokio::select! {
            // A connection that fails is gone, and nobody reads why.
            _ = open.watch(http) => {}
            () = connection.close.notified() => {}
        }
    }

    async fn respond(
        self: &Arc<Self>,
        request: hyper::Request<Incoming>,
        address: Option<IpAddr>,
    ) -> hyper::Response<Full<Bytes>> {
        let (parts, body) = request.into_parts();
        let head = Arc::new(read_head(&parts, !body.is_end_stream(), address));
        let answer = match self.responder.at_hand(&head) {
            Some(answer) => answer,
            None => self.work_in_time(&head, body).await,
        };
        let answer = answer.unless_known(head.if_none_match.as_deref());
        to_hyper(self.responder.headers(&head, &answer), answer)
    }

    async fn work_in_time(self: &Arc<Self>, head: &Arc<Head>, body: Incoming) -> Answer {
        let mut is_over = self.is_over.subscribe();
        tokio::select! {
            answer = self.work(head, body) => answer.unwrap_or_else(|failure| failure),
            () = time::sleep(self.limits.answer) => Answer::text(503, TOO_LONG),
            _ = is_over.wait_for(|is_over| *is_over) => Answer::text(503, "the server stops"),
        }
    }

    /// Reads a body, which is short and comes soon.
    async fn read_body(&self, body: Incoming) -> Result<Bytes, Answer> {
        let read = time::timeout(self.limits.body, Limited::new(body, MAX_BODY).collect()).await;
        let read = read.map_err(|_| Answer::text(408, "the body takes too long"))?;
        read.map(Collected::to_bytes).map_err(|error| match error.is::<LengthLimitError>() {
            true => Answer::text(413, "the body is too long"),
            false => Answer::text(400, "the body ends early"),
        })
    }

    /// Works on an answer on another thread, as soon as one is free. The work ends early when the
    /// future is dropped, since nobody waits for it then.
    async fn work(self: &Arc<Self>, head: &Arc<Head>, body: Incoming) -> Result<Answer, Answer> {
        // A body is read first, so that one that does not come takes no place in the queue.
        let (queue, body) = match self.responder.work(head) {
            Work::Lookup => (&self.lookups, Bytes::new()),
            Work::Search => (&self.searches, Bytes::new()),
            Work::Writing => (&self.writings, self.read_body(body).await?),
        };
        let place = Arc::clone(&queue.places).try_acquire_owned();
        let place = place.map_err(|_| Answer::text(503, TOO_MANY))?;
        let turn = Arc::clone(&queue.work).acquire_owned().await;
        let permits = (turn.expect("the semaphore is never closed"), place);
        let waiting = CancelOnDrop(Cancellation::default());
        let (service, head) = (Arc::clone(self), Arc::clone(head));
        let cancellation = waiting.0.clone();
        let work = move || {
            let _permits = permits;
            service.responder.answer(&head, &body, &cancellation)
        };
        let worked = task::spawn_blocking(work).await;
        worked.map_err(|_| Answer::text(500, "an error in eco; please report it"))
    }
}

/// The lookups that are worked on at the same time.
pub(super) const LOOKUPS: usize = 2;

const TOO_LONG: &str = "the search takes too long; narrow it: name a collection, a player, an \
    opening or dates";
const TOO_MANY: &str = "too many others wait for answers; try again later";

/// The requests of one kind that wait, and those that are worked on.
struct Queue {
    /// A permit for each of both.
    places: Arc<Semaphore>,
    /// A permit for each answer that may be worked on.
    work: Arc<Semaphore>,
}

impl Queue {
    fn new(working: usize, waiting: usize) -> Self {
        let permits = |count| Arc::new(Semaphore::new(count));
        Self { places: permits(working + waiting), work: permits(working) }
    }
}

/// Ends the work that nobody waits for any more.
struct CancelOnDrop(Cancellation);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// What browsers say of where a request comes from.
const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

fn read_head(parts: &Parts, has_body: bool, address: Option<IpAddr>) -> Head {
    let all = |name| {
        let values = parts.headers.get_all(name).iter();
        values.map(|value| value.to_str().unwrap_or("?").to_owned()).collect::<Vec<_>>()
    };
    let text = |name| Some(parts.headers.get(name)?.to_str().ok()?.to_owned());
    let mut hosts = all(header::HOST);
    hosts.extend(parts.uri.authority().map(Authority::to_string));
    Head {
        method: parts.method.to_string(),
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        hosts,
        origins: all(header::ORIGIN),
        fetch_site: text(FETCH_SITE),
        if_none_match: text(header::IF_NONE_MATCH),
        content_type: text(header::CONTENT_TYPE),
        has_body,
        address,
    }
}

fn to_hyper(headers: Headers, answer: Answer) -> hyper::Response<Full<Bytes>> {
    let mut built = hyper::Response::builder().status(answer.status);
    for (name, value) in headers {
        built = built.header(name, &*value);
    }
    let body = Full::new(Bytes::from_owner(answer.body));
    built.body(body).expect("names and values are text of one line")
}

/// All open connections. Clones share them.
#[derive(Clone)]
pub(super) struct Connections {
    most: usize,
    table: Arc<Mutex<Table>>,
}

#[derive(Default)]
struct Table {
    /// The number of what happens next, by which the earlier is known.
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

    /// Another connection, which may take the place of the one that has been idle the longest.
    /// `None` if all are being answered.
    pub(super) fn admit(&self) -> Option<Connection> {
        let mut table = lock(&self.table);
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
        Some(Connection { connections: self.clone(), number, close })
    }
}

/// An open connection, whose place is free once this is dropped.
pub(super) struct Connection {
    connections: Connections,
    number: u64,
    /// Says that the place is needed.
    close: Arc<Notify>,
}

impl Connection {
    /// Notes that a request has come, so that the place is kept, or that it has been answered.
    fn set_idle(&self, is_idle: bool) {
        let mut table = lock(&self.connections.table);
        let now = table.tick();
        if let Some(entry) = table.connections.get_mut(&self.number) {
            entry.idle_since = is_idle.then_some(now);
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        lock(&self.connections.table).connections.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_connection_that_was_idle_longest_gives_way() {
        let connections = Connections::new(3);
        let places: Vec<Connection> = (0..3).map(|_| connections.admit().unwrap()).collect();
        let has =
            |place: &Connection| lock(&connections.table).connections.contains_key(&place.number);
        let count = || lock(&connections.table).connections.len();
        // The first has asked, and waits again; the second is being answered.
        places[0].set_idle(false);
        places[0].set_idle(true);
        places[1].set_idle(false);
        let fourth = connections.admit().unwrap();
        assert_eq!([0, 1, 2].map(|index| has(&places[index])), [true, true, false]);
        let fifth = connections.admit().unwrap();
        assert_eq!([0, 1].map(|index| has(&places[index])), [false, true]);
        fourth.set_idle(false);
        fifth.set_idle(false);
        assert!(connections.admit().is_none(), "all are answered");
        places[1].set_idle(true);
        assert!(connections.admit().is_some());
        assert!(!has(&places[1]) && count() == 2);
        drop((places, fourth, fifth));
        assert_eq!(count(), 0);
    }
}
