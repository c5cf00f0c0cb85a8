mod plain;

use proptest::prelude::*;

use super::section::{Section, TagNames};
use super::{revision::Edits, *};
use crate::catalogue::Catalogue;
use crate::classify::{Classifier, NamedAt};
use crate::master::{Master, MasterFile, MasterInfo};
use crate::opening::{EcoCode, Opening};
use crate::pgn::{Block, BlockOptions, Chunks, Game};

fn tagger(options: TagOptions) -> Tagger<'static> {
    Tagger::new(Classifier::new(Catalogue::builtin()), options)
}

fn with_policy(policy: Policy) -> TagOptions {
    TagOptions { policy, ..TagOptions::default() }
}

/// A stream of games, tagged.
fn tag_all(tagger: &Tagger<'_>, pgn: &[u8]) -> Vec<u8> {
    let blocks = Chunks::new(pgn, BlockOptions::default()).blocks();
    let tag = |block: Block| tagger.tag_block(block, |_, _| {}).to_vec();
    blocks.flat_map(|block| tag(block.unwrap())).collect()
}

fn tagged(options: TagOptions, pgn: &str) -> String {
    let bytes = tag_all(&tagger(options), pgn.as_bytes());
    decode(&bytes)
}

fn stripped(pgn: &[u8]) -> Vec<u8> {
    tag_all(&tagger(with_policy(Policy::Strip)), pgn)
}

fn decode(bytes: &[u8]) -> String {
    crate::pgn::decode_text(bytes).into_owned()
}

fn outcome(options: TagOptions, game: &str) -> Outcome {
    tagger(options).tag_game(&Game::from_bytes(game.as_bytes())).plan.outcome
}

const B20: &str = "[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n";

#[test]
fn tags_go_where_people_expect_them() {
    for (game, expected) in [
        // After the last tag.
        (
            "[White \"x\"]\n\n1. e4 c5 *\n",
            "[White \"x\"]\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n\n1. e4 c5 *\n",
        ),
        // In its place.
        (
            "[Opening \"?\"]\n[ ECO  \"A00\" ] [White \"x\"]\n\n1. e4 c5 *",
            "[Opening \"Sicilian Defense\"]\n[ ECO  \"B20\" ] [White \"x\"]\n\n1. e4 c5 *",
        ),
        // Stale ones go, and so do all but the first of a name.
        (
            "[White \"x\"]\n[Variation \"v\"]\n[ECO \"A00\"]\n[SubVariation \"s\"]\n[ECO \"A01\"]\n[Black \"y\"]\n\n1. e4 c5 *",
            "[White \"x\"]\n[ECO \"B20\"]\n[Black \"y\"]\n[Opening \"Sicilian Defense\"]\n\n1. e4 c5 *",
        ),
        // The line end of the place.
        (
            "[White \"x\"]\r\n[Black \"y\"]  \r\n\r\n1. e4 c5 *",
            "[White \"x\"]\r\n[Black \"y\"]\r\n[ECO \"B20\"]\r\n[Opening \"Sicilian Defense\"]  \r\n\r\n1. e4 c5 *",
        ),
        (
            "[White \"x\"]\r[Black \"y\"]\r\r1. e4 c5 *",
            "[White \"x\"]\r[Black \"y\"]\r[ECO \"B20\"]\r[Opening \"Sicilian Defense\"]\r\r1. e4 c5 *",
        ),
        // All on one line.
        (
            "[White \"x\"] [Black \"y\"] 1. e4 c5 *",
            "[White \"x\"] [Black \"y\"]\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"] 1. e4 c5 *",
        ),
        // Comments, % lines and blank lines among the tags.
        (
            "[White \"x\"]\n{c}\n\n[Black \"y\"] {d}\n% e\n1. e4 c5 *",
            "[White \"x\"]\n{c}\n\n[Black \"y\"]\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"] {d}\n% e\n1. e4 c5 *",
        ),
        // A game whose only tags are managed.
        (
            "[Opening \"?\"]\n[ECOSource \"x\"]\n\n1. e4 c5 *",
            "[Opening \"Sicilian Defense\"]\n[ECO \"B20\"]\n\n1. e4 c5 *",
        ),
        // A mark, text before the first game, and a game without tags.
        (
            "\u{feff}; notes\n\n1. e4 c5 *\n\n1. e4 c5 1-0",
            "\u{feff}; notes\n\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n\n1. e4 c5 *\n\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n\n1. e4 c5 1-0",
        ),
        (
            "\u{feff}[White \"x\"]\r\n\r\n1. e4 c5",
            "\u{feff}[White \"x\"]\r\n[ECO \"B20\"]\r\n[Opening \"Sicilian Defense\"]\r\n\r\n1. e4 c5",
        ),
        // Damage that does not hide where a tag ends.
        (
            "[Event \"e\"]\n[ECO B20]\n[White \"x\"\n[Black y]\n\n1. e4 c5 *",
            "[Event \"e\"]\n[ECO \"B20\"]\n[White \"x\"\n[Black y]\n[Opening \"Sicilian Defense\"]\n\n1. e4 c5 *",
        ),
        (
            "[Opening \"the \"best\" one\"]\n\n1. e4 c5 *",
            "[Opening \"Sicilian Defense\"]\n[ECO \"B20\"]\n\n1. e4 c5 *",
        ),
    ] {
        assert_eq!(tagged(TagOptions::default(), game), expected, "for {game:?}");
        assert_eq!(tagged(TagOptions::default(), expected), expected, "again, for {game:?}");
        assert_eq!(
            decode(&stripped(expected.as_bytes())),
            decode(&stripped(game.as_bytes())),
            "stripped, for {game:?}"
        );
    }
}

#[test]
fn tags_are_removed_with_their_lines() {
    for (game, expected) in [
        ("[White \"x\"]\n[ECO \"B20\"]\n\n1. e4 *", "[White \"x\"]\n\n1. e4 *"),
        ("[ECO \"B20\"]\r\n[White \"x\"]\r\n\r\n1. e4 *", "[White \"x\"]\r\n\r\n1. e4 *"),
        ("[White \"x\"] [ECO \"B20\"] [Black \"y\"] *", "[White \"x\"] [Black \"y\"] *"),
        ("[White \"x\"]  \n  [ECO \"B20\"]  \n*", "[White \"x\"]  \n*"),
        ("[ECO \"B20\"] [Opening \"x\"] 1. e4 *", "1. e4 *"),
        ("[ECO \"B20\"]\n[Opening \"x\"]\n\n1. e4 *", "1. e4 *"),
        ("[ECO \"B20\"]\n\n\n1. e4 *", "1. e4 *"),
        (
            "[White \"x\"]\n; note\n[ECO \"B20\"] [Black \"y\"]\n*",
            "[White \"x\"]\n; note\n[Black \"y\"]\n*",
        ),
        ("[White \"x\"]\n\n[ECO \"B20\"]\n*", "[White \"x\"]\n\n*"),
        ("[White x\n[ECO \"B20\"] 1. e4 *", "[White x\n1. e4 *"),
        ("[MoveOrderECO \"A00\"]\n[ECOSource \"x\"]\n[White \"x\"]\n", "[White \"x\"]\n"),
        ("1. e4 {\n[ECO \"B20\"]\n} *", "1. e4 {\n[ECO \"B20\"]\n} *"),
    ] {
        assert_eq!(decode(&stripped(game.as_bytes())), expected, "for {game:?}");
        assert_eq!(decode(&stripped(expected.as_bytes())), expected, "again, for {game:?}");
    }
}

#[test]
fn games_in_doubt_are_left_alone() {
    let all = TagOptions::default;
    let strip = || with_policy(Policy::Strip);
    let clear = || TagOptions { unknown: Unknown::Clear, ..TagOptions::default() };
    for (options, game, expected) in [
        (all(), format!("[White \"x\"]\n{B20}\n1. e4 c5 *"), Outcome::Correct),
        (all(), "[White \"x\n\n1. e4 c5 *".to_owned(), Outcome::Damaged),
        (all(), "[ECO \"A00\" x]\n\n1. e4 c5 *".to_owned(), Outcome::Damaged),
        (all(), "[ECO \"A\" x] [White \"y\"]\n\n1. e4 c5 *".to_owned(), Outcome::Damaged),
        (all(), "[White \"x\"] {c} [ECO \"A00\"]\n\n1. e4 *".to_owned(), Outcome::Damaged),
        (
            all(),
            "[White \"x\"]\n{\n[Black \"y\"] {c} [Site \"z\"]\n1. e4 *".to_owned(),
            Outcome::Damaged,
        ),
        (strip(), "[ECO \"A00\"] % x\n*".to_owned(), Outcome::Damaged),
        (all(), "[White x\n\n1. e4 c5 *".to_owned(), Outcome::Damaged),
        (all(), "1. e4 c5".to_owned(), Outcome::NoTags),
        (all(), "1. e4 c5 * Nf3".to_owned(), Outcome::NoTags),
        (all(), "[ECO \"A00\"]\n\n*".to_owned(), Outcome::NoOpening),
        (all(), "[Variant \"Atomic\"]\n[ECO \"?\"]\n\n1. e4 *".to_owned(), Outcome::NoOpening),
        (clear(), "[White \"x\"]\n[ECO \"A00\"]\n*".to_owned(), Outcome::Changed(Weight::Code)),
        (clear(), "[ECO \"A00\"]\n\n*".to_owned(), Outcome::Damaged),
        (all(), "[Variation \"v\"]\n[ECO \"A00\"]\n\n1. e4 *".to_owned(), Outcome::Damaged),
        (clear(), "[White \"x\"]\n\n*".to_owned(), Outcome::Correct),
    ] {
        assert_eq!(outcome(options, &game), expected, "for {game:?}");
    }
}

#[test]
fn the_policy_says_which_games_are_changed() {
    let moves = "\n1. e4 c5 *";
    for (tags, missing, changed) in [
        ("", true, false),
        ("[ECO \"?\"]\n[Opening \"\"]\n", true, false),
        ("[ECO \"B20\"]\n", true, false),
        ("[Opening \"Sicilian Defense\"]\n[Variation \"?\"]\n", true, false),
        ("[ECO \"A00\"]\n", false, true),
        ("[ECO \"B20\"]\n[Opening \"Sicilian\"]\n", false, true),
        ("[ECO \"B20\"]\n[ECO \"B21\"]\n", false, true),
        ("[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n[Variation \"v\"]\n", false, true),
        (B20, false, false),
    ] {
        let game = format!("[White \"x\"]\n{tags}{moves}");
        for (policy, is_meant) in [(Policy::Missing, missing), (Policy::Changed, changed)] {
            let is_changed = matches!(outcome(with_policy(policy), &game), Outcome::Changed(_));
            assert_eq!(is_changed, is_meant, "{policy:?} for {tags:?}");
        }
        let is_changed = matches!(outcome(TagOptions::default(), &game), Outcome::Changed(_));
        assert_eq!(is_changed, missing || changed, "{tags:?}");
    }
}

#[test]
fn names_may_be_split() {
    let options = || TagOptions { names: Names::Split, ..TagOptions::default() };
    let game = "[White \"x\"]\n[Variation \"old\"]\n\n1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Be3 *";
    let expected = "[White \"x\"]\n[Variation \"Najdorf Variation\"]\n[ECO \"B90\"]\n[Opening \"Sicilian Defense\"]\n[SubVariation \"English Attack\"]\n\n";
    assert!(tagged(options(), game).starts_with(expected), "{}", tagged(options(), game));
    // A name without a colon splits at its first comma, as it does wherever names are split.
    let attack = tagged(options(), "[White \"x\"]\n\n1. Nf3 Nf6 2. g3 d5 3. Bg2 e6 *");
    let parts = "[Opening \"King's Indian Attack\"]\n[Variation \"with e6\"]\n\n";
    assert!(attack.contains(parts), "{attack}");
    assert_eq!(tagged(options(), &attack), attack, "twice");
    let family = tagged(options(), "[White \"x\"]\n[Variation \"old\"]\n\n1. e4 c5 *");
    assert_eq!(family, format!("[White \"x\"]\n{B20}\n1. e4 c5 *"));
}

#[test]
fn names_go_into_a_game_in_its_own_encoding() {
    let moves = "1. d4 Nf6 2. c4 g6 3. Nc3 d5 *";
    let najdorf = "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 6. Qf3 *";
    let opening = |game: &[u8]| {
        let tagged = tag_all(&tagger(TagOptions::default()), game);
        assert_eq!(tag_all(&tagger(TagOptions::default()), &tagged), tagged, "twice");
        let game = Game::from_bytes(&tagged);
        let tag = game.tags().find(|tag| tag.name == b"Opening");
        tag.unwrap().raw_value.to_vec()
    };
    let with_white = |white: &[u8], rest: &[u8], moves: &str| {
        [b"[White \"", white, b"\"]\n", rest, b"\n", moves.as_bytes()].concat()
    };
    assert_eq!(opening(&with_white(b"x", b"", moves)), "Gr\u{fc}nfeld Defense".as_bytes());
    assert_eq!(
        opening(&with_white("\u{e9}".as_bytes(), b"", moves)),
        "Gr\u{fc}nfeld Defense".as_bytes()
    );
    assert_eq!(opening(&with_white(b"\xe9", b"", moves)), b"Gr\xfcnfeld Defense");
    // The old name does not say in which encoding the game is.
    let old = b"[Opening \"Gr\xfcnfeld Defence\"]\n";
    assert_eq!(opening(&with_white(b"x", old, moves)), "Gr\u{fc}nfeld Defense".as_bytes());
    // A name that is right in another encoding is right.
    for (white, name) in
        [(&b"x"[..], &b"Gr\xfcnfeld Defense"[..]), (b"\xe9", "Gr\u{fc}nfeld Defense".as_bytes())]
    {
        let right = [b"[ECO \"D80\"]\n[Opening \"", name, b"\"]\n"].concat();
        assert_eq!(opening(&with_white(white, &right, moves)), name);
    }
    let petronic = opening(&with_white(b"\xe9", b"", &najdorf.replace("Qf3", "Nb3")));
    assert!(petronic.is_ascii(), "{petronic:?}");
}

/// A catalogue with everything that makes names hard.
fn odd_catalogue() -> Catalogue {
    let info = MasterInfo {
        name: "odd".to_owned(),
        version: "2 \"b\"".to_owned(),
        ..MasterInfo::default()
    };
    let rows = "B20a1\tThe \"Sicilian\" \\ Gr\u{fc}n\u{107}: v, s\t1. e4 c5\nB00\tKing\t1. e4\n";
    let file = MasterFile { name: "odd.tsv", bytes: rows.as_bytes() };
    let master = Master::read(info, &[file], None).unwrap().masters.swap_remove(0);
    Catalogue::from_masters([master]).0
}

#[test]
fn longer_codes_marks_and_move_orders_have_tags_of_their_own() {
    let catalogue = odd_catalogue();
    let tag = |options: TagOptions, game: &str| {
        let tagger = Tagger::new(Classifier::new(&catalogue), options);
        let tagged = tag_all(&tagger, game.as_bytes());
        assert_eq!(tag_all(&tagger, &tagged), tagged, "twice");
        decode(&tagged)
    };
    let extended = Some("ScidECO".parse().unwrap());
    let everything = || TagOptions {
        extended: extended.clone(),
        with_move_order: true,
        with_mark: true,
        names: Names::Split,
        ..TagOptions::default()
    };
    let fingerprint = &catalogue.masters()[0].fingerprint[..8];
    let parts = "Opening \"The \\\"Sicilian\\\" \\\\ Gr\u{fc}n\u{107}\"]";
    let full = format!(
        "[White \"x\"]\n[ECO \"B20\"]\n[{parts}\n[Variation \"v\"]\n[SubVariation \"s\"]\n[ScidECO \"B20a1\"]\n\
         [MoveOrderECO \"B20\"]\n[MoveOrder{parts}\n[MoveOrderVariation \"v\"]\n[MoveOrderSubVariation \"s\"]\n\
         [ECOSource \"odd 2 \\\"b\\\" {fingerprint}\"]\n\n1. e4 c5 *"
    );
    assert_eq!(tag(everything(), "[White \"x\"]\n\n1. e4 c5 *"), full);
    // By another order of moves: the tags of the longest line that was followed.
    let other = tag(everything(), "[White \"x\"]\n\n1. e3 c5 2. e4 *");
    assert!(!other.contains("MoveOrder"), "{other}");
    // A code of three characters needs no other tag; what is not asked for goes.
    let short = tag(everything(), &full.replace("c5", "e5"));
    assert!(short.contains("[ECO \"B00\"]") && !short.contains("ScidECO"), "{short}");
    let strip = TagOptions { extended: extended.clone(), ..with_policy(Policy::Strip) };
    assert_eq!(tag(strip, &full), "[White \"x\"]\n\n1. e4 c5 *");
    assert!(tag(TagOptions::default(), &full).contains("[ScidECO \"B20a1\"]\n\n"));
}

#[test]
fn changes_are_counted_by_kind() {
    let count = |pgn: &str| {
        let mut changes = Changes::default();
        for block in Chunks::new(pgn.as_bytes(), BlockOptions::default()).blocks() {
            let add = |game: &Game<'_>, plan: &Plan<'_, '_>| changes.add("g.pgn", game, plan);
            tagger(TagOptions::default()).tag_block(block.unwrap(), add);
        }
        changes
    };
    let changes = count(
        "[White \"a\"]\n[ECO \"A00\"]\n\n1. e4 c5 *\n[White \"b\"]\n[ECO \"A00\"]\n\n1. e4 c5 *\n\
         [White \"c\"]\n\n1. e4 c5 *\n[White \"d\"]\n[ECO \"B20\"]\n\n1. e4 c5 *\n\
         [White \"e\"]\n[ECO \"?!\"]\n\n1. e4 c5 *\n[White \"f\"]\n\n*\n\
         [White \"g\"]\n[ECO \"B20\"]\n[ECO \"B20\"]\n[Opening \"Sicilian Defense\"]\n\n1. e4 c5 *\n",
    );
    let kinds: Vec<(String, u64, String)> = changes
        .kinds()
        .into_iter()
        .map(|k| (k.kind.unwrap().to_string(), k.games, k.example.white))
        .collect();
    let kind = |kind: &str, games, white: &str| (kind.to_owned(), games, white.to_owned());
    assert_eq!(
        kinds,
        [
            kind("A00 -> B20", 2, "a"),
            kind("B20: name", 2, "d"),
            kind("none -> B20", 1, "c"),
            kind("other -> B20", 1, "e"),
        ]
    );
    assert_eq!((changes.games, changes.changed, changes.no_opening), (7, 6, 1));
}

/// A word of a game that is written in any way.
pub(super) fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "[ECO \"A00\"]",
        "[ECO \"B20\"]",
        "[Opening \"Sicilian Defense\"]",
        "[Opening \"?\"]",
        "[Variation \"v \\\" w\"]",
        "[SubVariation \"\"]",
        "[ECOSource \"x\"]",
        "[MoveOrderECO \"B20\"]",
        "[White \"x\"]",
        "[Black \"\u{e9}\"]",
        "[Event \"e\"]",
        "[ECO B20]",
        "[Black y",
        "[ECO \"A",
        "[White \"x",
        "[Opening \"a \"b\" c\"]",
        "[ECO \"A\" x]",
        "[ECO \"B20\"\n",
        "[Opening \"x\"\n",
        " ",
        "  ",
        "\n",
        "\r\n",
        "\r",
        "\n\n",
        "{c}",
        "{",
        "}",
        "; d",
        "% e",
        "1. e4 c5 ",
        "1. d4 d5",
        "1. g3 f5 2. d4 ",
        "1. d4 Nf6 2. c4 g6 3. Nc3 d5 ",
        "e4",
        "*",
        "1-0",
        "Zz",
        "\u{feff}",
        "(",
        ")",
        "[FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]",
    ])
    .prop_map(str::to_owned)
}

/// The bytes that are neither blank nor in a tag that is set or removed.
fn residue(pgn: &[u8]) -> Vec<u8> {
    let names = TagNames { extended: "" };
    let mut residue = Vec::new();
    for block in Chunks::new(pgn, BlockOptions::default()).blocks() {
        let block = block.unwrap();
        let mut from = 0;
        for game in block.games() {
            for placed in game.tags().placed().filter(|p| names.find(p.tag.name).is_some()) {
                residue.extend_from_slice(&block.bytes()[from..game.start() + placed.span.start]);
                from = game.start() + placed.span.end;
            }
        }
        residue.extend_from_slice(&block.bytes()[from..]);
    }
    residue.retain(|b| !b.is_ascii_whitespace() && *b != 0x0b);
    residue
}

/// A game whose tags are whole and alone on their lines. The first is not managed.
pub(super) fn simple_game() -> impl Strategy<Value = String> {
    let tag = prop::sample::select(vec![
        "[ECO \"A00\"]",
        "[ECO \"B20\"]",
        "[Opening \"Sicilian Defense\"]",
        "[Opening \"?\"]",
        "[Variation \"v\"]",
        "[SubVariation \"s\"]",
        "[ECOSource \"x\"]",
        "[MoveOrderECO \"B20\"]",
        "[White \"x\"]",
        "[Black \"\u{e9}\"]",
        "[ECO \"\"]",
        "[Site \"[1] {2} ; %\"]",
        "[Annotator \"B20a\"]",
        "[EventDate \"?\"]",
        "[Opening \"Gr\u{fc}nfeld Defense\"]",
    ]);
    let moves = prop::sample::select(vec![
        "1. e4 c5 *",
        "1. g3 f5\n2. d4 1-0",
        "1. d4 {x} Nf6 (1... d5) 2. c4 g6 3. Nc3 d5 $1 *",
        "1. e4 {[ECO \"A00\"]} c5\n\n2. Nf3 Zz *",
    ]);
    let line_end = prop::sample::select(vec!["\n", "\r\n"]);
    (prop::collection::vec(tag, 0..8), moves, line_end).prop_map(|(tags, moves, line_end)| {
        let lines = ["[Event \"e\"]"].into_iter().chain(tags).chain(["", moves, "", ""]);
        lines.collect::<Vec<_>>().join("\n").replace('\n', line_end)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn simple_games_are_tagged_as_the_obvious_version_does(game in simple_game()) {
        let classifier = Classifier::new(Catalogue::builtin());
        let verdict = classifier.classify(&Game::from_bytes(game.as_bytes())).verdict;
        let opening = verdict.named.as_ref().map(NamedAt::opening);
        let code = opening.and_then(Opening::eco).map(EcoCode::base);
        let wanted = plain::wanted(code, opening.map(Opening::name));
        let expected = plain::set(game.as_bytes(), &wanted);
        prop_assert_eq!(decode(&tag_all(&tagger(TagOptions::default()), game.as_bytes())), decode(&expected));
        let expected = plain::set(game.as_bytes(), &plain::wanted(None, None));
        prop_assert_eq!(decode(&stripped(game.as_bytes())), decode(&expected));
    }

    #[test]
    fn nothing_but_tags_is_changed(words in prop::collection::vec(word(), 0..24), cut in any::<prop::sample::Index>()) {
        let pgn = words.concat().into_bytes();
        // Anywhere, also within a character.
        let pgn = &pgn[..cut.index(pgn.len() + 1)];
        check(pgn)?;
    }

    #[test]
    fn nothing_but_tags_is_changed_in_any_bytes(pgn in prop::collection::vec(any::<u8>(), 0..200)) {
        check(&pgn)?;
    }
}

/// What is taken out is tags, each whole, and blanks. (What remains cannot be asked: a game that
/// has lost its tags may be read as part of another.)
fn check_strip_edits(pgn: &[u8]) -> Result<(), TestCaseError> {
    let (tagger, names) = (tagger(with_policy(Policy::Strip)), TagNames { extended: "" });
    for block in Chunks::new(pgn, BlockOptions::default()).blocks() {
        for game in block.unwrap().games() {
            let mut edits = Edits::default();
            tagger.plan(&game, &mut Section::default(), &mut edits);
            for (span, text) in edits.iter() {
                prop_assert_eq!(text, b"");
                let mut taken = game.bytes().to_vec();
                let tags = game.tags().placed().filter(|p| names.find(p.tag.name).is_some());
                tags.for_each(|p| taken[p.span].fill(b' '));
                prop_assert!(taken[span].iter().all(|b| b.is_ascii_whitespace() || *b == 0x0b));
            }
        }
    }
    Ok(())
}

fn check(pgn: &[u8]) -> Result<(), TestCaseError> {
    let once = tag_all(&tagger(TagOptions::default()), pgn);
    prop_assert_eq!(decode(&residue(&once)), decode(&residue(pgn)), "the rest");
    prop_assert_eq!(
        decode(&tag_all(&tagger(TagOptions::default()), &once)),
        decode(&once),
        "twice"
    );
    check_strip_edits(pgn)?;
    prop_assert_eq!(decode(&stripped(&once)), decode(&stripped(pgn)), "stripped");
    Ok(())
}

#[test]
fn names_with_another_meaning_are_refused() {
    for name in ["", "9", "a b", "A\"", "\u{e9}", "white", "ECO", "ECOSource", "FEN"] {
        assert!(name.parse::<ExtendedTag>().is_err(), "{name:?} was accepted");
    }
    assert_eq!("ScidECO".parse::<ExtendedTag>().unwrap().to_string(), "ScidECO");
}
