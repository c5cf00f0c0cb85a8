//! Diagrams: their contents, and that they are valid with any caption.

use std::{fs, path::Path};

use eco::{
    chess::{Color, Fen},
    diagram::{
        Coordinates, Diagram, DrawFault, MAX_PIXELS, Mark, Paint, Renderer, TextStyle, Theme,
    },
};
use proptest::prelude::*;
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};

const RUY_LOPEZ: &str = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn diagram(fen: &str) -> Diagram {
    Diagram::new(fen.parse().unwrap())
}

fn pixels(diagram: &Diagram, theme: &Theme) -> Pixmap {
    Pixmap::decode_png(&Renderer::new().to_png(diagram, theme).unwrap()).unwrap()
}

fn rgb(pixel: PremultipliedColorU8) -> String {
    format!("#{:02x}{:02x}{:02x}", pixel.red(), pixel.green(), pixel.blue())
}

/// The pixel at a share of a square, from its upper left corner; without coordinates.
fn pixel(image: &Pixmap, square: u32, column: u32, row: u32, share: f64) -> String {
    let rim = (image.width() - 8 * square) / 2;
    let at = (f64::from(square) * share) as u32;
    rgb(image.pixel(rim + column * square + at, rim + row * square + at).unwrap())
}

#[test]
fn the_picture_in_the_readme_is_the_one_that_is_drawn() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/images/ruy-lopez.svg");
    let shown = fs::read_to_string(path).unwrap();
    let mut diagram = diagram(RUY_LOPEZ);
    diagram.caption = "Ruy Lopez: which defence will it be?".to_owned();
    diagram.arrows = vec!["b5c6".parse().unwrap()];
    diagram.marks = vec!["e5".parse().unwrap()];
    assert!(diagram.to_svg(&Theme::default()) == shown, "data/images/ruy-lopez.svg is out of date");
}

#[test]
fn every_piece_is_drawn_on_its_square_from_both_sides() {
    let theme = Theme { square: 40, ..Theme::default() };
    for bottom in [Color::White, Color::Black] {
        let drawn = Diagram { bottom, coordinates: Coordinates::Hidden, ..diagram(START) };
        let image = pixels(&drawn, &theme);
        for row in 0..8 {
            for column in 0..8 {
                let ground = if (row + column) % 2 == 0 { theme.light } else { theme.dark };
                let corner = pixel(&image, 40, column, row, 0.06);
                assert_eq!(corner, ground.to_string(), "row {row}, column {column}, {bottom:?}");
                let is_top = row < 2;
                let foot = pixel(&image, 40, column, row, 0.55);
                let is_empty = foot == ground.to_string();
                assert_eq!(is_empty, (2..6).contains(&row), "row {row}, column {column}");
                if is_empty {
                    continue;
                }
                let brightness = u8::from_str_radix(&foot[1..3], 16).unwrap();
                let is_white = is_top == (bottom == Color::Black);
                assert_eq!(brightness > 128, is_white, "row {row}, column {column}: {foot}");
            }
        }
    }
}

#[test]
fn colours_marks_and_arrows_are_those_asked_for() {
    let paint = |text: &str| text.parse::<Paint>().unwrap();
    let theme = Theme {
        square: 40,
        light: paint("#ffffff"),
        dark: paint("#88f"),
        arrow: paint("#ff0000"),
        background: None,
        ..Theme::default()
    };
    let mut drawn = diagram("8/8/8/8/8/8/8/8 w - -");
    drawn.coordinates = Coordinates::Hidden;
    drawn.marks = vec!["a8=#000000".parse().unwrap()];
    drawn.arrows = vec!["a1d1".parse().unwrap()];
    let image = pixels(&drawn, &theme);
    assert_eq!(pixel(&image, 40, 1, 0, 0.5), "#8888ff");
    assert_eq!(pixel(&image, 40, 2, 0, 0.5), "#ffffff");
    // Marks let a quarter of the square through, arrows a fifth.
    assert_eq!(pixel(&image, 40, 0, 0, 0.5), "#474747");
    assert_eq!(pixel(&image, 40, 1, 7, 0.5), "#ff3333");
    assert_eq!(pixel(&image, 40, 4, 7, 0.5), "#8888ff");
    assert_eq!(image.pixel(0, 0).unwrap().alpha(), 0, "no background was wanted");
}

#[test]
fn letters_are_drawn_without_any_font_on_the_machine() {
    let mut drawn = diagram("8/8/8/8/8/8/8/8 w - -");
    let theme = Theme::default();
    let dark_pixels = |image: &Pixmap, from: u32, to: u32| {
        let (width, rows) = (image.width() as usize, from as usize..to as usize);
        let rows = image.pixels()[rows.start * width..rows.end * width].iter();
        rows.filter(|pixel| pixel.red() < 140).count()
    };
    let bare = pixels(&drawn, &theme);
    drawn.caption = "Grünfeld, Петров, Ēģ".to_owned();
    let captioned = pixels(&drawn, &theme);
    let below = |image: &Pixmap| image.height() - 20;
    assert!(captioned.height() > bare.height());
    assert!(dark_pixels(&bare, below(&bare), bare.height()) > 50, "no coordinates");
    assert!(dark_pixels(&captioned, bare.height(), captioned.height()) > 200, "no caption");
}

#[test]
fn images_come_at_any_size() {
    for square in [4, 16, 64, 101] {
        let theme = Theme { square, ..Theme::default() };
        let drawn = Diagram { coordinates: Coordinates::Hidden, ..diagram(RUY_LOPEZ) };
        let image = pixels(&drawn, &theme);
        assert_eq!(image.width(), image.height());
        assert!((8 * square..=10 * square).contains(&image.width()), "{square}");
    }
}

/// The lines of the caption, as the SVG has them.
fn caption_lines(drawn: &Diagram) -> Vec<String> {
    let svg = drawn.to_svg(&Theme::default());
    let document = roxmltree::Document::parse(&svg).unwrap();
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    let lines = texts.filter_map(|node| node.text().map(str::to_owned));
    lines.filter(|text| text.chars().count() > 1).collect()
}

#[test]
fn a_long_caption_is_broken_into_lines_and_cut() {
    let mut drawn = diagram(RUY_LOPEZ);
    drawn.caption = "word ".repeat(20);
    let lines = caption_lines(&drawn);
    assert!(lines.len() > 1, "{lines:?}");
    assert_eq!(lines.join(" ").matches("word").count(), 20, "{lines:?}");
    for long in ["word ".repeat(60), "x".repeat(300), "a\n".repeat(1 << 19), "\u{301}".repeat(9999)]
    {
        drawn.caption = long;
        let lines = caption_lines(&drawn);
        assert!((1..=4).contains(&lines.len()), "{} lines", lines.len());
        assert!(lines.last().unwrap().ends_with('…'), "{lines:?}");
        assert!(lines.iter().all(|line| line.chars().count() <= 1001));
    }
}

#[test]
fn no_letter_of_a_caption_is_clipped() {
    for letter in ["W", "M", "@", "i", "w", "Ж", "щ", "Æ", "æ", "W W "] {
        let drawn = Diagram { caption: letter.repeat(200), ..diagram("8/8/8/8/8/8/8/8 w - -") };
        let image = pixels(&drawn, &Theme::default());
        let bare = pixels(&Diagram { caption: String::new(), ..drawn }, &Theme::default());
        let is_dark = |x, y| image.pixel(x, y).unwrap().red() < 200;
        for y in bare.height()..image.height() {
            let edges = (0..3).chain(image.width() - 3..image.width());
            assert!(edges.into_iter().all(|x| !is_dark(x, y)), "{letter} reaches the edge");
        }
        let is_long =
            (bare.height()..image.height()).any(|y| (0..image.width() / 4).any(|x| is_dark(x, y)));
        assert!(is_long, "{letter}: the lines are short");
    }
}

#[test]
fn an_image_that_would_take_too_much_memory_is_refused() {
    let large = Theme { square: 500, ..Theme::default() };
    let huge = Theme { square: 600, ..Theme::default() };
    let drawn = Diagram { caption: "word ".repeat(1000), ..diagram("8/8/8/8/8/8/8/8 w - -") };
    let svg = drawn.to_svg(&large);
    let number = |name: &str| -> u64 {
        let value = svg.split(&format!("{name}=\"")).nth(1).unwrap();
        value.split('"').next().unwrap().parse().unwrap()
    };
    assert!(number("width") * number("height") <= MAX_PIXELS, "what the program offers fits");
    let fault = Renderer::new().to_png(&drawn, &huge).unwrap_err();
    assert!(matches!(fault, DrawFault::TooLarge(5268, _)), "{fault}");
    assert!(fault.to_string().ends_with("are too many; an image has at most 24000000"), "{fault}");
}

#[test]
fn text_diagrams_look_like_this() {
    let mut drawn = diagram("4k3/8/8/8/3pP3/8/8/R3K3 b Q e3 0 1");
    drawn.marks = ["d4", "e4", "a1"].map(|square| square.parse::<Mark>().unwrap()).to_vec();
    assert_eq!(
        drawn.to_text(TextStyle::Ascii),
        "  +-----------------+\n\
         8 | . . . . k . . . |\n\
         7 | . . . . . . . . |\n\
         6 | . . . . . . . . |\n\
         5 | . . . . . . . . |\n\
         4 | . . .[p|P]. . . |\n\
         3 | . . . . . . . . |\n\
         2 | . . . . . . . . |\n\
         1 |[R]. . . K . . . |\n\
         \x20 +-----------------+\n\
         \x20   a b c d e f g h\n\
         \x20 Black to move\n"
    );
    drawn.bottom = Color::Black;
    drawn.marks.clear();
    let unicode = drawn.to_text(TextStyle::Unicode);
    assert_eq!(unicode.lines().nth(1), Some("1 | · · · ♔ · · · ♖ |"));
    assert_eq!(unicode.lines().nth(4), Some("4 | · · · ♙ ♟ · · · |"));
    assert_eq!(unicode.lines().nth(10), Some("    h g f e d c b a"));
    drawn.coordinates = Coordinates::Hidden;
    let coloured = drawn.to_text(TextStyle::Coloured);
    assert_eq!(coloured.lines().count(), 9);
    assert!(coloured.lines().take(8).all(|line| line.ends_with("\x1b[0m")));
}

#[test]
fn marks_arrows_and_colours_are_read_or_refused() {
    use eco::diagram::Arrow;
    for text in ["e4", "a1=#000", "h8=#a0B1c2"] {
        assert!(text.parse::<Mark>().is_ok(), "{text}");
    }
    for text in ["", "e", "e9", "e44", "e4=", "e4=red", "é4"] {
        assert!(text.parse::<Mark>().is_err(), "{text}");
    }
    for text in ["e2e4", "e2-e4", "g1f3=#f00"] {
        assert!(text.parse::<Arrow>().is_ok(), "{text}");
    }
    for text in ["", "e2", "e2e2", "e2e9", "e2e4=", "é2e4", "e2--e4"] {
        assert!(text.parse::<Arrow>().is_err(), "{text}");
    }
    for text in ["#12", "#1234", "12345g", "#+12345", "#éab"] {
        assert!(text.parse::<Paint>().is_err(), "{text}");
    }
    assert_eq!("#f80".parse::<Paint>().unwrap().to_string(), "#ff8800");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_svg_is_valid_whatever_the_caption_holds(caption in "(\\PC|[\u{0}-\u{20}<>&\"']|\u{fffe})*") {
        let mut drawn = diagram(RUY_LOPEZ);
        drawn.caption = caption.clone();
        let svg = drawn.to_svg(&Theme::default());
        let document = roxmltree::Document::parse(&svg).unwrap();
        let root = document.root_element();
        prop_assert_eq!(root.tag_name().name(), "svg");
        // Nothing but what we draw, and no reference to anything outside.
        for node in document.descendants().filter(roxmltree::Node::is_element) {
            let name = node.tag_name().name();
            prop_assert!(
                ["svg", "title", "desc", "defs", "g", "path", "use", "text", "circle"].contains(&name)
            );
            for attribute in node.attributes() {
                let is_link = attribute.name() == "href";
                prop_assert!(!is_link || attribute.value().starts_with('#'));
            }
        }
        let title = document.descendants().find(|node| node.has_tag_name("title")).unwrap();
        let kept: String = caption.chars().filter(|c| !c.is_control() && *c != '\u{fffe}').collect();
        let told: String = title.text().unwrap_or_default().chars().filter(|c| !c.is_control()).collect();
        let squeeze = |text: &str| text.replace(' ', "");
        prop_assert!(caption.is_empty() || squeeze(&told) == squeeze(&kept), "{told:?} {kept:?}");
    }

    #[test]
    fn any_placement_can_be_drawn(
        pieces in prop::collection::vec(prop::sample::select("pnbrqkPNBRQK1".chars().collect::<Vec<_>>()), 64),
    ) {
        let rows: Vec<String> = pieces.chunks(8).map(|row| row.iter().collect()).collect();
        let fen: Fen = format!("{} w - - 0 1", rows.join("/")).parse().unwrap();
        let drawn = Diagram::new(fen);
        let svg = drawn.to_svg(&Theme::default());
        let document = roxmltree::Document::parse(&svg).unwrap();
        let uses = document.descendants().filter(|node| node.has_tag_name("use")).count();
        prop_assert_eq!(uses, pieces.iter().filter(|piece| **piece != '1').count());
        let text = drawn.to_text(TextStyle::Ascii);
        for (row, line) in rows.iter().zip(text.lines().skip(1)) {
            let letters: String = line[3..].chars().filter(|c| !" |".contains(*c)).collect();
            prop_assert_eq!(letters, row.replace('1', "."));
        }
    }
}

#[test]
fn the_image_from_kept_parts_is_that_of_the_whole_drawing() {
    use resvg::usvg::{Options, Tree};
    let renderer = Renderer::new();
    let fens = [
        "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
        "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    ];
    for (square, background) in [(64, true), (17, true), (40, false)] {
        for fen in fens {
            let mut diagram = Diagram::new(fen.parse().unwrap());
            diagram.marks = vec!["e4=#cc3333".parse().unwrap()];
            diagram.arrows = vec!["Ge2e4".parse().unwrap()];
            diagram.circles = vec!["d5".parse().unwrap()];
            let mut theme = Theme { square, ..Theme::default() };
            theme.background = theme.background.filter(|_| background);
            let png = Pixmap::decode_png(&renderer.to_png(&diagram, &theme).unwrap()).unwrap();
            // Without letters, whose font is the renderer's, the whole SVG is drawn the same way.
            let whole = Tree::from_str(&diagram.to_svg(&theme), &Options::default()).unwrap();
            let mut pixels = Pixmap::new(png.width(), png.height()).unwrap();
            resvg::render(&whole, Default::default(), &mut pixels.as_mut());
            let margin = (png.width() - 8 * square) / 2;
            let inside = margin + 2..margin + 8 * square - 2;
            for y in inside.clone().filter(|y| *y < 8 * square) {
                for x in inside.clone() {
                    let (a, b) = (png.pixel(x, y).unwrap(), pixels.pixel(x, y).unwrap());
                    let far = |a: u8, b: u8| a.abs_diff(b) > 6;
                    assert!(
                        !far(a.red(), b.red())
                            && !far(a.green(), b.green())
                            && !far(a.alpha(), b.alpha()),
                        "{fen} at {square}: {x} {y}: {a:?} {b:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn files_of_boards_are_small_and_have_a_palette() {
    let mut drawn = diagram(RUY_LOPEZ);
    let kind = |png: &[u8]| png[25];
    let png = Renderer::new().to_png(&drawn, &Theme::default()).unwrap();
    assert_eq!(kind(&png), 3, "no palette");
    // 35,637 bytes as usvg's own encoder compresses it.
    assert!(png.len() < 30_000, "{} bytes", png.len());
    drawn.caption = "Ruy Lopez".to_owned();
    drawn.arrows = vec!["b5c6".parse().unwrap(), "d2d4=#cc3333".parse().unwrap()];
    let png = Renderer::new().to_png(&drawn, &Theme::default()).unwrap();
    assert_eq!(kind(&png), 3, "no palette with arrows");
    // More colours than a palette has.
    drawn.arrows = (0..24_u32)
        .map(|n| {
            let (from, to) = (n % 8, (n * 5 + 3) % 8);
            let squares = [b'a' + from as u8, b'1', b'a' + to as u8, b'8'].map(char::from);
            let squares: String = squares.iter().collect();
            format!("{squares}=#{:02x}{:02x}{:02x}", n * 10, 255 - n * 9, n * 77 % 255)
        })
        .map(|arrow| arrow.parse().unwrap())
        .collect();
    let png = Renderer::new().to_png(&drawn, &Theme::default()).unwrap();
    assert_eq!(kind(&png), 2, "a palette");
    assert!(Pixmap::decode_png(&png).is_ok());
}

/// The text of the drawing in a PDF.
fn pdf_content(pdf: &[u8]) -> String {
    use std::io::Read;
    let find = |part: &[u8]| pdf.windows(part.len()).position(|bytes| bytes == part).unwrap();
    let stream = &pdf[find(b"\nstream\n") + 8..find(b"\nendstream")];
    let mut text = String::new();
    flate2::read::ZlibDecoder::new(stream).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_pdf_is_one_page_of_paths() {
    let mut drawn = diagram(RUY_LOPEZ);
    drawn.arrows = vec!["b5c6".parse().unwrap()];
    drawn.marks = vec!["e5".parse().unwrap()];
    drawn.caption = "Spanish (é) \\ 50 % \u{2658}".to_owned();
    let pdf = Renderer::new().to_pdf(&drawn, &Theme::default()).unwrap();
    assert!(pdf.starts_with(b"%PDF-1.") && pdf.ends_with(b"%%EOF"));
    let text = String::from_utf8_lossy(&pdf);
    assert_eq!(text.matches("/Type /Page\n").count(), 1, "{text}");
    assert!(text.contains("/Count 1\n") && !text.contains("/Font"), "{text}");
    let svg = drawn.to_svg(&Theme::default());
    let svg = roxmltree::Document::parse(&svg).unwrap();
    let size = |name| svg.root_element().attribute(name).unwrap().parse::<f32>().unwrap() * 0.75;
    let page = format!("/MediaBox [0 0 {} {}]", size("width"), size("height"));
    assert!(text.contains(&page), "no {page} in {text}");
    // Opacities of mark and arrow, and colours of theme and mark.
    assert!(text.contains("/ca 0.72") && text.contains("/ca 0.8"), "{text}");
    let content = pdf_content(&pdf);
    let rgb = |paint: Paint| {
        let digits = paint.to_string();
        let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        [1, 3, 5].map(|at| (f32::from(part(at)) / 255.0).to_string()).join(" ")
    };
    for paint in [Theme::default().light, Theme::default().dark, Theme::default().mark] {
        assert!(content.contains(&format!("{} rg", rgb(paint))), "no {paint}");
    }
    let count = |operator: &str| content.lines().filter(|line| *line == operator).count();
    assert_eq!(count("q"), count("Q"));
    assert_eq!(pdf, Renderer::new().to_pdf(&drawn, &Theme::default()).unwrap());
}

#[test]
fn a_pdf_shows_what_the_png_shows() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.pdf");
    let mut drawn = diagram(RUY_LOPEZ);
    drawn.arrows = vec!["b5c6".parse().unwrap()];
    drawn.circles = vec!["d4".parse().unwrap()];
    drawn.caption = "Ruy Lopez: which defence will it be?".to_owned();
    fs::write(&file, Renderer::new().to_pdf(&drawn, &Theme::default()).unwrap()).unwrap();
    let mut command = std::process::Command::new("pdftoppm");
    let Ok(run) = command.args(["-r", "96", "-png"]).arg(&file).output() else {
        eprintln!("skipped: there is no pdftoppm to look at a PDF");
        return;
    };
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(run.stderr.is_empty(), "{}", String::from_utf8_lossy(&run.stderr));
    let (shown, png) =
        (Pixmap::decode_png(&run.stdout).unwrap(), pixels(&drawn, &Theme::default()));
    assert_eq!((shown.width(), shown.height()), (png.width(), png.height()));
    let far = |(a, b): &(&PremultipliedColorU8, &PremultipliedColorU8)| {
        a.red().abs_diff(b.red()).max(a.green().abs_diff(b.green())) > 64
    };
    // Programs smooth edges differently.
    let different = shown.pixels().iter().zip(png.pixels()).filter(far).count();
    assert!(different < png.pixels().len() / 100, "{different} pixels differ");
}

#[test]
fn signs_that_the_font_lacks_are_drawn_or_named() {
    assert!(Renderer::missing_glyphs("Nf3 \u{2a72} \u{2a71} \u{265e} é").is_empty());
    assert_eq!(Renderer::missing_glyphs("日本 日 a"), ['日', '本']);
    let drawn = |caption: &str| {
        let mut diagram = Diagram::new("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap());
        diagram.caption = caption.to_owned();
        Renderer::new().to_png(&diagram, &Theme::default()).unwrap()
    };
    assert_eq!(drawn("e4 \u{2a72}"), drawn("e4 +="));
}

#[test]
fn colours_rings_and_the_mover_are_drawn() {
    use eco::diagram::Preset;
    let check = "4k3/8/8/8/7b/8/8/4K3 w - - 0 1";
    let mut diagram = Diagram::new(check.parse().unwrap());
    let theme = Theme { text: Some("#123456".parse().unwrap()), ..Theme::default() };
    let svg = diagram.to_svg(&theme);
    assert!(svg.contains("<g fill=\"#123456\" font-family") && svg.contains("<circle"));
    diagram.coordinates = Coordinates::Hidden;
    assert!(!diagram.to_svg(&theme).contains("<circle"));
    diagram.mover = Some(true);
    assert!(diagram.to_svg(&theme).contains("<circle"));
    diagram.mover = Some(false);
    diagram.circles = vec!["e4=#00ff00".parse().unwrap()];
    diagram.check = true;
    let svg = diagram.to_svg(&theme);
    assert!(svg.contains("stroke=\"#00ff00\""), "{svg}");
    assert!(svg.contains(&format!("<path fill=\"{}\"", theme.check)), "{svg}");
    diagram.fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap();
    assert!(!diagram.to_svg(&theme).contains(&theme.check.to_string()));
    for preset in Preset::ALL {
        assert_eq!(preset.name().parse(), Ok(*preset));
        let svg = diagram.to_svg(&preset.theme());
        assert!(svg.contains(&preset.theme().light.to_string()));
    }
    assert!("purple".parse::<Preset>().is_err());
}
