//! Lines that are read, printed again, and refused.

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
        (String::new(), "field 1 (placement), column 1: found nothing, expected a FEN".to_owned()),
        (
            format!("{KEY} ; =x 1;"),
            "column 61: found '=x', expected an opcode: a letter, then letters, digits, _"
                .to_owned(),
        ),
        (
            format!("{KEY} eco\"B20\";"),
            "column 59: found 'eco\"B20\"', expected an opcode: a letter, then letters, \
             digits, _"
                .to_owned(),
        ),
        (format!("{KEY} c0 ü \"x;"), "column 64: this quote is never closed".to_owned()),
        (format!("{KEY} c0 \"\\\""), "column 62: this quote is never closed".to_owned()),
        (
            format!("{KEY} hmvc -1;"),
            "column 59: found hmvc '-1', expected a number below 2^32".to_owned(),
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
