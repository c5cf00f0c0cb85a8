//! A pager for tables that are longer than the terminal: the one that PAGER names, or else `less`.
//! What fits is printed as it is.

use std::io::{self, Write, stdout};
use std::process::{Child, Command, Stdio};
use std::{env, mem};

use super::interrupt::{leave_to_pager, take_from_pager};
use super::terminal::terminal_size;

/// The terminal, with a pager as soon as there are more lines than it has.
pub(super) enum Paged {
    /// Lines that fit so far.
    Held(Vec<u8>),
    Pager(Child),
    /// There is no pager.
    Terminal,
}

impl Paged {
    /// Hands on what was held back, to a pager if there is one.
    fn begin(&mut self) -> io::Result<()> {
        let Self::Held(held) = self else { return Ok(()) };
        let held = mem::take(held);
        *self = pager().map_or(Self::Terminal, Self::Pager);
        self.write_all(&held)
    }
}

impl Write for Paged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Held(held) => {
                held.extend_from_slice(bytes);
                if is_longer_than_terminal(held) {
                    self.begin()?;
                }
                Ok(bytes.len())
            }
            Self::Pager(child) => {
                child.stdin.as_mut().expect("it is open until the end").write(bytes)
            }
            Self::Terminal => stdout().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Held(_) => Ok(()),
            Self::Pager(child) => child.stdin.as_mut().map_or(Ok(()), Write::flush),
            Self::Terminal => stdout().flush(),
        }
    }
}

/// Prints what fits, or waits until the reader is done.
impl Drop for Paged {
    fn drop(&mut self) {
        match self {
            Self::Held(held) => drop(stdout().write_all(held).and_then(|()| stdout().flush())),
            Self::Pager(child) => {
                child.stdin.take();
                let _ = child.wait();
                take_from_pager();
            }
            Self::Terminal => {}
        }
    }
}

/// Whether there are more lines than the terminal has beside the one for what comes next.
fn is_longer_than_terminal(text: &[u8]) -> bool {
    let [_, lines] = terminal_size();
    text.iter().filter(|byte| **byte == b'\n').count() >= lines
}

/// Starts the pager; `None` if there is none. `cat`, or nothing, is none.
fn pager() -> Option<Child> {
    let mut command = match env::var("PAGER") {
        Ok(words) if ["", "cat"].contains(&words.trim()) => return None,
        Ok(words) if cfg!(unix) => {
            let mut shell = Command::new("sh");
            shell.args(["-c", &words]);
            shell
        }
        _ => {
            let mut less = Command::new("less");
            less.arg("-FRX");
            less
        }
    };
    leave_to_pager();
    let pager = command.stdin(Stdio::piped()).spawn();
    pager.inspect_err(|_| take_from_pager()).ok()
}
