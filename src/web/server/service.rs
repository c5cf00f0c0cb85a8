//! One connection: requests in, answers out.

use std::{convert::Infallible, pin::pin, sync::Arc};

use http_body_util::Full;
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
use crate::web::respond::{Request, Responder, Response};

/// What all connections share.
pub(super) struct Service {
    responder: Responder,
    limits: Limits,
    /// A permit for each answer that may be worked on.
    work: Arc<Semaphore>,
}

impl Service {
    pub(super) fn new(responder: Responder, limits: Limits) -> Self {
        Self { responder, limits, work: Arc::new(Semaphore::new(limits.threads)) }
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
        let answer = |request| {
            let (service, answering) = (Arc::clone(&self), place.begin_answer());
            async move {
                let response = service.answer(request).await;
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

    async fn answer(self: Arc<Self>, request: hyper::Request<Incoming>) -> Response {
        let has_body = !request.body().is_end_stream();
        let (head, _) = request.into_parts();
        if let Some(response) = self.responder.at_hand(&read(&head, &hosts(&head), has_body)) {
            return response;
        }
        match time::timeout(self.limits.answer, Arc::clone(&self).work(head)).await {
            Ok(response) => response,
            Err(_) => self.responder.failure(503, "that takes too long; try again later"),
        }
    }

    /// Works on an answer on another thread, as soon as one is free.
    async fn work(self: Arc<Self>, head: hyper::http::request::Parts) -> Response {
        let service = Arc::clone(&self);
        let Ok(permit) = Arc::clone(&self.work).acquire_owned().await else {
            return self.responder.failure(503, "the server stops");
        };
        let work = move || {
            // Work that nobody waits for any more still takes a thread until it is done.
            let _permit = permit;
            service.responder.respond(&read(&head, &hosts(&head), false))
        };
        let worked = task::spawn_blocking(work).await;
        worked.unwrap_or_else(|_| self.responder.failure(500, "an error in eco; please report it"))
    }
}

/// The hosts that a request names.
fn hosts(head: &hyper::http::request::Parts) -> Vec<&str> {
    let named = head.headers.get_all(header::HOST).iter();
    let named = named.map(|value| value.to_str().unwrap_or("?"));
    named.chain(head.uri.authority().map(Authority::as_str)).collect()
}

fn read<'a>(
    head: &'a hyper::http::request::Parts,
    hosts: &'a [&'a str],
    has_body: bool,
) -> Request<'a> {
    Request {
        method: head.method.as_str(),
        path: head.uri.path(),
        query: head.uri.query().unwrap_or_default(),
        hosts,
        if_none_match: text(&head.headers, header::IF_NONE_MATCH),
        has_body,
    }
}

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
