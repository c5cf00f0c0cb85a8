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
    sync::{Semaphore, watch},
    task, time,
};

use super::{connections::Place, limits::Limits};
use crate::web::{
    respond::{Request, Responder, Response},
    training::{MAX_BODY, Sender},
};

/// What all connections share.
pub(super) struct Service {
    responder: Responder,
    limits: Limits,
    /// A permit for each answer that may be worked on.
    work: Arc<Semaphore>,
    /// And for each of those that may take long: fewer, so that others need not wait for them.
    long_work: Arc<Semaphore>,
    /// Whether nothing more is answered.
    is_over: watch::Sender<bool>,
}

impl Service {
    pub(super) fn new(responder: Responder, limits: Limits) -> Self {
        let permits = |count: usize| Arc::new(Semaphore::new(count.max(1)));
        let (work, long_work) = (permits(limits.threads), permits(limits.threads - 1));
        Self { responder, limits, work, long_work, is_over: watch::Sender::new(false) }
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
        let work = async {
            let takes_body = head.with(false, &[], |asked| self.responder.is_for_training(asked));
            let body = match takes_body {
                true => self.read_body(body).await?,
                false => Bytes::new(),
            };
            Ok(Arc::clone(&self).work(head, body).await)
        };
        let mut is_over = self.is_over.subscribe();
        tokio::select! {
            response = work => response.unwrap_or_else(|refusal| refusal),
            () = time::sleep(self.limits.answer) => {
                self.responder.failure(503, "that takes too long; try again later")
            }
            _ = is_over.wait_for(|is_over| *is_over) => {
                self.responder.failure(503, "the server stops")
            }
        }
    }

    /// Reads a body, which is short.
    async fn read_body(&self, body: Incoming) -> Result<Bytes, Response> {
        let read = Limited::new(body, MAX_BODY).collect().await;
        read.map(Collected::to_bytes).map_err(|error| match error.is::<LengthLimitError>() {
            true => self.responder.failure(413, "the body is too long"),
            false => self.responder.failure(400, "the body ends early"),
        })
    }

    /// Works on an answer on another thread, as soon as one is free.
    async fn work(self: Arc<Self>, head: Head, body: Bytes) -> Response {
        let service = Arc::clone(&self);
        let permit = |of: &Arc<Semaphore>| Arc::clone(of).acquire_owned();
        let long = match reads_tags(head.parts.uri.query().unwrap_or_default()) {
            true => permit(&self.long_work).await.ok(),
            false => None,
        };
        let permits = (permit(&self.work).await.ok(), long);
        let work = move || {
            // Work that nobody waits for any more still takes a thread until it is done.
            let _permits = permits;
            head.with(false, &body, |asked| service.responder.respond(asked))
        };
        let worked = task::spawn_blocking(work).await;
        worked.unwrap_or_else(|_| self.responder.failure(500, "an error in eco; please report it"))
    }
}

/// Whether games are selected by a tag, which is read from the text of each of them.
fn reads_tags(query: &str) -> bool {
    query.split('&').any(|pair| pair.starts_with("tag="))
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
