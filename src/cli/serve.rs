//! `eco serve`.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

use clap::Args;
use eco::training::Moment;
use eco::web::{Access, Cors, Limits, Roles, Server, Site, SiteError};

use super::args::{DatabaseArgs, Readers, RunArgs};
use super::outcome::{Failure, Outcome, complain, refuse, say};
use super::{browser, clock, completion, games::GameInputs, indexed::IndexedGames};

const HELP: &str = "\
Examples:
  eco serve games.pgn --open
  eco serve --db my.db
  eco serve --db my.db --repertoire mine --open
  eco serve --db my.db --masters otb --lichess online --port 9002
  eco serve --db my.db --listen 192.168.1.5 --allow-host chess.lan

Programs that speak the API of lichess's opening explorer find it at the address that is shown:
  berserk.Client(explorer_url=\"http://127.0.0.1:9002\")

With --repertoire, the page has a session of training, as `eco train` on the terminal, and writes
the answers to the database. Only the page itself can do that, on this computer.

The server runs until Ctrl-C. The page and all other requests write nothing.

Exit codes: 0 stopped; 1 stopped, but an input could not be read to its end; 2 failure.";

/// Serve an explorer of games: a page for the browser, and the API of lichess's opening explorer.
///
/// Games come from the collections of a position database, made by `eco index`, or are read from
/// PGN at the start. Requests are answered only from this computer, unless --listen gives another
/// address.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct ServeArgs {
    /// Files or folders with games, or - for standard input; without any, the collections of --db
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,

    #[command(flatten)]
    database: DatabaseArgs,

    /// The port; 0 for any that is free
    #[arg(long, value_name = "N", default_value = "9002")]
    port: u16,

    /// Listen on this address of the computer, so that others reach it; 0.0.0.0 is all of them
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    #[arg(hide_default_value = true)]
    listen: IpAddr,

    /// Also answer requests for this host name, by which others reach the computer; may be repeated
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<String>,

    /// Let pages of other sites send requests and read the answers
    #[arg(long)]
    cors: bool,

    /// The collection that /masters answers from [default: all]
    #[arg(long, value_name = "NAME", add = completion::collections())]
    masters: Option<String>,

    /// The collection that /lichess answers from [default: all]
    #[arg(long, value_name = "NAME", add = completion::collections())]
    lichess: Option<String>,

    /// Train this repertoire of --db on the page, and keep the answers there; may be repeated
    #[arg(long, value_name = "NAME", add = completion::repertoires(), conflicts_with = "cors")]
    repertoire: Vec<String>,

    /// Open the page in the browser
    #[arg(long)]
    open: bool,

    #[command(flatten)]
    run: RunArgs,
}

pub(super) fn run(args: &ServeArgs) -> Result<Outcome, Failure> {
    args.check()?;
    // A port that is in use is said before any games are read.
    let server = bind(SocketAddr::new(args.listen, args.port))?;
    let Some((site, games)) = args.site()? else { return Ok(Outcome::Incomplete) };
    let mut access = Access::default();
    access.hosts.clone_from(&args.allow_host);
    access.cors = if args.cors { Cors::Allow } else { Cors::Deny };
    let url = url(server.address());
    if !args.run.quiet {
        say(&format_args!("{url} (Ctrl-C stops)"));
    }
    if args.open
        && let Err(error) = browser::open(&url)
    {
        complain(&format_args!("cannot open the browser: {error}; open {url}"));
    }
    server.run(site, &access, Limits::default())?;
    Ok(games.map_or(Outcome::Done, |games| games.outcome))
}

impl ServeArgs {
    /// Checks that there is something to serve, and that all of it can be served.
    fn check(&self) -> Result<(), Failure> {
        if !self.repertoire.is_empty() && !self.inputs.is_empty() {
            return refuse(
                "--repertoire is for a repertoire of --db FILE, which games are not served with",
            );
        }
        if !self.repertoire.is_empty() && !self.listen.is_loopback() {
            return refuse(format!(
                "--repertoire writes, and is for this computer only: leave out --listen {}",
                self.listen
            ));
        }
        let Some(input) = self.inputs.first().filter(|_| self.database.is_named()) else {
            return Ok(());
        };
        let (input, db) = (input.display(), self.database.db.display());
        refuse(format!(
            "{input} and --db {db} are not served together: `eco index {input} --db {db}` puts the \
             games into the database, and `eco serve --db {db}` serves both"
        ))
    }

    /// What is served, and the games if they are read from inputs; `None` if none can be read.
    fn site(&self) -> Result<Option<(Site, Option<IndexedGames>)>, Failure> {
        let mut roles = Roles::default();
        (roles.masters, roles.lichess) = (self.masters.clone(), self.lichess.clone());
        let naming = &self.database.naming;
        let (catalogue, language) = (naming.masters()?, naming.language(Readers::People));
        if self.inputs.is_empty() {
            let db = &self.database.db;
            let site = Site::open(db, roles, catalogue).map_err(|error| explained(error, db))?;
            let site = site.in_language(language);
            let site = match &self.repertoire[..] {
                [] => site,
                repertoires => site.with_training(repertoires, now)?,
            };
            return Ok(Some((site, None)));
        }
        let inputs = GameInputs::find(&self.inputs, &[])?;
        let Some(games) = IndexedGames::of(inputs, &self.run, catalogue)? else { return Ok(None) };
        let site = Site::open(&games.db, roles, catalogue)?.in_language(language);
        Ok(Some((site, Some(games))))
    }
}

/// The time of an answer.
fn now() -> Moment {
    Moment::from_seconds(clock::now())
}

/// Why a database cannot be served, and what helps.
fn explained(error: SiteError, db: &Path) -> Failure {
    match error {
        SiteError::Empty(_) => {
            Failure(format!("{error}: `eco index GAMES.pgn --db {}` puts some in", db.display()))
        }
        SiteError::Store(error) => error.into(),
        error => error.into(),
    }
}

fn bind(address: SocketAddr) -> Result<Server, Failure> {
    Server::bind(address).map_err(|error| {
        Failure(match error.kind() {
            io::ErrorKind::AddrInUse => format!(
                "port {} is in use, perhaps by another eco serve: choose another with --port, \
                 or --port 0 for any that is free",
                address.port()
            ),
            io::ErrorKind::AddrNotAvailable => {
                format!("{} is not an address of this computer", address.ip())
            }
            io::ErrorKind::PermissionDenied => {
                format!("port {} is not allowed: choose one above 1023", address.port())
            }
            _ => format!("cannot listen on {address}: {error}"),
        })
    })
}

/// What `localhost` may be.
const LOCALHOST: [IpAddr; 2] = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)];

/// The address for a browser on this computer.
fn url(address: SocketAddr) -> String {
    let port = address.port();
    match address.ip() {
        ip if ip.is_unspecified() || LOCALHOST.contains(&ip) => format!("http://localhost:{port}/"),
        _ => format!("http://{address}/"),
    }
}
