//! `eco fen show -o`: files of diagrams.

use std::fs;

use crate::{
    fen::{E4, START, fen, pipe},
    harness::{Run, Workplace},
};

#[test]
fn images_are_written_and_replaced() {
    let place = Workplace::new();
    place.run(&["fen", "show", START, "-o", "a.svg", "--title", "x < y"]).exits(0).is_silent();
    let svg = fs::read_to_string(place.path("a.svg")).unwrap();
    assert!(roxmltree::Document::parse(&svg).is_ok());
    place.run(&["fen", "show", E4, "-o", "a.svg"]).exits(0);
    assert_ne!(fs::read_to_string(place.path("a.svg")).unwrap(), svg);
    place.run(&["fen", "show", START, "-o", "a.png", "--width", "128"]).exits(0);
    assert!(fs::read(place.path("a.png")).unwrap().starts_with(b"\x89PNG"));
    place
        .run(&["fen", "show", "startpos", "-o", "b.PDF", "--title", "日"])
        .exits(0)
        .complains("the font of PNG and PDF has no 日; boxes are drawn instead");
    assert!(fs::read(place.path("b.PDF")).unwrap().starts_with(b"%PDF-"));
    fs::remove_file(place.path("b.PDF")).unwrap();
    assert_eq!(place.files(), ["a.png", "a.svg"]);
    let piped = place.run(&["fen", "show", START, "-o", "-"]).exits(0).stdout.clone();
    assert!(piped.starts_with("<svg "));
    for (args, reason) in [
        (&["-o", "a.gif"][..], "a.gif: an image is a file that ends in .svg, .png, .pdf or .tex"),
        (&["-o", "no/such/a.svg"], "no/such/a.svg: cannot be written: No such file or directory\n"),
        (&["-o", "a.svg", "--width", "3"], "32..=4000"),
        (&["-o", "a.svg", "--theme", "light=red"], "expected a colour"),
        (&["-o", "a.svg", "--theme", "lights=red"], "no part 'lights'; there are light"),
        (&["-o", "a.svg", "--theme", "ascii"], "this theme is for the terminal"),
        (&["-o", "a.svg", "--mark", "e2e9"], "or an arrow such as e2e4"),
        (&["--theme", "night"], "this theme is for images; name one with -o"),
    ] {
        place.run(&[&["fen", "show", START], args].concat()).exits(2).complains(reason);
    }
    assert_eq!(place.files(), ["a.png", "a.svg"]);
}

#[test]
fn many_fens_give_many_images() {
    let place = Workplace::new();
    let lines = format!("{START}\nnonsense\n4k3/8/8/8/8/8/8/4K3 w - - id \"Two kings\";\n");
    place
        .pipe(&["fen", "show", "-o", "d.svg"], lines.as_bytes())
        .exits(1)
        .complains("eco: line 2: 'nonsense': not a FEN");
    place.pipe(&["fen", "show", "-o", "n%n.svg", "--title", "Mine"], lines.as_bytes()).exits(1);
    let empty = "the input has no position, so no image was written";
    place.pipe(&["fen", "show", "-", "-o", "t.png"], b"# none\n").exits(1).complains(empty);
    assert_eq!(place.files(), ["d-1.svg", "d-3.svg", "n1.svg", "n3.svg"]);
    assert!(fs::read_to_string(place.path("d-3.svg")).unwrap().contains(">Two kings</text>"));
    assert!(fs::read_to_string(place.path("n3.svg")).unwrap().contains(">Mine</text>"));
}

#[test]
fn standard_output_takes_one_image() {
    let refused = "only one image fits on standard output";
    fen(&["show", START, E4, "-o", "-"]).exits(2).prints("").complains(refused);
    let two = format!("{START}\n{E4}\n");
    pipe(&["show", "-o", "-"], two.as_bytes()).exits(2).prints("").complains(refused);
    pipe(&["show", "-o", "-"], format!("{START}\n").as_bytes()).exits(0).prints_part("</svg>\n");
}

#[cfg(target_os = "linux")]
#[test]
fn names_of_images_need_not_be_text() {
    use std::os::unix::ffi::OsStrExt;
    let place = Workplace::new();
    let mut command = place.command(&["fen", "show", START, E4, "-o"]);
    command.arg(std::ffi::OsStr::from_bytes(b"d\xff.svg"));
    Run::new(&command.output().unwrap()).exits(0);
    let mut names: Vec<_> =
        fs::read_dir(place.folder()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names[0].as_bytes(), b"d\xff-1.svg");
    assert_eq!(names[1].as_bytes(), b"d\xff-2.svg");
}

#[test]
fn short_fens_are_completed_where_a_diagram_is_wanted() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    for command in ["show", "key"] {
        for (short, full) in [("", " w - -"), (" b", " b - -"), (" w Kq", " w Kq -")] {
            let run = fen(&[command, &format!("{board}{short}")]);
            run.exits(0).complains("eco: forgiven: ");
            assert_eq!(run.stdout, fen(&[command, &format!("{board}{full}")]).stdout);
        }
        fen(&[command, board]).complains(
            "eco: forgiven: no side to move: White; no castling rights: none; no en passant square: none\n",
        );
        pipe(&[command], format!("{board}\n{board} b\n{board}\n").as_bytes())
            .exits(0)
            .complains("eco: line 1: forgiven: no side to move")
            .complains("eco: and 2 more lines like it\n");
    }
    // No castling rights are none, wherever they are read.
    fen(&["check", board]).exits(0).prints_part("forgiven: no side to move");
}

#[test]
fn images_warn_of_what_is_not_drawn() {
    let place = Workplace::new();
    let long = "word ".repeat(200);
    place
        .run(&["fen", "show", START, "-o", "a.png", "--title", &long])
        .exits(0)
        .complains("eco: the caption is cut; four lines fit");
    place
        .run(&["fen", "show", START, "-o", "a.png", "--title", "日本 \u{2a72}"])
        .exits(0)
        .complains("eco: the font of PNG and PDF has no 日本; boxes are drawn instead\n");
    place.run(&["fen", "show", START, "-o", "a.svg", "--title", "日本"]).exits(0).is_silent();
}

#[test]
fn images_have_the_arrows_of_comments() {
    let place = Workplace::new();
    let line = format!("{} c0 \"best [%cal Ge2e4][%csl Rd5]\";\n", &START[..START.len() - 4]);
    place.pipe(&["fen", "show", "-o", "a.svg"], line.as_bytes()).exits(0);
    place.run(&["fen", "show", START, "-o", "b-1.svg", "--mark", "Ge2e4,Rd5"]).exits(0);
    let svg = |name| fs::read_to_string(place.path(name)).unwrap();
    assert_eq!(svg("a.svg"), svg("b-1.svg"));
    let args = ["--theme", "night,text=#010203", "--circle", "e4", "--show", "coordinates,check"];
    place.run(&[&["fen", "show", START, "-o", "c.svg"][..], &args].concat()).exits(0);
    assert!(svg("c.svg").contains("#010203") && svg("c.svg").contains("#202024"));
    // Both discs of the side to move have a rim that can be seen at night.
    for (side, disc) in [(START, "#fffdf7"), (E4, "#332d29")] {
        place.run(&["fen", "show", side, "-o", "d.svg", "--theme", "Night"]).exits(0);
        let rim = format!("fill=\"{disc}\" stroke=\"#e8e4dc\"");
        assert!(svg("d.svg").contains(&rim), "{rim} is not in {}", svg("d.svg"));
    }
    place
        .run(&["fen", "show", START, "-o", "c.svg", "--theme", "pink"])
        .exits(2)
        .complains("no theme");
}

#[test]
fn one_position_of_many_lines_needs_no_number() {
    let place = Workplace::new();
    let run = place.pipe(&["fen", "show", "-", "-o", "t.svg"], START.as_bytes());
    run.exits(0);
    assert_eq!(place.files(), ["t.svg"]);
    let run = place.pipe(&["fen", "show", "-", "-o", "t.svg"], format!("{START}\nx\n").as_bytes());
    run.exits(1);
    assert_eq!(place.files(), ["t-1.svg", "t.svg"]);
}
