//! Reports on FENs: a table, and properties of any FEN.

use std::{collections::BTreeSet, fs, path::Path};

use eco::chess::{
    Chess, EnPassantMode, Epd, FaultClass, FaultKind, Fen, FenReading, Forgiven, Position,
    PositionKey,
    fen::{FenField, FenTable},
    read_fen,
};
use proptest::prelude::*;
use shakmaty::{CastlingMode, FromSetup, PositionErrorKinds, Setup};

struct Row {
    fen: String,
    class: String,
    faults: String,
    forgiven: String,
    meant: String,
}

fn table() -> Vec<Row> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fens.tsv");
    let text = fs::read_to_string(path).unwrap();
    let rows = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let [fen, class, faults, forgiven, meant] = cells[..] else { panic!("columns: {line:?}") };
        let [fen, class, faults, forgiven, meant] =
            [fen, class, faults, forgiven, meant].map(str::to_owned);
        Row { fen, class, faults, forgiven, meant }
    });
    rows.collect()
}

fn or_dot(words: &[String]) -> String {
    if words.is_empty() { ".".to_owned() } else { words.join(" ") }
}

#[test]
fn every_fen_of_the_table_gets_its_answer() {
    let rows = table();
    assert!(rows.len() >= 150, "only {} rows", rows.len());
    for row in &rows {
        let reading = FenReading::from_ascii(row.fen.as_bytes());
        let faults: Vec<String> =
            reading.faults.iter().map(|f| format!("{}@{}", f.kind.name(), f.column)).collect();
        let forgiven: Vec<String> =
            reading.forgiven.iter().map(|what| what.code().to_owned()).collect();
        let meant = reading.repaired().or(reading.fen());
        let fen = &row.fen;
        assert_eq!(reading.class().map_or("ok", FaultClass::name), row.class, "{fen}");
        assert_eq!(or_dot(&faults), row.faults, "{fen}");
        assert_eq!(or_dot(&forgiven), row.forgiven, "{fen}");
        assert_eq!(meant.map_or(".".to_owned(), ToString::to_string), row.meant, "{fen}");
    }
}

#[test]
fn castling_rights_of_chess960_are_recognized_and_kept() {
    for (fen, normal) in [
        (
            "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w KQkq - 0 1",
            "bqnbrnkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBRNKR w HEhe - 0 1",
        ),
        ("1r2k2r/8/8/8/8/8/8/1R2K2R b Hb - 0 20", "1r2k2r/8/8/8/8/8/8/1R2K2R b Hb - 0 20"),
    ] {
        let reading = FenReading::of_chess960(fen.as_bytes());
        assert_eq!(reading.class(), None, "{fen}: {:?}", reading.faults);
        assert_eq!(reading.fen().unwrap().to_string(), normal);
        let fen: Fen = fen.parse().unwrap();
        assert!(fen.is_chess960(), "{fen}");
        let position = fen.to_chess960().unwrap();
        assert_eq!(Fen::from_position(&position, EnPassantMode::Legal).to_string(), normal);
    }
    // A slip in standard chess is not taken for Chess960.
    for fen in [
        "r3k2r/8/8/8/8/8/8/R2K3R w KQkq - 0 1",
        "r4k1r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "1r2k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        assert!(!fen.parse::<Fen>().unwrap().is_chess960(), "{fen}");
    }
    let faults = FenReading::of_chess960(b"4k3/8/8/8/8/8/8/1R2K3 w G - 0 1");
    assert_eq!(faults.faults[0].kind, FaultKind::CastlingNotAtHome);
    let fault = "4k3/8/8/8/8/8/8/1R2K3 w G - 0 1".parse::<Fen>().unwrap().to_chess960();
    assert_eq!(fault.unwrap_err().kind, FaultKind::CastlingNotAtHome);
}

#[test]
fn polyglots_hash_follows_from_its_definition() {
    use eco::chess::{Color, Piece, Role, Square, polyglot_hash};
    use shakmaty::{
        CastlingSide, File,
        zobrist::{Zobrist64, ZobristValue},
    };
    // By the text of the FEN alone: pieces, rights, side, and the file of an en passant square if a
    // pawn of the side to move stands beside the pawn that has passed it.
    let by_definition = |fen: &str| {
        let fields: Vec<&str> = fen.split(' ').collect();
        let mut board = std::collections::HashMap::new();
        for (rank, row) in fields[0].split('/').enumerate() {
            let mut file = 0_u32;
            for c in row.chars() {
                match c.to_digit(10) {
                    Some(count) => file += count,
                    None => {
                        board.insert((file, 7 - rank as u32), c);
                        file += 1;
                    }
                }
            }
        }
        let mut hash = Zobrist64(0);
        for ((file, rank), c) in &board {
            let piece = Piece {
                color: Color::from_white(c.is_ascii_uppercase()),
                role: Role::from_char(*c).unwrap(),
            };
            hash ^= Zobrist64::zobrist_for_piece(Square::new(rank * 8 + file), piece);
        }
        for c in fields[2].chars().filter(|c| *c != '-') {
            let side = if c.eq_ignore_ascii_case(&'k') {
                CastlingSide::KingSide
            } else {
                CastlingSide::QueenSide
            };
            let color = Color::from_white(c.is_ascii_uppercase());
            hash ^= Zobrist64::zobrist_for_castling_right(color, side);
        }
        let is_white = fields[1] == "w";
        if is_white {
            hash ^= Zobrist64::zobrist_for_white_turn();
        }
        if let [file, _] = *fields[3].as_bytes() {
            let file = u32::from(file - b'a');
            let (rank, pawn) = if is_white { (4, 'P') } else { (3, 'p') };
            let beside = [file.wrapping_sub(1), file + 1];
            if beside.iter().any(|file| board.get(&(*file, rank)) == Some(&pawn)) {
                hash ^= Zobrist64::zobrist_for_en_passant_file(File::new(file));
            }
        }
        u64::from(hash)
    };
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        // The pawn is pinned, on its file, on its rank and by a bishop; one king is in check.
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 40",
        "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 40",
        "6k1/1b6/8/3pP3/8/5K2/8/8 w - d6 0 40",
        "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 3",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 9",
    ] {
        let position = read_fen(fen.as_bytes()).unwrap();
        assert_eq!(
            polyglot_hash(&position, EnPassantMode::PseudoLegal),
            by_definition(fen),
            "{fen}"
        );
    }
}

#[test]
fn the_table_has_every_class_every_fault_and_all_that_is_forgiven() {
    let rows = table();
    let classes: BTreeSet<&str> = rows.iter().map(|row| &*row.class).collect();
    assert_eq!(classes, BTreeSet::from(["ok", "odd", "impossible", "syntax"]));
    let words = |column: fn(&Row) -> &str| -> BTreeSet<String> {
        let words = rows.iter().flat_map(|row| column(row).split(' '));
        words.map(|word| word.split('@').next().unwrap().to_owned()).collect()
    };
    let faults = words(|row| &row.faults);
    for kind in FaultKind::ALL {
        assert!(faults.contains(kind.name()), "no row with {kind:?}");
    }
    let forgiven = words(|row| &row.forgiven);
    // The reader itself does not see what is taken off or added before.
    let before = ["no-side", "no-castling", "no-en-passant", "tag", "address", "underscores"];
    for what in Forgiven::ALL.iter().filter(|what| !before.contains(&what.code())) {
        assert!(forgiven.contains(what.code()), "no row with {what:?}");
    }
}

#[test]
fn faults_are_told_in_words_with_field_and_column() {
    for (fen, expected) in [
        (
            "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "field 1 (placement), column 17: found 7 squares in rank 7, expected 8 squares",
        ),
        (
            "8/8/8/8/8/8/8/8 w KX - 0 1",
            "impossible position: field 1 (placement), column 1: found no pieces, expected at least \
             the two kings\n\
             field 3 (castling rights), column 20: found 'X', expected - or letters of KQkq",
        ),
        (
            "4k3/8/8/8/4P3/8/8/4K3 b K e4 0 1",
            "impossible position: field 3 (castling rights), column 25: found 'K', expected no such \
             right: no white rook on h1\n\
             impossible position: field 4 (en passant square), column 27: found 'e4', the square \
             of the pawn itself, expected e3, the square that it has passed over",
        ),
        (
            "4k3/4R3/8/8/8/8/8/4K3 w - - 9 1",
            "impossible position: field 2 (side to move), column 23: found w, and the black king on \
             e8 in check from the white rook on e7, expected b, or no check\n\
             odd position: field 5 (halfmove clock), column 29: found 9, expected at most 0, the \
             half-moves of the game so far",
        ),
    ] {
        let reading = FenReading::from_ascii(fen.as_bytes());
        let told: Vec<String> = reading.faults.iter().map(ToString::to_string).collect();
        assert_eq!(told.join("\n"), expected, "{fen}");
    }
}

#[test]
fn what_real_files_hold_is_read_as_a_position() {
    for fen in [
        "rn1qkbnr/ppp1pppp/8/3p1b2/2P5/1P6/P2PPPPP/RNBQKBNR w KQkq -",
        "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR   w KQkq - 0 1 ",
        "4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 0",
        "rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/r3K2r w - - 0 40",
    ] {
        assert!(read_fen(fen.as_bytes()).is_ok(), "{fen}: {:?}", read_fen(fen.as_bytes()));
    }
}

#[test]
fn a_position_that_cannot_be_played_says_why() {
    for (fen, kind) in [
        ("8/8/8/8/8/8/8/8 w - - 0 1", FaultKind::EmptyBoard),
        ("8/8/8/8/8/8/8/4K3 w KQ - 0 1", FaultKind::MissingKing),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 7 1", FaultKind::TooManyKings),
        ("8/8/8/3kK3/8/8/8/8 w - e3 0 1", FaultKind::KingsTouch),
        ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", FaultKind::PawnOnBackRank),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", FaultKind::OpponentInCheck),
    ] {
        assert_eq!(read_fen(fen.as_bytes()).map_err(|fault| fault.kind), Err(kind), "{fen}");
    }
}

/// A position reached by choosing moves by these numbers.
pub fn walk(choices: &[u16]) -> Chess {
    let mut position = Chess::default();
    for choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play_unchecked(moves[usize::from(*choice) % moves.len()]);
    }
    position
}

fn reached() -> impl Strategy<Value = Chess> {
    prop::collection::vec(any::<u16>(), 0..120).prop_map(|choices| walk(&choices))
}

/// A FEN of the table or of a game, with a few characters changed.
fn nearly_fen() -> impl Strategy<Value = String> {
    let rows: Vec<String> = table().into_iter().map(|row| row.fen).collect();
    let base = prop_oneof![
        prop::sample::select(rows),
        reached().prop_map(|p| Fen::from_position(&p, EnPassantMode::Always).to_string())
    ];
    let change = (any::<prop::sample::Index>(), "[ -/1-8kKqQpPrRw–bne3x]");
    (base, prop::collection::vec(change, 0..4)).prop_map(|(fen, changes)| {
        let mut chars: Vec<char> = fen.chars().collect();
        for (at, c) in changes {
            if !chars.is_empty() {
                let at = at.index(chars.len());
                chars.splice(at..=at, c.chars());
            }
        }
        chars.into_iter().collect()
    })
}

/// One character that is typed wrong, left out, or put in.
#[derive(Debug, Clone)]
struct Slip {
    at: prop::sample::Index,
    /// Whether it is in the short fields after the placement, where repairs are made.
    is_behind: bool,
    typed: String,
    is_instead: bool,
}

impl Slip {
    fn made_in(&self, fen: &str) -> String {
        let start = if self.is_behind { fen.find(' ').unwrap() } else { 0 };
        let at = start + self.at.index(fen.len() - start);
        let end = at + usize::from(self.is_instead);
        format!("{}{}{}", &fen[..at], self.typed, &fen[end..])
    }
}

fn slip() -> impl Strategy<Value = Slip> {
    let slip = (
        any::<prop::sample::Index>(),
        any::<bool>(),
        "[ -/0-9a-hkKqQpPrRwWbBnNx–]?",
        any::<bool>(),
    );
    slip.prop_map(|(at, is_behind, typed, is_instead)| Slip { at, is_behind, typed, is_instead })
}

/// Whether a FEN that is not the one before the slip is still the only one that was typed: the
/// slip is on the board, and the board is believed, so that only rights and squares go that it
/// contradicts; or it is a capital letter that names the other side, or a pawn of another file; or
/// it is a letter in place of a blank, which looks the same as a blank that was forgotten.
fn is_as_certain(good: &str, typed: &str, repaired: &str) -> bool {
    let fields = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let (good, typed, repaired) = (fields(good), fields(typed), fields(repaired));
    let differ: Vec<usize> = (0..6).filter(|at| good[*at] != repaired[*at]).collect();
    if repaired[0] != good[0] {
        let is_less =
            |at: usize| repaired[at] == "-" || repaired[at].chars().all(|c| good[at].contains(c));
        let is_kept = [1, 4, 5].iter().all(|at| repaired[*at] == good[*at]);
        return repaired[0] == normalized(&typed[0]) && is_kept && is_less(2) && is_less(3);
    }
    let letters = |fields: &[String]| {
        let mut letters = fields.concat().into_bytes();
        letters.sort_unstable();
        letters
    };
    if differ == [2] && typed.len() == 5 && letters(&typed) == letters(&repaired) {
        return true;
    }
    let is_capital =
        |at: usize| typed[at] != repaired[at] && typed[at].to_lowercase() == repaired[at];
    matches!(differ[..], [at @ (1 | 3)] if is_capital(at))
}

/// The placement with its digits run together.
fn normalized(placement: &str) -> String {
    let fen: Fen = format!("{placement} w - - 0 1").parse().unwrap();
    fen.to_string().split(' ').next().unwrap().to_owned()
}

fn modes() -> impl Strategy<Value = EnPassantMode> {
    prop::sample::select(vec![
        EnPassantMode::Legal,
        EnPassantMode::PseudoLegal,
        EnPassantMode::Always,
    ])
}

proptest! {
    #[test]
    fn what_is_written_reads_as_itself(position in reached(), mode in modes()) {
        let text = Fen::from_position(&position, mode).to_string();
        let reading = FenReading::from_ascii(text.as_bytes());
        prop_assert_eq!(&reading.faults[..], &[]);
        prop_assert_eq!(&reading.forgiven[..], &[]);
        let fen = reading.fen().unwrap();
        prop_assert_eq!(fen.to_string(), text);
        prop_assert_eq!(&fen.to_position().unwrap(), &position);
        prop_assert_eq!(FenTable::from_fen(fen).to_fen().unwrap(), fen.clone());
    }

    #[test]
    fn a_key_is_the_key_of_itself(position in reached(), mode in modes()) {
        let key = PositionKey::from_position(&position, mode);
        prop_assert_eq!(key.to_string().parse(), Ok(key));
        let fen: Fen = key.to_string().parse().unwrap();
        prop_assert_eq!(fen.key(), key);
        prop_assert_eq!(PositionKey::from_position(&fen.to_position().unwrap(), mode), key);
    }

    #[test]
    fn keys_are_equal_exactly_when_placement_and_moves_are(
        choices in prop::collection::vec(any::<u16>(), 0..30),
        others in prop::collection::vec(any::<u16>(), 0..30),
        forget in any::<u8>(),
    ) {
        let position = walk(&choices);
        // Another position, or the same one without some castling right, its en passant square,
        // or its turn: anything that a key might fail to distinguish.
        let mut setup = position.to_setup(EnPassantMode::Always);
        if forget & 1 != 0 {
            let gone = Setup::initial().castling_rights.into_iter().nth(usize::from(forget >> 6));
            gone.into_iter().for_each(|rook| setup.castling_rights.discard(rook));
        }
        if forget & 2 != 0 {
            setup.ep_square = None;
        }
        setup.halfmoves += u32::from(forget >> 2 & 1);
        let other = if forget & 8 != 0 {
            walk(&others)
        } else {
            Chess::from_setup(setup, CastlingMode::Standard).unwrap()
        };
        let same_key = PositionKey::from_position(&position, EnPassantMode::Legal)
            == PositionKey::from_position(&other, EnPassantMode::Legal);
        let same_rules = position.board() == other.board()
            && position.turn() == other.turn()
            && position.legal_moves() == other.legal_moves()
            // Rights that cannot be used now can be used later.
            && position.castles().castling_rights() == other.castles().castling_rights();
        prop_assert_eq!(same_key, same_rules);
    }

    #[test]
    fn what_is_impossible_is_what_the_rules_say(text in nearly_fen()) {
        let reading = FenReading::from_ascii(text.as_bytes());
        prop_assert_eq!(reading.fen().cloned(), Fen::from_ascii(text.as_bytes()).ok());
        let is_syntax = reading.class() == Some(FaultClass::Syntax);
        prop_assert_eq!(reading.fen().is_none(), is_syntax);
        let Some(fen) = reading.fen() else { return Ok(()) };
        let Ok(standard) = fen.to_string().parse::<shakmaty::fen::Fen>() else {
            // More than two castling rights of a side are more than shakmaty reads.
            prop_assert_eq!(reading.class(), Some(FaultClass::Impossible));
            return Ok(());
        };
        let kinds = Chess::from_setup(standard.into_setup(), CastlingMode::Standard)
            .map_or_else(|error| error.kinds(), |_| PositionErrorKinds::empty());
        let counted =
            [FaultKind::TooManyPawns, FaultKind::TooManyPieces, FaultKind::TooManyPromoted];
        let is_counted = |kind| counted.contains(&kind);
        let impossible = reading.faults.iter().any(|fault| {
            fault.class() == FaultClass::Impossible && !is_counted(fault.kind)
        });
        prop_assert_eq!(impossible, !(kinds - PositionErrorKinds::TOO_MUCH_MATERIAL).is_empty());
        let too_much = reading.faults.iter().any(|fault| is_counted(fault.kind));
        if !kinds.contains(PositionErrorKinds::EMPTY_BOARD) {
            let crowded = kinds.contains(PositionErrorKinds::TOO_MUCH_MATERIAL);
            prop_assert!(too_much || !crowded, "{:?}", reading.faults);
        }
        let playable = kinds - PositionErrorKinds::TOO_MUCH_MATERIAL
            - PositionErrorKinds::INVALID_CASTLING_RIGHTS - PositionErrorKinds::INVALID_EP_SQUARE
            - PositionErrorKinds::IMPOSSIBLE_CHECK;
        prop_assert_eq!(fen.to_position().is_ok(), playable.is_empty());
    }

    #[test]
    fn a_repair_leaves_nothing_to_repair(text in nearly_fen()) {
        let reading = FenReading::from_ascii(text.as_bytes());
        if let Some(repaired) = reading.repaired() {
            prop_assert!(!reading.faults.is_empty());
            let again = FenReading::from_ascii(repaired.to_string().as_bytes());
            prop_assert!(again.class() <= Some(FaultClass::Odd), "{:?}", again.faults);
            prop_assert_eq!(again.repaired(), None);
            prop_assert_eq!(again.fen(), Some(repaired));
            prop_assert_eq!(again.forgiven, &[]);
        }
    }

    #[test]
    fn a_slip_in_a_good_fen_is_repaired_to_it_or_not_at_all(
        position in reached(),
        counters in (0_u32..90, 46_u32..130),
        slip in slip(),
    ) {
        let good = Fen::from_position(&position, EnPassantMode::Always);
        let halfmoves = if good.en_passant().is_some() { 0 } else { counters.0 };
        let good = good.with_counters(halfmoves, counters.1.try_into().unwrap()).to_string();
        let typed = slip.made_in(&good);
        let reading = FenReading::from_ascii(typed.as_bytes());
        if let Some(repaired) = reading.repaired() {
            let repaired = repaired.to_string();
            prop_assert!(
                repaired == good || is_as_certain(&good, &typed, &repaired),
                "{good} typed as {typed} is repaired to {repaired}"
            );
        }
    }

    #[test]
    fn columns_and_fields_lie_in_the_text(text in nearly_fen()) {
        let reading = FenReading::from_ascii(text.as_bytes());
        for fault in &reading.faults {
            prop_assert!((1..=text.chars().count() + 1).contains(&fault.column));
            prop_assert_eq!(FenField::ALL[fault.field.number() - 1], fault.field);
        }
        prop_assert!(reading.faults.is_sorted_by_key(|fault| fault.column));
    }

    #[test]
    fn no_bytes_are_too_odd_to_be_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let reading = FenReading::from_ascii(&bytes);
        prop_assert_eq!(reading.fen().is_none(), reading.class() == Some(FaultClass::Syntax));
        prop_assert_eq!(read_fen(&bytes).is_ok(), reading.fen().is_some_and(|fen| fen.to_position().is_ok()));
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(epd) = text.parse::<Epd>() {
            prop_assert_eq!(epd.to_string().parse::<Epd>(), Ok(epd));
        }
        prop_assert!(text.parse::<PositionKey>().is_err());
        prop_assert!(FenTable::read_json(&bytes[..]).all(|table| table.is_err()));
    }
}
