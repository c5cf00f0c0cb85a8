//! Who is answered, and with which headers.
//!
//! A page from elsewhere may have its name lead to this computer (DNS rebinding), and then reads
//! whatever a server here answers. Its requests still name its own host, so that is compared.

use std::borrow::Cow;
use std::net::{IpAddr, SocketAddr};

use super::answer::Answer;
use super::site::{self, Site, Work};
use crate::{collection::Cancellation, quoted::Quoted};

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

/// What a request says of itself, as far as it matters.
#[derive(Debug, Clone, Default)]
pub(super) struct Head {
    pub(super) method: String,
    pub(super) path: String,
    pub(super) query: String,
    /// The values of `Host`, and the host of the address if that has one.
    pub(super) hosts: Vec<String>,
    /// The values of `Origin`.
    pub(super) origins: Vec<String>,
    /// The value of `Sec-Fetch-Site`.
    pub(super) fetch_site: Option<String>,
    pub(super) if_none_match: Option<String>,
    pub(super) content_type: Option<String>,
    pub(super) has_body: bool,
    /// The address that it comes from.
    pub(super) address: Option<IpAddr>,
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

/// The names and values of headers.
pub(super) type Headers = Vec<(&'static str, Cow<'static, str>)>;

impl Responder {
    pub(super) fn new(site: Site, address: SocketAddr, access: &Access) -> Self {
        Self { site, hosts: Hosts::new(address, &access.hosts), cors: access.cors }
    }

    /// The answer to a request, if it is refused or needs no work.
    pub(super) fn at_hand(&self, head: &Head) -> Option<Answer> {
        match self.refusal(head) {
            Some((status, text)) => Some(Answer::text(status, &text)),
            None if self.is_written(head) => None,
            None => self.site.at_hand(&head.path, &head.query),
        }
    }

    /// What must be done for the answer to a request that is not at hand.
    pub(super) fn work(&self, head: &Head) -> Work {
        match self.is_written(head) {
            true => Work::Writing,
            false => site::work(&head.path, &head.query),
        }
    }

    /// The answer to a request that is not at hand. It may take long.
    pub(super) fn answer(&self, head: &Head, body: &[u8], cancellation: &Cancellation) -> Answer {
        self.site.answer(&head.path, &head.query, body, cancellation)
    }

    fn writes_at(&self, head: &Head) -> bool {
        self.site.writes_at(&head.path)
    }

    /// Whether a request sends something to be written, so that its body is read.
    fn is_written(&self, head: &Head) -> bool {
        self.writes_at(head) && head.method == "POST"
    }

    /// Why a request is refused, if it is: a status of HTTP, and a line of text.
    fn refusal(&self, head: &Head) -> Option<(u16, Cow<'static, str>)> {
        let is_unknown = |host: &&String| !self.hosts.have(host);
        let unknown = head.hosts.iter().find(is_unknown).map(String::as_str);
        if let Some(host) = unknown.or(head.hosts.is_empty().then_some("")) {
            let text = format!(
                "eco serve does not answer for the host {}; if that is this computer, \
                 start it with --allow-host and this name",
                Quoted(host)
            );
            return Some((403, text.into()));
        }
        let (status, text) = match () {
            () if self.is_written(head) => writing_refusal(head)?,
            () if self.cors == Cors::Deny && self.is_foreign(head) => {
                (403, "the request is from another site; --cors lets those ask")
            }
            () if self.writes_at(head) => (405, "only POST is answered here, by the page itself"),
            () if !["GET", "HEAD"].contains(&&*head.method) => {
                (405, "only GET and HEAD are answered")
            }
            () if head.has_body => (413, "a request has no body here"),
            () => return None,
        };
        Some((status, text.into()))
    }

    /// Whether a page from elsewhere asks for more than the files of the page, to which anybody may
    /// link. Programs other than browsers do not say where a request comes from.
    fn is_foreign(&self, head: &Head) -> bool {
        let is_own = |origin: &String| {
            let host =
                ["http://", "https://"].iter().find_map(|scheme| origin.strip_prefix(scheme));
            // What is no address of the web is a program with a page in it: `tauri://localhost`.
            host.map_or(origin != "null", |host| self.hosts.have(host))
        };
        let is_elsewhere = |site: &str| !["same-origin", "none"].contains(&site);
        site::file(&head.path).is_none()
            && (head.fetch_site.as_deref().is_some_and(is_elsewhere)
                || !head.origins.iter().all(is_own))
    }

    /// The headers of an answer.
    pub(super) fn headers(&self, head: &Head, answer: &Answer) -> Headers {
        let writes = self.writes_at(head);
        let mut headers: Headers = vec![
            ("content-type", answer.content_type.into()),
            ("cache-control", answer.cache_control.into()),
            ("content-security-policy", CONTENT_SECURITY_POLICY.into()),
            ("x-content-type-options", "nosniff".into()),
            ("referrer-policy", "no-referrer".into()),
        ];
        headers.extend(answer.etag().map(|etag| ("etag", etag.into())));
        let allowed = if writes { "POST" } else { "GET, HEAD" };
        headers.extend((answer.status == 405).then_some(("allow", allowed.into())));
        headers.push(match self.cors {
            Cors::Allow if !writes => ("access-control-allow-origin", "*".into()),
            Cors::Allow | Cors::Deny => ("cross-origin-resource-policy", "same-origin".into()),
        });
        headers
    }
}

/// Why a request to write is refused whose hosts are known, if it is. Only the page itself, on this
/// computer, may write.
///
/// A page from elsewhere can make a browser send a request to this computer. It cannot choose the
/// `Origin` of that request, nor send JSON without asking first, which is not answered. Each of
/// these tests alone would do; a request must pass all of them.
fn writing_refusal(head: &Head) -> Option<(u16, &'static str)> {
    let is_here = |ip: IpAddr| ip.to_canonical().is_loopback();
    let is_of_page =
        |origin: &str| head.hosts.iter().all(|host| origin == format!("http://{host}"));
    let is_json = |text: &str| {
        let (kind, rest) = text.split_once(';').unwrap_or((text, ""));
        let rest = rest.trim();
        kind.trim().eq_ignore_ascii_case("application/json")
            && (rest.is_empty() || rest.eq_ignore_ascii_case("charset=utf-8"))
    };
    let is_from_page = matches!(&head.origins[..], [origin] if is_of_page(origin))
        && head.fetch_site.as_deref().is_none_or(|site| site == "same-origin");
    match () {
        () if !head.address.is_some_and(is_here) => {
            Some((403, "training and editing are for this computer only"))
        }
        () if !is_from_page => Some((
            403,
            "training and editing are for the page of eco serve; the request is from elsewhere",
        )),
        () if !head.content_type.as_deref().is_some_and(is_json) => {
            Some((415, "expected a body of the type application/json"))
        }
        () => None,
    }
}

/// The values of `Host` that the server answers to.
#[derive(Debug, Clone)]
struct Hosts(Vec<String>);

impl Hosts {
    /// The names of this computer, the address that is listened on, and those that were allowed: a
    /// name with a port as it stands, another one with the port of the server and without one.
    fn new(address: SocketAddr, allowed: &[String]) -> Self {
        let port = address.port();
        let mut hosts = Vec::new();
        let mut add = |name: &str| {
            hosts.push(format!("{name}:{port}"));
            if port == 80 {
                hosts.push(name.to_owned());
            }
        };
        ["localhost", "127.0.0.1", "[::1]"].into_iter().for_each(&mut add);
        if !address.ip().is_unspecified() {
            let ip = address.ip();
            add(&if ip.is_ipv6() { format!("[{ip}]") } else { ip.to_string() });
        }
        for name in allowed {
            let name = name.to_ascii_lowercase();
            let has_port = name.rsplit_once(':').is_some_and(|(name, port)| {
                !port.is_empty()
                    && port.bytes().all(|b| b.is_ascii_digit())
                    && (!name.contains(':') || name.ends_with(']'))
            });
            if !has_port {
                hosts.push(format!("{name}:{port}"));
            }
            hosts.push(name);
        }
        Self(hosts)
    }

    /// Whether the server answers for the host that a request names.
    fn have(&self, host: &str) -> bool {
        self.0.iter().any(|known| known.eq_ignore_ascii_case(host))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_compared_whole() {
        let allowed = ["chess.example".to_owned(), "other.example:8080".to_owned()];
        let hosts = Hosts::new("127.0.0.1:9002".parse().unwrap(), &allowed);
        for (host, is_known) in [
            ("localhost:9002", true),
            ("LOCALHOST:9002", true),
            ("127.0.0.1:9002", true),
            ("[::1]:9002", true),
            ("chess.example", true),
            ("chess.example:9002", true),
            ("Other.example:8080", true),
            ("other.example", false),
            ("chess.example:80", false),
            ("localhost", false),
            ("localhost:9003", false),
            ("localhost:9002.evil.example", false),
            ("localhost.evil.example:9002", false),
            ("evil.example:9002", false),
            ("127.0.0.2:9002", false),
            ("", false),
        ] {
            assert_eq!(hosts.have(host), is_known, "{host:?}");
        }
    }

    #[test]
    fn the_address_that_is_listened_on_is_known() {
        for (address, host, is_known) in [
            ("192.168.1.5:9002", "192.168.1.5:9002", true),
            ("0.0.0.0:9002", "0.0.0.0:9002", false),
            ("[fe80::1]:80", "[fe80::1]", true),
            ("127.0.0.1:80", "localhost", true),
            ("[::]:9002", "localhost:9002", true),
        ] {
            let hosts = Hosts::new(address.parse().unwrap(), &[]);
            assert_eq!(hosts.have(host), is_known, "{host} at {address}");
        }
    }

    #[test]
    fn only_the_page_itself_may_write() {
        let here = Some(IpAddr::from([127, 0, 0, 1]));
        let owned = |text: &str| text.to_owned();
        let good = Head {
            hosts: vec![owned("localhost:9002")],
            origins: vec![owned("http://localhost:9002")],
            fetch_site: Some(owned("same-origin")),
            content_type: Some(owned("application/json")),
            address: here,
            ..Head::default()
        };
        let status = |head: Head| writing_refusal(&head).map(|refusal| refusal.0);
        assert_eq!(status(good.clone()), None);
        for (address, expected) in [
            ("::1", None),
            ("::ffff:127.0.0.1", None),
            ("127.9.9.9", None),
            ("192.168.1.5", Some(403)),
            ("::ffff:192.168.1.5", Some(403)),
            ("0.0.0.0", Some(403)),
        ] {
            let address = Some(address.parse().unwrap());
            assert_eq!(status(Head { address, ..good.clone() }), expected, "{address:?}");
        }
        assert_eq!(status(Head { address: None, ..good.clone() }), Some(403));
        for origins in [
            &[][..],
            &["null"],
            &["http://127.0.0.1:9002"],
            &["http://localhost:9003"],
            &["https://localhost:9002"],
            &["http://localhost:9002/"],
            &["http://LOCALHOST:9002"],
            &["http://localhost:9002.evil.example"],
            &["http://evil.example"],
            &["http://localhost:9002", "http://localhost:9002"],
        ] {
            let origins = origins.iter().copied().map(owned).collect();
            let head = Head { origins, ..good.clone() };
            assert_eq!(status(head.clone()), Some(403), "{:?}", head.origins);
        }
        let hosts = vec![owned("localhost:9002"), owned("127.0.0.1:9002")];
        assert_eq!(status(Head { hosts, ..good.clone() }), Some(403));
        for (fetch_site, expected) in [
            (None, None),
            (Some("same-site"), Some(403)),
            (Some("cross-site"), Some(403)),
            (Some("none"), Some(403)),
        ] {
            let head = Head { fetch_site: fetch_site.map(owned), ..good.clone() };
            assert_eq!(status(head), expected, "{fetch_site:?}");
        }
        for (content_type, expected) in [
            (Some("application/json; charset=utf-8"), None),
            (Some("Application/JSON"), None),
            (None, Some(415)),
            (Some("text/plain"), Some(415)),
            (Some("application/x-www-form-urlencoded"), Some(415)),
            (Some("application/json; boundary=x"), Some(415)),
            (Some("text/plain; application/json"), Some(415)),
        ] {
            let head = Head { content_type: content_type.map(owned), ..good.clone() };
            assert_eq!(status(head), expected, "{content_type:?}");
        }
    }
}
