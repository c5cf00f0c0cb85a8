//! `eco fen image`.

use std::{
    cell::OnceCell,
    io::Write,
    path::{Path, PathBuf},
};

use eco::{
    chess::{Epd, epd::EpdFault},
    diagram::{Diagram, Renderer, Theme},
    pgn::decode_text,
};

use super::{
    Ended,
    args::{Background, ImageArgs},
    input::{Lines, output, place},
    show::diagram,
};
use crate::cli::{Failure, Outcome, complain, output::write_file};

/// Where the number of an image goes, if a name says so.
const NUMBER: &str = "%n";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

pub(super) fn run(args: &ImageArgs) -> Result<Outcome, Ended> {
    let format = format(&args.output)?;
    let theme = theme(args);
    let lines = Lines::open(&args.input)?;
    let is_numbered = lines.may_be_many() || args.output.to_string_lossy().contains(NUMBER);
    let source = lines.source.clone();
    // Reading the font takes longer than all the rest, and SVG needs none.
    let renderer = OnceCell::new();
    let (mut is_whole, mut count) = (true, 0);
    let outcome = lines.each(|line| {
        let diagram = match read(args, &decode_text(line.text)) {
            Ok(diagram) => diagram,
            Err(fault) => {
                is_whole = false;
                complain(&format_args!("{}{fault}", place(&source, line.number)));
                return Ok(());
            }
        };
        count += 1;
        let bytes = match format {
            Format::Svg => diagram.to_svg(&theme).into_bytes(),
            Format::Png => {
                let renderer = renderer.get_or_init(Renderer::new);
                renderer.to_png(&diagram, &theme).map_err(Failure::from)?
            }
        };
        if args.output.as_os_str() == "-" {
            let mut out = output();
            out.write_all(&bytes)?;
            return Ok(out.flush()?);
        }
        let path = if is_numbered { numbered(&args.output, count) } else { args.output.clone() };
        Ok(write_file(&path, &bytes)?)
    })?;
    Ok(if is_whole { outcome } else { Outcome::Incomplete })
}

fn format(output: &Path) -> Result<Format, Failure> {
    let ending = output.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    match ending.as_str() {
        "svg" => Ok(Format::Svg),
        "png" => Ok(Format::Png),
        _ if output.as_os_str() == "-" => Ok(Format::Svg),
        _ => {
            let name = output.display();
            Err(Failure(format!("{name}: an image is a file that ends in .svg or .png")))
        }
    }
}

fn theme(args: &ImageArgs) -> Theme {
    let usual = Theme::default();
    Theme {
        square: args.square,
        light: args.light.unwrap_or(usual.light),
        dark: args.dark.unwrap_or(usual.dark),
        mark: args.mark_colour.unwrap_or(usual.mark),
        arrow: args.arrow_colour.unwrap_or(usual.arrow),
        background: args.background.map_or(usual.background, |Background(paint)| paint),
    }
}

fn read(args: &ImageArgs, line: &str) -> Result<Diagram, EpdFault> {
    let epd: Epd = line.parse()?;
    let caption = match (&args.caption, epd.operation("id")) {
        (Some(caption), _) => caption.clone(),
        (None, Some(id)) => id.text().into_owned(),
        (None, None) => String::new(),
    };
    let drawn = diagram(&args.diagram, epd.fen().clone());
    Ok(Diagram { arrows: args.arrow.clone(), caption, ..drawn })
}

/// The name of one of many images: `%n` becomes its number, or the number goes before the ending.
fn numbered(output: &Path, number: usize) -> PathBuf {
    let name = output.file_name().unwrap_or_default().to_string_lossy();
    if name.contains(NUMBER) {
        return output.with_file_name(name.replace(NUMBER, &number.to_string()));
    }
    let stem = output.file_stem().unwrap_or_default().to_string_lossy();
    let ending = output.extension().unwrap_or_default().to_string_lossy();
    output.with_file_name(format!("{stem}-{number}.{ending}"))
}
