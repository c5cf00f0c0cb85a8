//! `eco fen show` and `eco fen image`: positions drawn on the terminal and in files.

use std::io::{IsTerminal, Write as _, stdout};
use std::path::{Path, PathBuf};
use std::{cell::OnceCell, error::Error, ffi::OsStr, fmt::Write as _};

use clap::{Args, ValueEnum};
use eco::chess::{Color, Fen};
use eco::diagram::{
    Arrow, Coordinates, Diagram, Mark, Paint, Preset, Renderer, TextStyle, Theme, drawn_annotations,
};

use super::lines::{FenInput, Line, Lines, output};
use crate::cli::outcome::{Failure, Interruption, Outcome, complain};
use crate::cli::{completion, output};

/// The side at the bottom of a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    /// White
    White,
    /// Black
    Black,
    /// The side to move
    Mover,
}

/// The options of all diagrams.
#[derive(Debug, Args)]
struct DiagramArgs {
    /// The side at the bottom
    #[arg(long, value_enum, default_value_t = Side::White)]
    side: Side,

    /// Squares to highlight, such as e4,d5; images accept colours: e4=#cc3333
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    mark: Vec<Mark>,

    /// Omit the letters and digits around the board
    #[arg(long)]
    no_coordinates: bool,
}

impl DiagramArgs {
    /// The diagram of a position.
    fn diagram(&self, fen: Fen) -> Diagram {
        let bottom = match self.side {
            Side::White => Color::White,
            Side::Black => Color::Black,
            Side::Mover => fen.turn(),
        };
        let coordinates =
            if self.no_coordinates { Coordinates::Hidden } else { Coordinates::Shown };
        Diagram { bottom, coordinates, marks: self.mark.clone(), ..Diagram::new(fen) }
    }
}

const SHOW_HELP: &str = "\
Examples:
  eco fen show \"r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3\"
  eco fen show \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\" --style unicode --side black --mark e4,e3

The position does not have to be possible, and one to three fields of a FEN are enough. Diagrams
have the side to move and the move number below, and stand one below the other; `no diagram` stands
for a FEN among several that cannot be read.

Exit codes: 0 success; 1 success, but a FEN could not be read; 2 failure.";

/// Show a position on the terminal.
#[derive(Debug, Args)]
#[command(after_long_help = SHOW_HELP, after_help = "See --help for details and examples.")]
pub(super) struct ShowArgs {
    #[command(flatten)]
    input: FenInput,

    /// Drawing style [default: coloured on a terminal unless NO_COLOR is set, ascii otherwise]
    #[arg(long, value_parser = completion::one_of(STYLES))]
    style: Option<TextStyle>,

    #[command(flatten)]
    diagram: DiagramArgs,
}

const STYLES: &[completion::Choice<TextStyle>] = &[
    ("ascii", "Letters and dots", TextStyle::Ascii),
    ("unicode", "Figurines", TextStyle::Unicode),
    ("coloured", "Figurines on coloured squares", TextStyle::Coloured),
];

/// Stands for a FEN that cannot be read.
const NO_DIAGRAM: &str = "no diagram\n";

pub(super) fn show(args: &ShowArgs) -> Result<Outcome, Interruption> {
    // NO_COLOR counts if it is not empty (no-color.org).
    let wants_colour = || std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let style = match args.style {
        Some(style) => style,
        None if stdout().is_terminal() && wants_colour() => TextStyle::Coloured,
        None => TextStyle::Ascii,
    };
    let mut is_first = true;
    Lines::open(&args.input)?.answer(NO_DIAGRAM, |line, answer| {
        if !std::mem::take(&mut is_first) {
            answer.push('\n');
        }
        let fen = line.epd()?.fen().clone();
        let number = fen.fullmoves();
        answer.push_str(args.diagram.diagram(fen).to_text(style).trim_end());
        Ok(writeln!(answer, ", move {number}")?)
    })
}

const IMAGE_HELP: &str = "\
Examples:
  eco fen image \"r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3\" -o ruy.svg
  eco fen image \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\" -o plan.png --square 32 --arrow e2e4 --mark e4
  eco fen image --file positions.epd -o diagram.png --theme grey --check
  eco fen image startpos -o start.pdf --caption \"The initial position\"

The extension of FILE decides the format. Several FENs, also from a file or standard input, give
one file each, numbered by FEN or line before the extension (diagram-1.png), or at %n in the file
name (not in its folder). The position does not have to be possible, and one to three fields of a
FEN are enough. The id of an EPD line is its caption, unless --caption is given.

Arrows and squares accept colours of their own, #cc3333 or the letters of lichess and ChessBase (G,
R, Y, B): e2e4=#cc3333, Re2e4. [%cal Ge2e4] and [%csl Rd5] in a comment of an EPD line (c0 to c9, as
from-pgn --epd writes it) are drawn as arrows and marks.

A .pdf file has one page of the size of the drawing, with letters as paths. A .tex file is source
for the LaTeX package chessboard, which xskak loads, to be read with \\input; it has the fonts and
board colours of the document. An existing file is replaced atomically.

Exit codes: 0 success; 1 success, but a FEN could not be read; 2 failure.";

/// Draw a position as SVG, PNG, PDF or LaTeX.
#[derive(Debug, Args)]
#[command(after_long_help = IMAGE_HELP, after_help = "See --help for details and examples.")]
pub(super) struct ImageArgs {
    #[command(flatten)]
    input: FenInput,

    /// The image to write, .svg, .png, .pdf or .tex; - writes SVG to standard output
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,

    #[command(flatten)]
    diagram: DiagramArgs,

    /// Arrows from square to square, such as e2e4,g1f3
    #[arg(long, value_name = "ARROWS", value_delimiter = ',')]
    arrow: Vec<Arrow>,

    /// Squares with a ring, such as e4,d5=#cc3333
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    circle: Vec<Mark>,

    /// Highlight the square of a king in check
    #[arg(long)]
    check: bool,

    /// Show the side to move as a disc beside the board [default: if coordinates are shown]
    #[arg(long, value_name = "BOOL", value_parser = completion::one_of(YES_OR_NO))]
    mover: Option<bool>,

    /// Colours of the whole drawing: wood, green, blue, grey or night
    #[arg(long, value_name = "NAME", default_value = "wood")]
    theme: Preset,

    /// Text below the board, at most four lines; PNG and PDF have no Chinese, Japanese or Korean
    /// characters
    #[arg(long, value_name = "TEXT")]
    caption: Option<String>,

    /// Width of a square in pixels, from 4 to 500
    #[arg(
        long,
        value_name = "PIXELS",
        default_value_t = 64,
        value_parser = clap::value_parser!(u32).range(4..=500)
    )]
    square: u32,

    /// The colour of light squares, such as #f1e7d3
    #[arg(long, value_name = "COLOUR")]
    light: Option<Paint>,

    /// The colour of dark squares
    #[arg(long, value_name = "COLOUR")]
    dark: Option<Paint>,

    /// The colour of coordinates and caption
    #[arg(long, alias = "text-colour", value_name = "COLOUR")]
    text_color: Option<Paint>,

    /// The colour of marked squares
    #[arg(long, alias = "mark-color", value_name = "COLOUR")]
    mark_colour: Option<Paint>,

    /// The colour of arrows and rings
    #[arg(long, alias = "arrow-color", value_name = "COLOUR")]
    arrow_colour: Option<Paint>,

    /// The colour behind the board; none for transparent
    #[arg(long, value_name = "COLOUR", value_parser = background)]
    background: Option<Background>,
}

const YES_OR_NO: &[completion::Choice<bool>] = &[("true", "", true), ("false", "", false)];

/// The background of the board; `None` is transparent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Background(Option<Paint>);

fn background(text: &str) -> Result<Background, <Paint as std::str::FromStr>::Err> {
    if text == "none" { Ok(Background(None)) } else { text.parse().map(Some).map(Background) }
}

/// The placeholder of the number of an image in a file name.
const NUMBER: &str = "%n";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ImageFormat {
    Svg,
    Png,
    Pdf,
    Latex,
}

impl ImageFormat {
    /// Whether letters are drawn with the program's own font.
    fn has_own_font(self) -> bool {
        matches!(self, Self::Png | Self::Pdf)
    }
}

pub(super) fn image(args: &ImageArgs) -> Result<Outcome, Interruption> {
    let format = format(&args.output)?;
    let theme = theme(args);
    let lines = Lines::open(&args.input)?;
    let is_piped = args.output.as_os_str() == "-";
    let has_place = name_of(&args.output).contains(NUMBER);
    // The first of several that may come: alone, it needs no number.
    let mut first = None;
    let mut is_one = !has_place;
    // Loading the font takes longer than everything else, and SVG does not need it.
    let renderer = OnceCell::new();
    let mut is_whole = true;
    let mut is_empty = true;
    let outcome = lines.each(|line| {
        is_empty = false;
        let diagram = match read(args, &line) {
            Ok(diagram) => diagram,
            Err(fault) => {
                is_whole = false;
                is_one = false;
                complain(&format_args!("{}{fault}", line.place()));
                return Ok(());
            }
        };
        warn(&diagram, &theme, format, &line);
        let bytes = drawn(&diagram, &theme, format, &renderer)?;
        let number = line.number.unwrap_or(1);
        if first.is_none() && (is_piped || is_one) {
            first = Some((number, bytes));
            return Ok(());
        }
        if is_piped {
            // Two documents in one stream are not valid.
            let reason = "only one image fits on standard output; name a file for several";
            return Err(Failure(reason.to_owned()).into());
        }
        is_one = false;
        if let Some((number, bytes)) = first.take() {
            output::write_file(&numbered(&args.output, number), &bytes)?;
        }
        Ok(output::write_file(&numbered(&args.output, number), &bytes)?)
    })?;
    match first {
        Some((_, image)) if is_piped => {
            let mut out = output();
            out.write_all(&image)?;
            out.flush()?;
        }
        Some((_, image)) if is_one => output::write_file(&args.output, &image)?,
        Some((number, image)) => output::write_file(&numbered(&args.output, number), &image)?,
        None => {}
    }
    if is_empty && outcome == Outcome::Done {
        complain(&"the input has no FEN, so no image was written");
    }
    Ok(if is_whole && !is_empty { outcome } else { Outcome::Incomplete })
}

fn drawn(
    diagram: &Diagram,
    theme: &Theme,
    format: ImageFormat,
    renderer: &OnceCell<Renderer>,
) -> Result<Vec<u8>, Failure> {
    let renderer = || renderer.get_or_init(Renderer::new);
    Ok(match format {
        ImageFormat::Svg => diagram.to_svg(theme).into_bytes(),
        ImageFormat::Latex => diagram.to_latex(theme).into_bytes(),
        ImageFormat::Png => renderer().to_png(diagram, theme)?,
        ImageFormat::Pdf => renderer().to_pdf(diagram, theme)?,
    })
}

fn format(output: &Path) -> Result<ImageFormat, Failure> {
    let ending = output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match ending.as_str() {
        "svg" => Ok(ImageFormat::Svg),
        "png" => Ok(ImageFormat::Png),
        "pdf" => Ok(ImageFormat::Pdf),
        "tex" => Ok(ImageFormat::Latex),
        _ if output.as_os_str() == "-" => Ok(ImageFormat::Svg),
        _ => {
            let name = output.display();
            Err(Failure(format!(
                "{name}: an image is a file that ends in .svg, .png, .pdf or .tex"
            )))
        }
    }
}

fn theme(args: &ImageArgs) -> Theme {
    let default = args.theme.theme();
    Theme {
        square: args.square,
        light: args.light.unwrap_or(default.light),
        dark: args.dark.unwrap_or(default.dark),
        mark: args.mark_colour.unwrap_or(default.mark),
        arrow: args.arrow_colour.unwrap_or(default.arrow),
        background: args.background.map_or(default.background, |Background(paint)| paint),
        text: args.text_color.or(default.text),
        ..default
    }
}

fn read(args: &ImageArgs, line: &Line<'_>) -> Result<Diagram, Box<dyn Error>> {
    let epd = line.epd()?;
    let caption = match (&args.caption, epd.operation("id")) {
        (Some(caption), _) => caption.clone(),
        (None, Some(id)) => id.text().into_owned(),
        (None, None) => String::new(),
    };
    let mut drawn = args.diagram.diagram(epd.fen().clone());
    drawn.arrows = args.arrow.clone();
    let is_comment = |opcode: &str| matches!(opcode.as_bytes(), [b'c', b'0'..=b'9']);
    for operation in epd.operations().iter().filter(|operation| is_comment(operation.opcode())) {
        let (arrows, marks) = drawn_annotations(&operation.text());
        drawn.arrows.extend(arrows);
        drawn.marks.extend(marks);
    }
    let circles = args.circle.clone();
    Ok(Diagram { caption, circles, check: args.check, mover: args.mover, ..drawn })
}

/// Reports what of a caption is not drawn as it is written.
fn warn(diagram: &Diagram, theme: &Theme, format: ImageFormat, line: &Line<'_>) {
    if format != ImageFormat::Latex && diagram.is_caption_cut(theme) {
        complain(&format_args!("{}the caption is cut; four lines fit", line.place()));
    }
    let missing = Renderer::missing_glyphs(&diagram.caption);
    if format.has_own_font() && !missing.is_empty() {
        let missing: String = missing.into_iter().collect();
        let place = line.place();
        complain(&format_args!(
            "{place}the font of PNG and PDF has no {missing}; boxes are drawn instead"
        ));
    }
}

/// The name of a file without its folders, if it is text.
fn name_of(output: &Path) -> &str {
    output.file_name().and_then(OsStr::to_str).unwrap_or_default()
}

/// The name of one of several images: its number replaces `%n`, or precedes the extension.
fn numbered(output: &Path, number: u64) -> PathBuf {
    let name = name_of(output);
    if name.contains(NUMBER) {
        return output.with_file_name(name.replace(NUMBER, &number.to_string()));
    }
    let mut name = output.file_stem().unwrap_or_default().to_os_string();
    name.push(format!("-{number}."));
    name.push(output.extension().unwrap_or_default());
    output.with_file_name(name)
}
