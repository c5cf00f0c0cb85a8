//! The door to sockets: HTTP/1.1 with limits.
//!
//! Every client is taken for hostile. A request is short, arrives soon, and has no body, or a short
//! one for training. A connection that asks nothing is closed when another one needs its place.
//! What takes long is done on other threads, a few at a time, and given up after a while.

mod service;

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::{io, pin::pin, sync::Arc, time::Duration};

use hyper_util::server::graceful::GracefulShutdown;
use tokio::{runtime, task::JoinSet, time};

pub use self::service::Limits;
use self::service::{Connections, LOOKUPS, Service};
use super::responder::{Access, Responder};
use super::site::Site;

/// A server that listens, and does not answer yet.
#[derive(Debug)]
pub struct Server {
    listeners: Vec<TcpListener>,
    address: SocketAddr,
}

/// How long requests may take that are answered when the server is stopped.
const LAST_ANSWERS: Duration = Duration::from_secs(1);
/// How long it may take then to say to the others that the server stops.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// How long to wait when no connection can be taken, as when there are too many open files.
const PAUSE: Duration = Duration::from_millis(50);

impl Server {
    /// Listens on a port of an address; 0 is any that is free. On this computer's own address of
    /// the one kind of network, it listens on that of the other kind as well, where that can be
    /// had, since `localhost` may be either.
    ///
    /// # Errors
    ///
    /// If the port is in use, or the address is not one of this computer.
    pub fn bind(address: SocketAddr) -> io::Result<Self> {
        let first = TcpListener::bind(address)?;
        let address = first.local_addr()?;
        let other = match address.ip() {
            IpAddr::V4(Ipv4Addr::LOCALHOST) => Some(IpAddr::V6(Ipv6Addr::LOCALHOST)),
            IpAddr::V6(Ipv6Addr::LOCALHOST) => Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            _ => None,
        };
        let other = other.map(|ip| TcpListener::bind(SocketAddr::new(ip, address.port())));
        let mut listeners = vec![first];
        listeners.extend(other.and_then(Result::ok));
        for listener in &listeners {
            listener.set_nonblocking(true)?;
        }
        Ok(Self { listeners, address })
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until it is stopped by a signal to the process to end: Ctrl-C, and on Unix
    /// the signal of `kill` and that of a terminal that closes. It then takes no more connections,
    /// and answers the requests that it has.
    ///
    /// # Errors
    ///
    /// If no thread can be had, or the operating system does not give the sockets.
    pub fn run(self, site: Site, access: &Access, limits: Limits) -> io::Result<()> {
        let mut threads = runtime::Builder::new_multi_thread();
        // Each queue has its threads, and the runtime some of its own.
        let blocking = limits.threads + LOOKUPS + 3;
        threads.worker_threads(2).max_blocking_threads(blocking).enable_all();
        let runtime = threads.build()?;
        let responder = Responder::new(site, self.address, access);
        let service = Arc::new(Service::new(responder, limits));
        let served = runtime.block_on(self.serve(service, limits));
        runtime.shutdown_timeout(LAST_WORDS);
        served
    }

    async fn serve(self, service: Arc<Service>, limits: Limits) -> io::Result<()> {
        // A client that has an answer may ask for the end at once.
        let end_of_process = end_of_process()?;
        let connections = Connections::new(limits.connections);
        let open = Arc::new(GracefulShutdown::new());
        let mut tasks = JoinSet::new();
        for listener in self.listeners {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let service = Arc::clone(&service);
            tasks.spawn(accept(listener, service, connections.clone(), Arc::clone(&open)));
        }
        end_of_process.await;
        tasks.shutdown().await;
        let open = Arc::into_inner(open).expect("those who take connections have ended");
        let mut are_gone = pin!(open.shutdown());
        if time::timeout(LAST_ANSWERS, &mut are_gone).await.is_err() {
            service.give_up();
            // A client that does not read even that is not waited for.
            _ = time::timeout(LAST_WORDS, are_gone).await;
        }
        Ok(())
    }
}

/// Takes connections until the task is aborted.
async fn accept(
    listener: tokio::net::TcpListener,
    service: Arc<Service>,
    connections: Connections,
    open: Arc<GracefulShutdown>,
) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            time::sleep(PAUSE).await;
            continue;
        };
        // Where all are being answered, one of them will soon be done.
        let connection = loop {
            match connections.admit() {
                Some(connection) => break connection,
                None => time::sleep(PAUSE / 10).await,
            }
        };
        tokio::spawn(Arc::clone(&service).serve(stream, connection, open.watcher()));
    }
}

/// What ends when the process is asked to end. From this call on, and not only when it is waited
/// for, the signal no longer ends the process by itself.
#[cfg(unix)]
fn end_of_process() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut kill = signal(SignalKind::terminate())?;
    let mut hang_up = signal(SignalKind::hangup())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => (),
            _ = kill.recv() => (),
            _ = hang_up.recv() => (),
        }
    })
}

#[cfg(windows)]
fn end_of_process() -> io::Result<impl Future<Output = ()>> {
    let mut interrupt = tokio::signal::windows::ctrl_c()?;
    Ok(async move {
        _ = interrupt.recv().await;
    })
}
