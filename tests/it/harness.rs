//! Runs the program in a folder of its own, and says what happened when a test fails.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use eco::classify::Verdict;
use tempfile::TempDir;

/// What the program heeds in the environment.
const SETTINGS: [&str; 7] =
    ["ECO_CATALOGUE", "ECO_DB", "ECO_VECTORS", "COLUMNS", "NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"];

/// The folders of the user, which are in the folder of a test.
const HOME: [(&str, &str); 3] =
    [("HOME", ""), ("XDG_CONFIG_HOME", "home/config"), ("XDG_DATA_HOME", "home/data")];

/// The program that is tested: `ECO_PROGRAM`, such as that of another system, or the one that was
/// built with the tests.
pub fn program() -> PathBuf {
    std::env::var_os("ECO_PROGRAM").map_or_else(|| env!("CARGO_BIN_EXE_eco").into(), PathBuf::from)
}

/// A folder to work in, gone at the end of the test.
pub struct Workplace {
    folder: TempDir,
}

/// The outcome of a run of the program.
pub struct Run {
    pub stdout: String,
    pub stderr: String,
    pub code: Option<i32>,
}

impl Workplace {
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// The names of all files in the folder, sorted.
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The program with these arguments, to be run in the folder.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(program());
        command.args(args);
        self.furnish(&mut command);
        command
    }

    /// Lets a program run in the folder, as if no settings and no home were there.
    fn furnish(&self, command: &mut Command) {
        command.current_dir(self.folder());
        SETTINGS.iter().for_each(|name| _ = command.env_remove(name));
        HOME.iter().for_each(|(name, folder)| _ = command.env(name, self.path(folder)));
    }

    /// Runs the program with these bytes on its standard input.
    pub fn pipe(&self, args: &[&str], input: &[u8]) -> Run {
        let mut command = self.command(args);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let output = std::thread::scope(|scope| {
            // A program that ends early closes the pipe, which is no error.
            scope.spawn(move || drop(stdin.write_all(input)));
            child.wait_with_output().unwrap()
        });
        Run::new(&output)
    }

    /// Runs a command of a shell in the folder, which is also its home. `eco` is the program, and
    /// there is no input.
    pub fn shell(&self, command: &str) -> Run {
        let program = program().parent().unwrap().to_owned();
        let path = std::env::var_os("PATH").unwrap();
        let path = std::env::join_paths([program].into_iter().chain(std::env::split_paths(&path)));
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).stdin(Stdio::null()).env("PATH", path.unwrap());
        self.furnish(&mut shell);
        Run::new(&shell.output().unwrap())
    }

    /// Copies a file, or a folder and all that is in it, to a name in the folder. A missing one
    /// is left out.
    pub fn copy(&self, from: &Path, name: &str) {
        if from.is_file() {
            self.write(name, fs::read(from).unwrap());
        }
        for entry in fs::read_dir(from).into_iter().flatten() {
            let entry = entry.unwrap();
            self.copy(&entry.path(), &format!("{name}/{}", entry.file_name().to_str().unwrap()));
        }
    }

    /// Runs the program without input.
    pub fn run(&self, args: &[&str]) -> Run {
        self.pipe(args, b"")
    }

    /// Runs a command line, whose words have no blanks.
    pub fn line(&self, command: &str) -> Run {
        self.run(&command.split(' ').collect::<Vec<_>>())
    }
}

impl Run {
    pub fn new(output: &Output) -> Self {
        Self {
            stdout: String::from_utf8(output.stdout.clone()).unwrap(),
            stderr: String::from_utf8(output.stderr.clone()).unwrap(),
            code: output.status.code(),
        }
    }

    /// The run ended with this exit code.
    #[track_caller]
    pub fn exits(&self, code: i32) -> &Self {
        assert_eq!(
            self.code,
            Some(code),
            "\n--- stdout\n{}\n--- stderr\n{}",
            self.stdout,
            self.stderr
        );
        self
    }

    /// This is what it wrote to standard output.
    #[track_caller]
    pub fn prints(&self, expected: &str) -> &Self {
        assert_eq!(self.stdout, expected, "\n--- stderr\n{}", self.stderr);
        self
    }

    /// Standard output holds this.
    #[track_caller]
    pub fn prints_part(&self, part: &str) -> &Self {
        assert!(self.stdout.contains(part), "{part:?} is not in\n{}", self.stdout);
        self
    }

    /// Standard error holds this.
    #[track_caller]
    pub fn complains(&self, part: &str) -> &Self {
        assert!(self.stderr.contains(part), "{part:?} is not in\n{}", self.stderr);
        self
    }

    /// Standard error is empty.
    #[track_caller]
    pub fn is_silent(&self) -> &Self {
        assert_eq!(self.stderr, "");
        self
    }
}

/// The games of the data folder.
pub fn famous_games() -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read(folder.join("data/games/famous.pgn")).unwrap()
}

/// The facts of a verdict, for comparing those of different classifiers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    pub eco: String,
    pub name: String,
    pub ply: usize,
    pub transposed: bool,
    pub error: String,
}

impl From<&Verdict<'_>> for Facts {
    fn from(verdict: &Verdict<'_>) -> Self {
        let error = verdict.error.as_ref().map(ToString::to_string).unwrap_or_default();
        let Some(named) = verdict.named else { return Self { error, ..Self::default() } };
        Self {
            eco: named.opening().code().to_owned(),
            name: named.opening().name().to_owned(),
            ply: named.ply(),
            transposed: named.is_transposed(),
            error,
        }
    }
}
