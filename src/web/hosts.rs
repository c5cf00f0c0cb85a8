//! Which hosts the server answers for.
//!
//! A page from elsewhere may have its name lead to this computer (DNS rebinding), and then reads
//! whatever a server here answers. Its requests still name its own host, so that is compared.

use std::net::SocketAddr;

/// The values of `Host` that the server answers to.
#[derive(Debug, Clone)]
pub(super) struct Hosts(Vec<String>);

impl Hosts {
    /// The names of this computer, the address that is listened on, and those that were allowed: a
    /// name with a port as it stands, another one with the port of the server and without one.
    pub(super) fn new(address: SocketAddr, allowed: &[String]) -> Self {
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
    pub(super) fn have(&self, host: Option<&str>) -> bool {
        host.is_some_and(|host| self.0.iter().any(|known| known.eq_ignore_ascii_case(host)))
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
            assert_eq!(hosts.have(Some(host)), is_known, "{host:?}");
        }
        assert!(!hosts.have(None));
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
            assert_eq!(hosts.have(Some(host)), is_known, "{host} at {address}");
        }
    }
}
