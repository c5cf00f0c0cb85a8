//! From a request to an answer with its headers, apart from sockets.

use std::{net::SocketAddr, sync::Arc};

use super::{
    answer::{Answer, Keeping},
    hosts::Hosts,
    page,
    site::{Asked, Site, is_search},
    training::{PATH, Sender, refusal},
};
use crate::collection::Cancellation;

/// Who may ask.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Access {
    /// Hosts that requests may name besides this computer: `chess.example` or
    /// `chess.example:8080`.
    pub hosts: Vec<String>,
    /// Whether pages from elsewhere may ask, and read the answers.
    pub cors: Cors,
}

/// Whether pages from elsewhere may ask, and read the answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Cors {
    /// No.
    #[default]
    Deny,
    /// Yes, all of them.
    Allow,
}

/// A request, as far as it matters.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Request<'a> {
    pub(super) method: &'a str,
    pub(super) path: &'a str,
    pub(super) query: &'a str,
    /// The values of `Host`, and the host of the address if that has one.
    pub(super) hosts: &'a [&'a str],
    pub(super) if_none_match: Option<&'a str>,
    pub(super) has_body: bool,
    /// Who sends it.
    pub(super) sender: Sender<'a>,
    /// The body, once it was read.
    pub(super) body: &'a [u8],
    /// What ends the search for an answer that nobody waits for.
    pub(super) cancellation: Option<&'a Cancellation>,
}

/// An answer with all its headers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Response {
    pub(super) status: u16,
    pub(super) headers: Vec<(&'static str, String)>,
    pub(super) body: Arc<[u8]>,
}

/// What must be done for an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Work {
    /// Something is looked up, which is soon done.
    Lookup,
    /// Games are searched for those that fit, which may take long.
    Search,
    /// A body is read, and an answer of a session of training kept.
    Training,
}

/// Answers requests for a site.
pub(super) struct Responder {
    site: Site,
    hosts: Hosts,
    cors: Cors,
}

/// The page may load what it consists of, and nothing from elsewhere.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

impl Responder {
    pub(super) fn new(site: Site, address: SocketAddr, access: &Access) -> Self {
        Self { site, hosts: Hosts::new(address, &access.hosts), cors: access.cors }
    }

    /// The answer to a request, if it needs no work and no body.
    pub(super) fn at_hand(&self, request: &Request<'_>) -> Option<Response> {
        let answer = match self.refuse(request) {
            Some(refusal) => refusal,
            None if self.is_for_training(request) => return None,
            None => Answer::clone(&*self.site.at_hand(asked(request))?),
        };
        Some(self.response(answer, request))
    }

    /// The answer to a request. It may take long.
    pub(super) fn respond(&self, request: &Request<'_>) -> Response {
        let trainer = self.site.trainer().filter(|_| self.is_for_training(request));
        let answer = self.refuse(request).unwrap_or_else(|| match trainer {
            Some(trainer) => trainer.answer(request.body),
            None => Answer::clone(&*self.site.answer(asked(request))),
        });
        self.response(answer, request)
    }

    /// Whether a request sends something to the training of a repertoire, so that its body is read.
    pub(super) fn is_for_training(&self, request: &Request<'_>) -> bool {
        self.trains_at(request) && request.method == "POST"
    }

    /// What must be done for the answer to a request that is not at hand.
    pub(super) fn work(&self, request: &Request<'_>) -> Work {
        match () {
            () if self.is_for_training(request) => Work::Training,
            () if is_search(request.path, request.query) => Work::Search,
            () => Work::Lookup,
        }
    }

    fn trains_at(&self, request: &Request<'_>) -> bool {
        self.site.trainer().is_some() && request.path == PATH
    }

    /// What is answered in place of an answer.
    pub(super) fn failure(&self, status: u16, text: &str) -> Response {
        self.response(Answer::text(status, text), &Request::default())
    }

    fn refuse(&self, request: &Request<'_>) -> Option<Answer> {
        let is_known = |host: &&str| self.hosts.have(Some(host));
        match () {
            () if request.hosts.is_empty() || !request.hosts.iter().all(is_known) => {
                let host = request.hosts.iter().find(|host| !is_known(host)).unwrap_or(&"");
                let text = format!(
                    "eco serve does not answer for the host {host:?}; if that is this computer, \
                     start it with --allow-host and this name"
                );
                Some(Answer::text(403, &text))
            }
            () if self.is_for_training(request) => refusal(request.hosts, &request.sender)
                .map(|(status, text)| Answer::text(status, text)),
            () if self.cors == Cors::Deny && self.is_foreign(request) => {
                Some(Answer::text(403, "the request is from another site; --cors lets those ask"))
            }
            () if self.trains_at(request) => {
                Some(Answer::text(405, "only POST is answered here, by the page itself"))
            }
            () if !["GET", "HEAD"].contains(&request.method) => {
                Some(Answer::text(405, "only GET and HEAD are answered"))
            }
            () if request.has_body => Some(Answer::text(413, "a request has no body here")),
            () => None,
        }
    }

    /// Whether a page from elsewhere asks for more than the files of the page, to which anybody may
    /// link. Programs other than browsers do not say where a request comes from.
    fn is_foreign(&self, request: &Request<'_>) -> bool {
        let Sender { origins, fetch_site, .. } = request.sender;
        let is_own = |origin: &&str| {
            let host =
                ["http://", "https://"].iter().find_map(|scheme| origin.strip_prefix(scheme));
            // What is no address of the web is a program with a page in it: `tauri://localhost`.
            host.map_or(*origin != "null", |host| self.hosts.have(Some(host)))
        };
        !page::has_file(request.path)
            && (fetch_site.is_some_and(|site| !["same-origin", "none"].contains(&site))
                || !origins.iter().all(is_own))
    }

    fn response(&self, answer: Answer, request: &Request<'_>) -> Response {
        let answer = answer.unless_known(request.if_none_match);
        let keeping = match answer.keeping {
            Keeping::Never => "no-store",
            Keeping::Revalidated => "no-cache",
            Keeping::Minute => "max-age=60, private",
        };
        let mut headers = vec![
            ("content-type", answer.content_type.to_owned()),
            ("cache-control", keeping.to_owned()),
            ("content-security-policy", CONTENT_SECURITY_POLICY.to_owned()),
            ("x-content-type-options", "nosniff".to_owned()),
            ("referrer-policy", "no-referrer".to_owned()),
        ];
        headers.extend(answer.etag.map(|etag| ("etag", etag)));
        let trains = self.trains_at(request);
        let allowed = if trains { "POST" } else { "GET, HEAD" };
        headers.extend((answer.status == 405).then(|| ("allow", allowed.to_owned())));
        headers.push(match self.cors {
            Cors::Allow if !trains => ("access-control-allow-origin", "*".to_owned()),
            Cors::Allow | Cors::Deny => ("cross-origin-resource-policy", "same-origin".to_owned()),
        });
        Response { status: answer.status, headers, body: answer.body }
    }
}

fn asked<'a>(request: &Request<'a>) -> Asked<'a> {
    Asked { path: request.path, query: request.query, cancellation: request.cancellation }
}
