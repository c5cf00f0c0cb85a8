//! One connection: requests in, answers out.

use std::{convert::Infallible, net::IpAddr, pin::pin, sync::Arc};

use http_body_util::{BodyExt, Collected, Full, LengthLimitError, Limited};
use hyper::{
    body::{Body, Bytes, Incoming},
    header::{self, HeaderMap},
    http::uri::Authority,
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    net::TcpStream,
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task, time,
};

use super::{connections::Place, limits::Limits};
use crate::{
    collection::Cancellation,
    web::{
        respond::{Request, Responder, Response, Work},
        training::{MAX_BODY, Sender},
    },
};

/// What all connections share.
pub(super) struct Service {
    responder: Responder,
    limits: Limits,
    searches: Queue,
    lookups: Queue,
    trainings: Queue,
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
            trainings: Queue::new(1, limits.waiting / 4),
            is_over: watch::Sender::new(false),
        }
    }

    /// Answers what is still asked by saying that the server stops.
    pub(super) fn give_up(&self) {
        self.is_over.send_replace(true);
    }

    /// Answers the requests of a connection until it ends, its place is needed, or the server
    /// stops.
    pub(super) async fn serve(
        self: Arc<Self>,
        stream: TcpStream,
        place: Place,
        mut stop: watch::Receiver<bool>,
    ) {
        // Without it, an answer in two packets may wait for the client.
        _ = stream.set_nodelay(true);
        let address = stream.peer_addr().ok().map(|address| address.ip());
        let answer = |request| {
            let (service, answering) = (Arc::clone(&self), place.begin_answer());
            async move {
                let response = service.answer(request, address).await;
                drop(answering);
                Ok::<_, Infallible>(to_hyper(response))
            }
        };
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new());
        builder.header_read_timeout(self.limits.idle).max_buf_size(self.limits.head.max(8192));
        let mut connection =
            pin!(builder.serve_connection(TokioIo::new(stream), service_fn(answer)));
        let mut is_stopping = false;
        loop {
            tokio::select! {
                // A connection that fails is gone; nobody is there to be told.
                _ = connection.as_mut() => return,
                () = place.lost() => return,
                _ = stop.wait_for(|stop| *stop), if !is_stopping => {
                    is_stopping = true;
                    connection.as_mut().graceful_shutdown();
                }
            }
        }
    }

    async fn answer(
        self: Arc<Self>,
        request: hyper::Request<Incoming>,
        address: Option<IpAddr>,
    ) -> Response {
        let has_body = !request.body().is_end_stream();
        let (head, body) = request.into_parts();
        let head = Head { parts: head, address };
        if let Some(response) = head.with(has_body, &[], |asked| self.responder.at_hand(asked)) {
            return response;
        }
        let kind = head.with(false, &[], |asked| self.responder.work(asked));
        let work = self.work(kind, head, body);
        let mut is_over = self.is_over.subscribe();
        tokio::select! {
            response = work => response.unwrap_or_else(|refusal| refusal),
            () = time::sleep(self.limits.answer) => {
                self.responder.failure(503, TOO_LONG)
            }
            _ = is_over.wait_for(|is_over| *is_over) => {
                self.responder.failure(503, "the server stops")
            }
        }
    }

    /// Reads a body, which is short and comes soon.
    async fn read_body(&self, body: Incoming) -> Result<Bytes, Response> {
        let read = time::timeout(self.limits.body, Limited::new(body, MAX_BODY).collect()).await;
        let read = read.map_err(|_| self.responder.failure(408, "the body takes too long"))?;
        read.map(Collected::to_bytes).map_err(|error| match error.is::<LengthLimitError>() {
            true => self.responder.failure(413, "the body is too long"),
            false => self.responder.failure(400, "the body ends early"),
        })
    }

    /// Works on an answer on another thread, as soon as one is free. The work ends early when the
    /// future is dropped, since nobody waits for it then.
    async fn work(
        self: &Arc<Self>,
        kind: Work,
        head: Head,
        body: Incoming,
    ) -> Result<Response, Response> {
        let queue = match kind {
            Work::Lookup => &self.lookups,
            Work::Search => &self.searches,
            Work::Training => &self.trainings,
        };
        // A body that does not come holds nobody's place.
        let body = match kind {
            Work::Training => self.read_body(body).await?,
            Work::Lookup | Work::Search => Bytes::new(),
        };
        let place = queue.enter().ok_or_else(|| self.responder.failure(503, TOO_MANY))?;
        let permits = (queue.turn().await, place);
        let waiting = CancelOnDrop(Cancellation::default());
        let (service, cancellation) = (Arc::clone(self), waiting.0.clone());
        let work = move || {
            let _permits = permits;
            head.with(false, &body, |asked| {
                let cancellation = Some(&cancellation);
                service.responder.respond(&Request { cancellation, ..*asked })
            })
        };
        let worked = task::spawn_blocking(work).await;
        worked.map_err(|_| self.responder.failure(500, "an error in eco; please report it"))
    }
}

/// The lookups that are worked on at the same time.
pub(super) const LOOKUPS: usize = 2;

const TOO_LONG: &str = "the search takes too long; narrow it: name a collection, a player, an \
    opening or dates";
const TOO_MANY: &str = "too many others wait for answers; try again later";

/// Those who wait for an answer of one kind, and those who get one just now.
struct Queue {
    /// A permit for each of both.
    places: Arc<Semaphore>,
    /// A permit for each answer that may be worked on.
    work: Arc<Semaphore>,
}

impl Queue {
    fn new(working: usize, waiting: usize) -> Self {
        let working = working.max(1);
        let permits = |count| Arc::new(Semaphore::new(count));
        Self { places: permits(working + waiting), work: permits(working) }
    }

    /// A place, which is free once the result is dropped; `None` if too many wait.
    fn enter(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.places).try_acquire_owned().ok()
    }

    /// Waits for the turn of who has a place; it ends when the result is dropped.
    async fn turn(&self) -> OwnedSemaphorePermit {
        let turn = Arc::clone(&self.work).acquire_owned();
        turn.await.expect("the semaphore is never closed")
    }
}

/// Ends work when nobody waits for it any more.
struct CancelOnDrop(Cancellation);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// The head of a request, and where it comes from.
struct Head {
    parts: hyper::http::request::Parts,
    address: Option<IpAddr>,
}

impl Head {
    /// What a function makes of the request.
    fn with<T>(&self, has_body: bool, body: &[u8], act: impl FnOnce(&Request<'_>) -> T) -> T {
        let Self { parts, address } = self;
        let values = |name| {
            let values = parts.headers.get_all(name).iter();
            values.map(|value| value.to_str().unwrap_or("?")).collect::<Vec<_>>()
        };
        let mut hosts = values(header::HOST);
        hosts.extend(parts.uri.authority().map(Authority::as_str));
        let origins = values(header::ORIGIN);
        act(&Request {
            method: parts.method.as_str(),
            path: parts.uri.path(),
            query: parts.uri.query().unwrap_or_default(),
            hosts: &hosts,
            if_none_match: text(&parts.headers, header::IF_NONE_MATCH),
            has_body,
            sender: Sender {
                origins: &origins,
                fetch_site: text(&parts.headers, FETCH_SITE),
                content_type: text(&parts.headers, header::CONTENT_TYPE),
                address: *address,
            },
            body,
            cancellation: None,
        })
    }
}

/// What browsers say of where a request comes from.
const FETCH_SITE: header::HeaderName = header::HeaderName::from_static("sec-fetch-site");

fn text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

fn to_hyper(response: Response) -> hyper::Response<Full<Bytes>> {
    let mut built = hyper::Response::builder().status(response.status);
    for (name, value) in response.headers {
        built = built.header(name, value);
    }
    let body = Full::new(Bytes::from_owner(response.body));
    built.body(body).expect("names and values are text of one line")
}
