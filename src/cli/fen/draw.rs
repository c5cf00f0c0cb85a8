//! `eco fen show`: positions drawn on the terminal and in files.

use std::path::{Path, PathBuf};
use std::{cell::OnceCell, ffi::OsStr, fmt::Write as _, io::Write as _};

use clap::{Args, ValueEnum};
use eco::chess::{Color, Epd};
use eco::diagram::{
    Arrow, Coordinates, Diagram, Mark, ParseThemeError, Renderer, TextStyle, Theme,
    drawn_annotations,
};

use crate::cli::outcome::{Failure, Interruption, Outcome, complain, refuse};
use crate::cli::position::{Line, PositionsArgs, output};
use crate::cli::{color::board_style, output as files};

const HELP: &str = "\
Examples:
  eco fen show najdorf
  eco fen show 1. e4 e5 2. Nf3 Nc6 3. Bb5 --side black --mark b5 -o ruy.svg
  eco fen show \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\" -o plan.png --width 256 --mark e4,e2e4
  eco fen show -o diagram.png --theme grey --show check < positions.epd
  eco fen show startpos -o start.pdf --title \"The initial position\"

The position does not have to be possible, and one to three fields of a FEN are enough. On the
terminal, diagrams follow one below the other, with the side to move and the move number. If one of
several positions cannot be read, `no diagram` takes its place.

The extension of FILE decides the format of an image. Several positions give one file each, numbered
by position or line before the extension (diagram-1.png), or at %n in the file name (not in its
folder). The id of an EPD line is its title, unless --title is given.

--theme is ascii, unicode or coloured on the terminal. An image has wood, green, blue, grey or
night, colours of its parts, or both: night,light=f1e7d3,dark=b58863. The parts are light, dark,
mark, arrow, text and background, which may be none.

Arrows and squares accept colours of their own, #cc3333 or the letters of lichess and ChessBase (G,
R, Y, B): e2e4=#cc3333, Re2e4. [%cal Ge2e4] and [%csl Rd5] in a comment of an EPD line (c0 to c9, as
from-pgn -f epd writes it) are drawn as arrows and marks.

A .pdf file has one page of the size of the drawing, with letters as paths. A .tex file is source
for the LaTeX package chessboard, which xskak loads, to be read with \\input; it has the fonts and
board colours of the document. An existing file is replaced atomically.

Exit codes: 0 success; 1 success, but a position could not be read; 2 failure.";

/// Draw a position: on the terminal, or as SVG, PNG, PDF or LaTeX.
#[derive(Debug, Args)]
#[command(after_long_help = HELP, after_help = "See --help for details and examples.")]
pub(super) struct ShowArgs {
    #[command(flatten)]
    input: PositionsArgs,

    /// Write an image, .svg, .png, .pdf or .tex; - writes SVG to standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The side at the bottom
    #[arg(long, value_enum, default_value_t = Side::White)]
    side: Side,

    /// Theme of the drawing [default: coloured on a terminal unless NO_COLOR is set, ascii
    /// otherwise; wood in images]
    #[arg(long, value_name = "NAME|PART=COLOUR", value_parser = read_look)]
    theme: Option<Look>,

    /// Squares to highlight and, in images, arrows from square to square, such as e4,g1f3; images
    /// accept colours: e4=#cc3333
    #[arg(long, value_name = "SQUARES", value_delimiter = ',', value_parser = read_marked)]
    mark: Vec<Marked>,

    /// Squares of an image to ring, such as e4,d5=#cc3333
    #[arg(long, value_name = "SQUARES", value_delimiter = ',')]
    circle: Vec<Mark>,

    /// What else an image shows: letters and digits around the board, a disc for the side to move,
    /// the square of a king in check, or none of them
    #[arg(long, value_enum, value_delimiter = ',', default_value = "coordinates,mover")]
    show: Vec<Shown>,

    /// Text below the board of an image, at most four lines; PNG and PDF have no Chinese, Japanese
    /// or Korean characters
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,

    /// Width of the board of an image in pixels, from 32 to 4000
    #[arg(long, value_name = "PIXELS", default_value_t = 512)]
    #[arg(value_parser = clap::value_parser!(u32).range(32..=4000))]
    width: u32,
}

/// What is marked.
#[derive(Debug, Clone)]
enum Marked {
    Square(Mark),
    Arrow(Arrow),
}

fn read_marked(text: &str) -> Result<Marked, &'static str> {
    let square = text.parse().map(Marked::Square);
    let marked = square.or_else(|_| text.parse().map(Marked::Arrow));
    marked.map_err(|_| "expected a square such as e4, or e4=#cc3333; or an arrow such as e2e4")
}

/// The side at the bottom of a diagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
    /// The side to move
    Mover,
}

/// What is shown beside the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shown {
    Coordinates,
    Mover,
    Check,
    None,
}

/// How a drawing looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    Text(TextStyle),
    Image(Theme),
}

fn read_look(text: &str) -> Result<Look, ParseThemeError> {
    Ok(match text.to_ascii_lowercase().as_str() {
        "ascii" => Look::Text(TextStyle::Ascii),
        "unicode" => Look::Text(TextStyle::Unicode),
        "coloured" | "colored" => Look::Text(TextStyle::Coloured),
        theme => Look::Image(theme.parse()?),
    })
}

/// Stands for a position that cannot be read.
const NO_DIAGRAM: &str = "no diagram\n";

/// The placeholder of the number of an image in a file name.
const NUMBER: &str = "%n";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ImageFormat {
    Svg,
    Png,
    Pdf,
    Latex,
}

pub(super) fn run(args: &ShowArgs) -> Result<Outcome, Interruption> {
    match (&args.output, args.theme) {
        (None, Some(Look::Image(_))) => {
            refuse("this theme is for images; name one with -o, or take ascii or unicode")
        }
        (None, Some(Look::Text(style))) => show(args, style),
        (None, None) => show(args, board_style()),
        (Some(_), Some(Look::Text(_))) => {
            refuse("this theme is for the terminal; images have wood, green, blue, grey, night")
        }
        (Some(output), Some(Look::Image(theme))) => draw(args, output, &args.sized(theme)),
        (Some(output), None) => draw(args, output, &args.sized(Theme::default())),
    }
}

impl ShowArgs {
    fn sized(&self, theme: Theme) -> Theme {
        Theme { square: self.width / 8, ..theme }
    }

    /// The diagram of a position, with what is in the comments of its line.
    fn diagram(&self, epd: &Epd) -> Diagram {
        let fen = epd.fen().clone();
        let bottom = match self.side {
            Side::White => Color::White,
            Side::Black => Color::Black,
            Side::Mover => fen.turn(),
        };
        let shows = |what| self.show.contains(&what);
        let coordinates = match shows(Shown::Coordinates) {
            true => Coordinates::Shown,
            false => Coordinates::Hidden,
        };
        let id = || epd.operation("id").map(|id| id.text().into_owned());
        let mut diagram = Diagram {
            bottom,
            coordinates,
            circles: self.circle.clone(),
            check: shows(Shown::Check),
            mover: Some(shows(Shown::Mover)),
            caption: self.title.clone().or_else(id).unwrap_or_default(),
            ..Diagram::new(fen)
        };
        for marked in &self.mark {
            match marked {
                Marked::Square(mark) => diagram.marks.push(*mark),
                Marked::Arrow(arrow) => diagram.arrows.push(*arrow),
            }
        }
        let is_comment = |opcode: &str| matches!(opcode.as_bytes(), [b'c', b'0'..=b'9']);
        for operation in epd.operations().iter().filter(|op| is_comment(op.opcode())) {
            let (arrows, marks) = drawn_annotations(&operation.text());
            diagram.arrows.extend(arrows);
            diagram.marks.extend(marks);
        }
        diagram
    }
}

fn show(args: &ShowArgs, style: TextStyle) -> Result<Outcome, Interruption> {
    let mut is_first = true;
    args.input.lines()?.answer(NO_DIAGRAM, |line, answer| {
        if !std::mem::take(&mut is_first) {
            answer.push('\n');
        }
        let diagram = args.diagram(&line.epd()?);
        let number = diagram.fen.fullmoves();
        answer.push_str(diagram.to_text(style).trim_end());
        Ok(writeln!(answer, ", move {number}")?)
    })
}

fn draw(args: &ShowArgs, output: &Path, theme: &Theme) -> Result<Outcome, Interruption> {
    let format = format(output)?;
    let lines = args.input.lines()?;
    let mut images = Images { output, first: None, is_one: !name_of(output).contains(NUMBER) };
    // Loading the font takes longer than everything else, and SVG does not need it.
    let renderer = OnceCell::new();
    let (mut is_whole, mut is_empty) = (true, true);
    let outcome = lines.each(|line| {
        is_empty = false;
        let diagram = match line.epd() {
            Ok(epd) => args.diagram(&epd),
            Err(fault) => {
                is_whole = false;
                images.is_one = false;
                complain(&format_args!("{}{fault}", line.place()));
                return Ok(());
            }
        };
        warn(&diagram, theme, format, &line);
        let bytes = drawn(&diagram, theme, format, &renderer)?;
        Ok(images.add(line.number.unwrap_or(1), bytes)?)
    })?;
    images.finish()?;
    if is_empty && outcome == Outcome::Done {
        complain(&"the input has no position, so no image was written");
    }
    Ok(if is_whole && !is_empty { outcome } else { Outcome::Incomplete })
}

/// Images on their way to their files.
struct Images<'o> {
    output: &'o Path,
    /// The first of several that may come: alone, it needs no number.
    first: Option<(u64, Vec<u8>)>,
    is_one: bool,
}

impl Images<'_> {
    fn is_piped(&self) -> bool {
        self.output.as_os_str() == "-"
    }

    fn add(&mut self, number: u64, image: Vec<u8>) -> Result<(), Failure> {
        if self.first.is_none() && (self.is_piped() || self.is_one) {
            self.first = Some((number, image));
            return Ok(());
        }
        if self.is_piped() {
            // Two documents in one stream are not valid.
            return refuse("only one image fits on standard output; name a file for several");
        }
        self.is_one = false;
        for (number, image) in self.first.take().into_iter().chain([(number, image)]) {
            files::write_file(&numbered(self.output, number), &image)?;
        }
        Ok(())
    }

    fn finish(self) -> Result<(), Interruption> {
        let Some((number, image)) = &self.first else { return Ok(()) };
        if self.is_piped() {
            let mut out = output();
            out.write_all(image)?;
            return Ok(out.flush()?);
        }
        let path =
            if self.is_one { self.output.to_owned() } else { numbered(self.output, *number) };
        Ok(files::write_file(&path, image)?)
    }
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
            refuse(format!("{name}: an image is a file that ends in .svg, .png, .pdf or .tex"))
        }
    }
}

/// Reports what of a caption is not drawn as it is written.
fn warn(diagram: &Diagram, theme: &Theme, format: ImageFormat, line: &Line<'_>) {
    if format != ImageFormat::Latex && diagram.is_caption_cut(theme) {
        complain(&format_args!("{}the caption is cut; four lines fit", line.place()));
    }
    let missing = Renderer::missing_glyphs(&diagram.caption);
    // Their letters are drawn with the program's own font.
    if matches!(format, ImageFormat::Png | ImageFormat::Pdf) && !missing.is_empty() {
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
