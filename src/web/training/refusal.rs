//! Who may write: the page itself, on this computer, and nobody else.
//!
//! A page from elsewhere can make a browser send a request to this computer. It cannot choose the
//! `Origin` of that request, nor send JSON without asking first, which is not answered. Each of
//! these tests alone would do; a request must pass all of them.

use std::net::IpAddr;

/// The only path that takes a body.
pub(in crate::web) const PATH: &str = "/eco/train";

/// The most bytes of a body. That of the page has less than a hundred.
pub(in crate::web) const MAX_BODY: usize = 1024;

/// Who sends a request with a body, and what they say of it.
#[derive(Debug, Clone, Copy, Default)]
pub(in crate::web) struct Sender<'a> {
    /// The values of `Origin`.
    pub(in crate::web) origins: &'a [&'a str],
    /// The value of `Sec-Fetch-Site`.
    pub(in crate::web) fetch_site: Option<&'a str>,
    /// The value of `Content-Type`.
    pub(in crate::web) content_type: Option<&'a str>,
    /// The address that it comes from.
    pub(in crate::web) address: Option<IpAddr>,
}

/// Why a request is refused whose hosts are known, if it is: a status of HTTP, and a line of text.
pub(in crate::web) fn refusal(hosts: &[&str], sender: &Sender<'_>) -> Option<(u16, &'static str)> {
    let is_here = |ip: IpAddr| ip.to_canonical().is_loopback();
    let is_of_page = |origin: &str| hosts.iter().all(|host| origin == format!("http://{host}"));
    let is_json = |text: &str| {
        let (kind, rest) = text.split_once(';').unwrap_or((text, ""));
        let rest = rest.trim();
        kind.trim().eq_ignore_ascii_case("application/json")
            && (rest.is_empty() || rest.eq_ignore_ascii_case("charset=utf-8"))
    };
    match () {
        () if !sender.address.is_some_and(is_here) => {
            Some((403, "training is answered on this computer only"))
        }
        () if !matches!(sender.origins, [origin] if is_of_page(origin)) => {
            Some((403, "training is for the page of eco serve; the request is from elsewhere"))
        }
        () if sender.fetch_site.is_some_and(|site| site != "same-origin") => {
            Some((403, "training is for the page of eco serve; the request is from elsewhere"))
        }
        () if !sender.content_type.is_some_and(is_json) => {
            Some((415, "expected a body of the type application/json"))
        }
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_page_itself_may_write() {
        let here = Some(IpAddr::from([127, 0, 0, 1]));
        let good = Sender {
            origins: &["http://localhost:9002"],
            fetch_site: Some("same-origin"),
            content_type: Some("application/json"),
            address: here,
        };
        let hosts = &["localhost:9002"][..];
        let status = |hosts: &[&str], sender: &Sender<'_>| refusal(hosts, sender).map(|r| r.0);
        assert_eq!(status(hosts, &good), None);
        for (address, expected) in [
            ("::1", None),
            ("::ffff:127.0.0.1", None),
            ("127.9.9.9", None),
            ("192.168.1.5", Some(403)),
            ("::ffff:192.168.1.5", Some(403)),
            ("0.0.0.0", Some(403)),
        ] {
            let address = Some(address.parse().unwrap());
            assert_eq!(status(hosts, &Sender { address, ..good }), expected, "{address:?}");
        }
        assert_eq!(status(hosts, &Sender { address: None, ..good }), Some(403));
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
            assert_eq!(status(hosts, &Sender { origins, ..good }), Some(403), "{origins:?}");
        }
        let two = &["localhost:9002", "127.0.0.1:9002"];
        assert_eq!(status(two, &good), Some(403));
        for (fetch_site, expected) in [
            (None, None),
            (Some("same-site"), Some(403)),
            (Some("cross-site"), Some(403)),
            (Some("none"), Some(403)),
        ] {
            assert_eq!(status(hosts, &Sender { fetch_site, ..good }), expected, "{fetch_site:?}");
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
            let found = status(hosts, &Sender { content_type, ..good });
            assert_eq!(found, expected, "{content_type:?}");
        }
    }
}
