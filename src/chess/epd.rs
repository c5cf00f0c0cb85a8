//! EPD: a position and what is said of it, on one line.
//!
//! The position stands there as four fields of a FEN; operations follow, an opcode and its operands
//! each, closed by a semicolon: `hmvc 0; eco "B90"; pv e4 c5;`. Operands are kept to the letter;
//! what a quoted one means is told on asking.
//!
//! Forgiven, because files have it: the six fields of a FEN, with or without operations behind
//! them; a missing last semicolon; semicolons with nothing between them.

use std::{borrow::Cow, fmt, num::NonZeroU32, str::FromStr};

use super::fen::{Fen, FenFault, split_fen};

/// A position with operations.
///
/// It reads a line and prints it again: fields and operations in the usual spelling, operands to
/// the letter.
///
/// ```
/// use eco::chess::epd::{Epd, Operation};
///
/// let line = r#"4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; v0 "King and rook"; pv O-O Ke7;"#;
/// let mut epd: Epd = line.parse()?;
/// assert_eq!(epd.to_string(), line);
/// assert_eq!(epd.fen().halfmoves(), 3);
/// assert_eq!(epd.operation("v0").unwrap().text(), "King and rook");
/// assert_eq!(epd.operation("pv").unwrap().operands(), ["O-O", "Ke7"]);
///
/// epd.set(Operation::quoted("id", r#"the "easy" one"#)?);
/// assert!(epd.to_string().ends_with(r#" id "the \"easy\" one";"#));
/// # Ok::<(), eco::chess::epd::EpdFault>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Epd {
    fen: Fen,
    counters: Counters,
    operations: Vec<Operation>,
}

/// The opcodes that name an opening: its code, and its name in parts.
const NAMES: [&str; 4] = ["eco", "v0", "v1", "v2"];

/// Where the line has its move counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Counters {
    /// Fields five and six, as in a FEN.
    Fields,
    /// The operations `hmvc` and `fmvn`, or nowhere.
    Operations,
}

/// An opcode and its operands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    opcode: Box<str>,
    operands: Box<str>,
}

/// What is wrong with a line of EPD. Columns count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EpdFault {
    /// The position cannot be read.
    #[error(transparent)]
    Fen(#[from] FenFault),
    /// An operation does not begin with an opcode.
    #[error(
        "column {column}: found {found:?}, expected an opcode: a letter, then letters, digits, _"
    )]
    Opcode {
        /// Where the opcode was expected.
        column: usize,
        /// What stands there.
        found: String,
    },
    /// A quoted operand is never closed.
    #[error("column {column}: this quote is never closed")]
    OpenQuote {
        /// Where the quote is.
        column: usize,
    },
    /// A move counter that is no number.
    #[error("column {column}: found {opcode} {found:?}, expected a number below 2^32")]
    Counter {
        /// Where the operation begins.
        column: usize,
        /// `hmvc` or `fmvn`.
        opcode: &'static str,
        /// Its operands.
        found: String,
    },
    /// Operands that would end the operation or the line; only made, never read.
    #[error("opcode {opcode}: operands {found:?} cannot be written on a line of EPD")]
    Unwritable {
        /// The opcode.
        opcode: String,
        /// Its operands.
        found: String,
    },
}

/// Cuts a line into the FEN it begins with and its operations. Where what stands behind the FEN is
/// nothing that could be operations, closed by semicolons, all of the line is meant as a FEN.
///
/// ```
/// use eco::chess::epd::split_epd;
///
/// assert_eq!(split_epd("8/8 w - - id \"x\";"), ("8/8 w - -", " id \"x\";"));
/// assert_eq!(split_epd("8/8 w - - 0 1;"), ("8/8 w - - 0 1;", ""));
/// ```
#[must_use]
pub fn split_epd(line: &str) -> (&str, &str) {
    let (fen, rest) = split_fen(line);
    let is_epd = rest.contains(';') && read_operations(line, fen.len(), |_, _| Ok(())).is_ok();
    if is_epd { (fen, rest) } else { (line, "") }
}

impl Epd {
    /// A position without operations. Its move counters are not written; `hmvc` and `fmvn` can say
    /// them.
    #[must_use]
    pub fn new(fen: Fen) -> Self {
        Self { fen, counters: Counters::Operations, operations: Vec::new() }
    }

    /// The position, with the counters that the line gives it: by fields, by `hmvc` and `fmvn`, or
    /// else 0 and 1.
    #[must_use]
    pub fn fen(&self) -> &Fen {
        &self.fen
    }

    /// The operations, in the order of the line.
    #[must_use]
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The first operation of that opcode.
    #[must_use]
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode() == opcode)
    }

    /// Puts the operations that name an opening in the place of the name that the line has, all of it,
    /// or behind all others.
    pub fn name(&mut self, name: impl IntoIterator<Item = Operation>) {
        let is_name = |operation: &Operation| NAMES.contains(&operation.opcode());
        let at = self.operations.iter().position(is_name).unwrap_or(self.operations.len());
        self.operations.retain(|operation| !is_name(operation));
        self.operations.splice(at..at, name);
    }

    /// Puts an operation in the place of the first one of its opcode, or behind all others.
    pub fn set(&mut self, operation: Operation) {
        match self.operations.iter_mut().find(|old| old.opcode == operation.opcode) {
            Some(old) => *old = operation,
            None => self.operations.push(operation),
        }
    }
}

impl Operation {
    /// An operation with these operands, as they stand on the line.
    ///
    /// # Errors
    ///
    /// [`EpdFault::Opcode`] or [`EpdFault::Unwritable`], if it could not be read back.
    pub fn new(opcode: &str, operands: &str) -> Result<Self, EpdFault> {
        if opcode_length(opcode) != opcode.len() || opcode.is_empty() {
            return Err(EpdFault::Opcode { column: 1, found: opcode.to_owned() });
        }
        let made = Self { opcode: opcode.into(), operands: operands.into() };
        let is_one_line = !operands.contains(['\n', '\r']);
        if is_one_line
            && operands.trim_ascii() == operands
            && operands_length(operands) == Ok(operands.len())
        {
            return Ok(made);
        }
        Err(EpdFault::Unwritable { opcode: opcode.to_owned(), found: operands.to_owned() })
    }

    /// An operation whose only operand is this text, quoted. Line ends become spaces.
    ///
    /// # Errors
    ///
    /// [`EpdFault::Opcode`], if `opcode` is none.
    pub fn quoted(opcode: &str, text: &str) -> Result<Self, EpdFault> {
        let mut operand = String::from("\"");
        for c in text.chars() {
            match c {
                '"' | '\\' => operand.extend(['\\', c]),
                '\n' | '\r' => operand.push(' '),
                _ => operand.push(c),
            }
        }
        operand.push('"');
        Self::new(opcode, &operand)
    }

    /// The opcode, such as `eco`.
    #[must_use]
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    /// All operands, to the letter.
    #[must_use]
    pub fn raw(&self) -> &str {
        &self.operands
    }

    /// The operands one by one; those in quotes without them, and without the backslashes that
    /// shield quotes and backslashes.
    #[must_use]
    pub fn operands(&self) -> Vec<Cow<'_, str>> {
        let mut rest = self.raw();
        let mut found = Vec::new();
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                return found;
            }
            let len = operand_length(rest).unwrap_or(rest.len());
            found.push(unquoted(&rest[..len]));
            rest = &rest[len..];
        }
    }

    /// What it says as one text: a single quoted operand without its quotes, all else as it stands.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match operand_length(self.raw()) {
            Ok(len) if len == self.raw().len() => unquoted(self.raw()),
            _ => self.raw().into(),
        }
    }
}

fn unquoted(operand: &str) -> Cow<'_, str> {
    let Some(inner) = operand.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return operand.into();
    };
    if !inner.contains('\\') {
        return inner.into();
    }
    let mut text = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        text.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    text.into()
}

/// How many bytes of the text are an opcode.
fn opcode_length(text: &str) -> usize {
    let is_opcode = |(at, b): (usize, u8)| {
        b.is_ascii_alphabetic() || at > 0 && (b.is_ascii_digit() || b == b'_')
    };
    text.bytes().enumerate().take_while(|at| is_opcode(*at)).count()
}

/// Where a quote stands that is never closed.
type OpenQuote = usize;

/// How long the operand is that the text begins with: a quoted one, or one up to a blank or
/// semicolon.
fn operand_length(text: &str) -> Result<usize, OpenQuote> {
    let Some(inner) = text.strip_prefix('"') else {
        let end = text.find(|c: char| c.is_ascii_whitespace() || c == ';');
        return Ok(end.unwrap_or(text.len()));
    };
    let mut is_shielded = false;
    for (at, b) in inner.bytes().enumerate() {
        match b {
            _ if is_shielded => is_shielded = false,
            b'\\' => is_shielded = true,
            b'"' => return Ok(at + 2),
            _ => {}
        }
    }
    Err(0)
}

/// How long the operands are that the text begins with, up to a semicolon outside of quotes.
fn operands_length(text: &str) -> Result<usize, OpenQuote> {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match c {
            ';' => return Ok(at),
            c if c.is_ascii_whitespace() => at += 1,
            _ => at += operand_length(&text[at..]).map_err(|quote| at + quote)?,
        }
    }
    Ok(at)
}

impl FromStr for Epd {
    type Err = EpdFault;

    fn from_str(line: &str) -> Result<Self, EpdFault> {
        let (text, _) = split_fen(line);
        let has_counters = text.split_whitespace().count() > 4;
        let counters = if has_counters { Counters::Fields } else { Counters::Operations };
        let mut epd = Self { fen: text.parse()?, counters, operations: Vec::new() };
        read_operations(line, text.len(), |operation, at| {
            epd.count(&operation).map_err(|opcode| EpdFault::Counter {
                column: column(line, at),
                opcode,
                found: operation.raw().to_owned(),
            })?;
            epd.operations.push(operation);
            Ok(())
        })?;
        Ok(epd)
    }
}

/// Reads all operations of the line from a byte on; `visit` sees each with the byte it begins at.
fn read_operations(
    line: &str,
    mut at: usize,
    mut visit: impl FnMut(Operation, usize) -> Result<(), EpdFault>,
) -> Result<(), EpdFault> {
    while let Some(skipped) = line[at..].find(|c: char| !(c.is_ascii_whitespace() || c == ';')) {
        at += skipped;
        let (operation, len) = read_operation(line, at)?;
        visit(operation, at)?;
        at += len;
    }
    Ok(())
}

/// Reads the operation that begins at a byte of the line; also tells its length.
fn read_operation(line: &str, at: usize) -> Result<(Operation, usize), EpdFault> {
    let rest = &line[at..];
    let opcode = &rest[..opcode_length(rest)];
    let after = &rest[opcode.len()..];
    let is_apart =
        after.is_empty() || after.starts_with(|c: char| c.is_ascii_whitespace() || c == ';');
    if opcode.is_empty() || !is_apart {
        let len = rest.find(|c: char| c.is_ascii_whitespace() || c == ';').unwrap_or(rest.len());
        return Err(EpdFault::Opcode { column: column(line, at), found: rest[..len].to_owned() });
    }
    let len = operands_length(after)
        .map_err(|quote| EpdFault::OpenQuote { column: column(line, at + opcode.len() + quote) })?;
    let operands = after[..len].trim_ascii();
    Ok((Operation { opcode: opcode.into(), operands: operands.into() }, opcode.len() + len))
}

fn column(line: &str, at: usize) -> usize {
    line[..at].chars().count() + 1
}

impl Epd {
    /// Takes over a move counter, if the operation is one.
    fn count(&mut self, operation: &Operation) -> Result<(), &'static str> {
        let number = || operation.raw().parse().ok();
        match operation.opcode() {
            "hmvc" => {
                let halfmoves: u32 = number().ok_or("hmvc")?;
                self.fen = self.fen.with_counters(halfmoves, self.fen.fullmoves());
            }
            "fmvn" => {
                let fullmoves = NonZeroU32::new(number().ok_or("fmvn")?).unwrap_or(NonZeroU32::MIN);
                self.fen = self.fen.with_counters(self.fen.halfmoves(), fullmoves);
            }
            _ => {}
        }
        Ok(())
    }
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.counters {
            Counters::Fields => write!(f, "{}", self.fen)?,
            Counters::Operations => write!(f, "{}", self.fen.four_fields())?,
        }
        self.operations.iter().try_for_each(|operation| write!(f, " {operation}"))
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        if !self.operands.is_empty() {
            write!(f, " {}", self.operands)?;
        }
        f.write_str(";")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const KEY: &str = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6";

    #[test]
    fn a_line_reads_and_prints_to_the_letter() {
        for rest in [
            "",
            " 0 2",
            " 0 2 id \"a FEN with an operation\";",
            " hmvc 0; fmvn 2; eco \"B20\"; v0 \"Sicilian Defense\"; id \"x\"; pv Nf3  d6 d4;",
            " c0 \"a \\\"quoted; word\\\" and a \\\\\";",
            " noop; bm Nf3 Nc3; noop;",
            " v0 \"Grünfeld\";",
        ] {
            let line = format!("{KEY}{rest}");
            assert_eq!(line.parse::<Epd>().map(|epd| epd.to_string()), Ok(line));
        }
    }

    #[test]
    fn careless_lines_are_read() {
        for (rest, printed) in [
            ("   ;;  bm Nf3 ; ; id \"x\"", " bm Nf3; id \"x\";"),
            (" ;D1 20 ;D2 400", " D1 20; D2 400;"),
            ("\teco B20;\r\n", " eco B20;"),
            (" 0", " 0 1"),
        ] {
            let epd: Epd = format!("{KEY}{rest}").parse().unwrap();
            assert_eq!(epd.to_string(), format!("{KEY}{printed}"), "for {rest:?}");
        }
    }

    #[test]
    fn operands_are_taken_out_of_their_quotes() {
        let line = format!(r#"{KEY} eco "B20"; c0 "a \"b\" \\; c" d; v0 Sicilian; acd;"#);
        let epd: Epd = line.parse().unwrap();
        let text = |opcode| epd.operation(opcode).unwrap().text();
        assert_eq!(text("eco"), "B20");
        assert_eq!(text("v0"), "Sicilian");
        assert_eq!(text("acd"), "");
        assert_eq!(text("c0"), r#""a \"b\" \\; c" d"#);
        assert_eq!(epd.operation("c0").unwrap().operands(), [r#"a "b" \; c"#, "d"]);
        assert_eq!(epd.operation("none"), None);
    }

    #[test]
    fn counters_come_from_fields_or_operations() {
        for (rest, counters) in
            [("", (0, 1)), (" 3 17", (3, 17)), (" fmvn 9; hmvc 5;", (5, 9)), (" fmvn 0;", (0, 1))]
        {
            let fen = format!("{KEY}{rest}").parse::<Epd>().unwrap().fen().clone();
            assert_eq!((fen.halfmoves(), fen.fullmoves().get()), counters, "for {rest:?}");
        }
    }

    #[test]
    fn a_fault_names_the_column() {
        for (line, expected) in [
            (
                String::new(),
                "field 1 (placement), column 1: found nothing, expected a FEN".to_owned(),
            ),
            (
                format!("{KEY} ; =x 1;"),
                "column 61: found \"=x\", expected an opcode: a letter, then letters, digits, _"
                    .to_owned(),
            ),
            (
                format!("{KEY} eco\"B20\";"),
                "column 59: found \"eco\\\"B20\\\"\", expected an opcode: a letter, then letters, \
                 digits, _"
                    .to_owned(),
            ),
            (format!("{KEY} c0 ü \"x;"), "column 64: this quote is never closed".to_owned()),
            (format!("{KEY} c0 \"\\\""), "column 62: this quote is never closed".to_owned()),
            (
                format!("{KEY} hmvc -1;"),
                "column 59: found hmvc \"-1\", expected a number below 2^32".to_owned(),
            ),
        ] {
            let fault = line.parse::<Epd>().unwrap_err();
            assert_eq!(fault.to_string(), expected, "for {line:?}");
        }
    }

    #[test]
    fn operations_that_could_not_be_read_back_are_not_made() {
        for (opcode, operands) in
            [("", "x"), ("1a", "x"), ("eco", "a; b"), ("eco", "\""), ("eco", " x"), ("eco", "a\nb")]
        {
            assert!(Operation::new(opcode, operands).is_err(), "{opcode:?} {operands:?}");
        }
    }

    #[test]
    fn setting_an_operation_replaces_the_first_of_its_name() {
        let mut epd: Epd = format!("{KEY} id \"a\"; eco \"A00\";").parse().unwrap();
        epd.set(Operation::quoted("id", "b").unwrap());
        epd.set(Operation::new("acd", "12").unwrap());
        assert_eq!(epd.to_string(), format!("{KEY} id \"b\"; eco \"A00\"; acd 12;"));
    }

    #[test]
    fn a_new_name_leaves_nothing_of_the_old_one() {
        let name =
            || [("eco", "B20"), ("v0", "Sicilian")].map(|(o, t)| Operation::quoted(o, t).unwrap());
        for (rest, named) in [
            ("", " eco \"B20\"; v0 \"Sicilian\";"),
            (
                " id \"a\"; v1 \"Old\"; hmvc 0; eco \"A00\"; v2 \"x\"; v0 \"y\"; eco \"A01\"; acd 1;",
                " id \"a\"; eco \"B20\"; v0 \"Sicilian\"; hmvc 0; acd 1;",
            ),
        ] {
            let mut epd: Epd = format!("{KEY}{rest}").parse().unwrap();
            epd.name(name());
            assert_eq!(epd.to_string(), format!("{KEY}{named}"));
        }
    }

    proptest! {
        #[test]
        fn any_text_survives_quoting(
            opcode in "[a-zA-Z][a-zA-Z0-9_]{0,8}", text in "[^\n\r]*", other in "[^\n\r]*",
        ) {
            prop_assume!(opcode != "hmvc" && opcode != "fmvn");
            let mut epd: Epd = KEY.parse().unwrap();
            epd.set(Operation::quoted(&opcode, &text).unwrap());
            epd.set(Operation::quoted("zz_", &other).unwrap());
            let again: Epd = epd.to_string().parse().unwrap();
            prop_assert_eq!(&again, &epd);
            prop_assert_eq!(again.operation(&opcode).unwrap().text(), text);
        }

        #[test]
        fn what_was_read_prints_and_reads_again(rest in r#"[a-z0-9 ;"\\ü-]{0,40}"#) {
            if let Ok(epd) = format!("{KEY} {rest}").parse::<Epd>() {
                prop_assert_eq!(epd.to_string().parse(), Ok(epd));
            }
        }

        #[test]
        fn no_line_is_too_odd_to_be_answered(line in ".*") {
            let _ = line.parse::<Epd>();
            let _ = format!("{KEY} {line}").parse::<Epd>();
        }
    }
}
