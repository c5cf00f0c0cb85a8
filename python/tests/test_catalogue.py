"""Positions and single games."""

import json
import pickle
import subprocess

import pytest

import eco_openings as eco
from conftest import FAMOUS

SICILIAN = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"


@pytest.fixture
def catalogue():
    return eco.Catalogue.builtin()


def test_a_position_has_a_name_or_none(catalogue):
    named = catalogue.name_of(SICILIAN)
    assert (named.eco, named.opening, named.moves) == ("B20", "Sicilian Defense", "1. e4 c5")
    assert (named.family, named.variation, named.master) == ("Sicilian Defense", "", "lichess")
    assert named == catalogue.name_of(named.key) and str(named) == "B20 Sicilian Defense"
    assert catalogue.name_of("4k3/8/8/8/8/8/8/4K3 w - -") is None


@pytest.mark.parametrize(
    "moves",
    [
        "1. g3 f5 2. d4",
        "g3 f5 d4",
        ["g3", "f5", "d4"],
        ["g2g3", "f7f5", "d2d4"],
        iter(["g3", "f5", "d4"]),
        '[Event "?"]\n\n1. g3 f5 2. d4 *',
    ],
)
def test_moves_may_be_written_in_many_ways(catalogue, moves):
    verdict = catalogue.classify_moves(moves)
    assert (verdict.eco, verdict.opening) == ("A81", "Dutch Defense: Fianchetto Attack")
    assert (verdict.ply, verdict.transposed, verdict.error) == (3, True, None)


def test_a_move_that_cannot_be_played_is_in_the_verdict(catalogue):
    verdict = catalogue.classify_moves("1. e4 c5 2. Ke3")
    assert (verdict.eco, verdict.error) == ("B20", "move 2. Ke3: illegal")
    verdict = catalogue.classify_moves("1. e9")
    assert verdict.eco is None and verdict.opening is None and verdict.ply is None
    assert verdict.error == "move 1. e9: not a move"


def test_answers_and_the_built_in_catalogue_are_pickled(catalogue, tmp_path):
    opening, verdict = catalogue.search("najdorf")[0], catalogue.classify_moves("e4 e9")
    for answer in [opening, verdict, catalogue.classify_moves("g3 f5 d4")]:
        again = pickle.loads(pickle.dumps(answer))
        assert again == answer and hash(again) == hash(answer) and repr(again) == repr(answer)
    assert pickle.loads(pickle.dumps(catalogue)).classify_moves("e4 e9") == verdict
    own = tmp_path / "own.tsv"
    own.write_text("eco\tname\tpgn\nA00\tMine\t1. a3 h6\n")
    with pytest.raises(TypeError, match="only the built-in catalogue can be pickled"):
        pickle.dumps(eco.Catalogue.read(own))


def test_an_opening_may_have_no_code(tmp_path):
    own = tmp_path / "own.epd"
    own.write_text(f'{SICILIAN} id "Ours";\n')
    catalogue = eco.Catalogue.read(own)
    named, verdict = catalogue.name_of(SICILIAN), catalogue.classify_moves("e4 c5")
    assert (named.eco, str(named), repr(named)) == (None, "Ours", "Opening(None, 'Ours')")
    assert pickle.loads(pickle.dumps(named)) == named
    assert (verdict.eco, verdict.opening) == (None, "Ours")
    assert catalogue.lookup("e4 c5")["eco"] is None


def test_moves_are_text_or_moves(catalogue):
    verdict = catalogue.classify_moves("e4 e5")
    assert verdict.eco == "C20" and hash(verdict) == hash(catalogue.classify_moves("e4 e5"))
    assert catalogue.classify_moves(b"e4 e5") == verdict
    assert catalogue.classify_moves(bytearray(b"e4 e5")) == verdict
    for wrong in [[1, 2], ["e4", None], [b"e4"], [["e4"]]]:
        with pytest.raises(TypeError, match="expected moves as str or chess.Move, not "):
            catalogue.classify_moves(wrong)
    with pytest.raises(TypeError, match="expected movetext"):
        catalogue.classify_moves(7)


def test_objects_of_python_chess_are_accepted(catalogue):
    chess = pytest.importorskip("chess")
    import chess.pgn
    import chess.variant

    board = chess.Board()
    for san in ["g3", "f5", "d4"]:
        board.push_san(san)
    assert catalogue.classify_moves(board).eco == "A81"
    assert catalogue.name_of(board).eco == "A81"
    assert catalogue.lookup(board)["eco"] == "A81"
    assert eco.key(board) == eco.key(board.fen())
    assert eco.svg(board, mark=[chess.Move.from_uci("d2d4"), chess.E4]) == eco.svg(
        board.fen(), mark=["d2d4", "e4"]
    )
    assert catalogue.classify_moves(board.move_stack).eco == "A81"
    game = chess.pgn.Game.from_board(board)
    assert catalogue.classify_moves(game).eco == "A81"
    assert catalogue.name_of(game).eco == "A81"
    later = chess.Board(SICILIAN)
    later.push_san("Nf3")
    verdict = catalogue.classify_moves(later)
    assert (verdict.eco, verdict.ply) == ("B27", 1)
    assert catalogue.classify_moves(chess.pgn.Game.from_board(later)) == verdict
    chess960 = chess.Board.from_chess960_pos(4)
    assert catalogue.classify_moves(chess960).error.startswith("variant Chess960")
    atomic = chess.variant.AtomicBoard()
    asked = [eco.key, eco.position_hash, catalogue.name_of, catalogue.lookup]
    for ask in asked:
        with pytest.raises(eco.FenError, match="variant Chess960"):
            ask(chess960)
        with pytest.raises(eco.FenError, match="variant atomic"):
            ask(atomic)
    assert eco.svg(chess960) == eco.svg(chess960.fen())
    squares = chess.SquareSet([chess.E4, chess.D5])
    assert eco.svg(board, mark=squares) == eco.svg(board, mark=["e4", "d5"])
    assert eco.svg(board, mark=[(chess.D2, chess.D4)]) == eco.svg(board, mark=["d2d4"])
    with open(FAMOUS) as file:
        game = chess.pgn.read_game(file)
    row = eco.classify(FAMOUS, fields="eco,opening,ply", select={"game": 1}).read_all().rows()[0]
    verdict = catalogue.classify_moves(game)
    assert row == {"eco": verdict.eco, "opening": verdict.opening, "ply": verdict.ply}


def test_openings_are_found_by_code_and_words(catalogue):
    assert str(catalogue.search("kings indian defence")[0]) == "E61 King's Indian Defense"
    assert len(catalogue.search("B9", limit=3)) == 3
    assert len(catalogue.search("B9", limit=0)) == len(catalogue.search("B9")) > 3
    assert catalogue.search("zzz") == []
    with pytest.warns(UserWarning, match="no opening is called 'najdorff'; the nearest: 'Najdorf'"):
        assert catalogue.search("najdorff", limit=1) == catalogue.search("najdorf", limit=1)
    with pytest.raises(eco.ArgumentError, match="limit begins with 0, not -1"):
        catalogue.search("B9", limit=-1)
    with pytest.raises(ValueError, match="neither a code nor a word"):
        catalogue.search("-")


def test_a_lookup_is_what_the_command_line_says(catalogue):
    answer = catalogue.lookup("1. e4 c5")
    assert answer["opening"] == "Sicilian Defense" and answer["trail"][0]["eco"] == "B00"
    assert catalogue.lookup(SICILIAN)["key"] == answer["key"]
    assert catalogue.lookup(["e4", "c5"])["key"] == answer["key"]
    with pytest.raises(eco.MoveError, match="2. Ke3: the white king on e1 cannot go to e3"):
        catalogue.lookup("e4 c5 Ke3")
    with pytest.raises(eco.FenError) as raised:
        catalogue.lookup("8/8/8/8/8/8/8/8 w - -")
    assert isinstance(raised.value, ValueError)


def test_a_fen_that_is_wrong_says_where():
    with pytest.raises(eco.FenError) as raised:
        eco.key("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1")
    assert (raised.value.field, raised.value.column) == (2, 45)
    assert "found 'x', expected w or b" in str(raised.value)
    for wrong in [None, 7, object()]:
        with pytest.raises(TypeError, match="chess.Board"):
            eco.key(wrong)
    for wrong, reason in [
        ("qzxv", "not the code or name of an opening"),
        ("https://lichess.org/abcdefgh", "the address of a game does not hold its moves"),
    ]:
        with pytest.raises(eco.FenError, match=reason):
            eco.key(wrong)
    with pytest.raises(eco.MoveError, match="1... e9"):
        eco.key("e4 e9")
    reading = eco.check("4k3/8/8/8/4P3/8/8/4K3 b K e4 0 1")
    assert [fault["field"] for fault in reading["faults"]] == [3, 4]
    assert eco.check(SICILIAN)["class"] == "ok"


@pytest.mark.parametrize("position", ["najdorf", "B90", "1.e4 c5", "e4,e5", "startpos"])
def test_positions_are_read_as_the_command_line_reads_them(position, catalogue, eco_program):
    def said(*words):
        return subprocess.check_output([eco_program, *words], text=True, stderr=subprocess.DEVNULL)

    key = said("fen", "key", position).strip()
    assert eco.key(position) == key == eco.key(key)
    named = said("lookup", key, "--format", "jsonl")
    opening = catalogue.name_of(position)
    assert json.loads(named)["opening"] == (opening and opening.opening)
    assert eco.check(position)["class"] == "ok"
    assert eco.svg(position) == said("fen", "show", position, "-o", "-")
    assert eco.table(position) == json.loads(said("fen", "check", position, "--format", "json"))
    move = "h6" if " b " in key else "h3"
    moved = json.loads(said("fen", "move", position, move, "--format", "jsonl"))
    assert eco.move(position, [move])["fen"] == moved["fen"]


@pytest.mark.parametrize(
    ("position", "moves", "options"),
    [
        ("startpos", "1. e4 c5 2. Nf3", {}),
        ("startpos", "e4 d5 ed Dd5: Sc3", {"lang": "de"}),
        ("startpos", "e2e4 g8f6 e4e5 d7d5", {"ep": "legal"}),
        ("startpos", "e4", {"ep": "pseudo-legal"}),
        ("startpos", "f3 e5 g4 Qh4#", {}),
        ("startpos", "", {}),
        ("4k3/P7/8/8/8/8/8/4K2R w K - 7 31", "O-O Kd7 a8Q", {}),
        ("4k3/8/8/8/8/8/8/4K2R", "Rh8+", {}),
    ],
)
def test_moves_are_played_as_the_command_line_plays_them(position, moves, options, eco_program):
    flags = [word for name, value in options.items() for word in (f"--{name}", value)]
    given = [eco_program, "fen", "move", position, *moves.split(), "--format", "jsonl", *flags]

    def said(*more):
        done = subprocess.run([*given, *more], capture_output=True, text=True, check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    assert [eco.move(position, moves, **options)] == said()
    assert eco.move(position, moves, ply="all", **options) == said("--ply", "all")
    assert eco.move(position, moves, ply=0, **options) == said("--ply", "0")[0]
    assert eco.move(position, moves.encode(), **options) == said()[0]
    assert eco.move(position, moves.replace("1. ", "").replace("2. ", "").split(), **options) == (
        said()[0]
    )
    table = subprocess.check_output([eco_program, "fen", "check", "-f", "json", position.replace(
        "startpos", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")], text=True)
    assert eco.table(position) == json.loads(table)


def test_moves_that_cannot_be_played_say_why():
    with pytest.raises(eco.MoveError, match="column 14, move 3. Bb1: the white knight") as raised:
        eco.move("startpos", "e4 e5 Bd3 d6 Bb1")
    assert raised.value.move == "3. Bb1"
    for position in ["8/8/8/8/8/8/8/8 w - -", "4k3/8/8/8/8/8/8/4K1RR w G - 0 1", "none"]:
        with pytest.raises(eco.FenError):
            eco.move(position, "e4")
    with pytest.raises(eco.FieldError, match="did you mean legal"):
        eco.move("startpos", "e4", ep="leagl")
    with pytest.raises(eco.FieldError, match="ply is one of all, not"):
        eco.move("startpos", "e4", ply="last")
    with pytest.raises(eco.ArgumentError, match="the moves end before ply 2"):
        eco.move("startpos", "e4", ply=2)
    with pytest.raises(eco.FieldError, match="no language"):
        eco.move("startpos", "e4", lang="xx")
    with pytest.raises(TypeError, match="expected movetext"):
        eco.move("startpos", 7)
    with pytest.raises(eco.FenError):
        eco.table("4k3/9/8/8/8/8/8/4K2R w K - 0 1")


def test_moves_and_tables_take_objects_of_python_chess():
    chess = pytest.importorskip("chess", reason="SKIPPED: python-chess is not there")
    board = chess.Board()
    for san in ["e4", "c5", "Nf3"]:
        board.push_san(san)
    assert eco.move("startpos", board)["fen"] == board.fen()
    assert eco.move(board, [chess.Move.from_uci("d7d6")])["san"] == "d6"
    assert eco.table(board)["placement"] == board.board_fen()
    with pytest.raises(eco.FenError, match="variant Chess960"):
        eco.move(chess.Board(chess960=True), "e4")


def test_a_picture_is_shown_by_notebooks():
    picture = eco.svg("startpos", side="black", theme="night", width=400, title="start")
    assert picture._repr_svg_().startswith("<svg ") and type(picture._repr_svg_()) is str
    assert picture != eco.svg("startpos")
    with pytest.raises(eco.FieldError, match="did you mean green") as raised:
        eco.svg("startpos", theme="gren")
    assert raised.value.suggestions[0] == "green"
    with pytest.raises(ValueError, match="z9.*an arrow such as e2e4"):
        eco.svg("startpos", mark=["z9"])
    with pytest.raises(ValueError, match="e2e4"):
        eco.svg("startpos", circle=["e2e4"])


@pytest.mark.parametrize(
    ("options", "flags"),
    [
        ({}, []),
        ({"side": "mover", "show": "none"}, ["--side", "mover", "--show", "none"]),
        ({"show": ["check", "mover"], "width": 400}, ["--show", "check,mover", "--width", "400"]),
        ({"mark": ["e4", "d5=#cc3333", "g1f3"], "circle": ["e5"], "title": "Plan"},
         ["--mark", "e4,d5=#cc3333,g1f3", "--circle", "e5", "--title", "Plan"]),
        ({"theme": "grey", "side": "black"}, ["--theme", "grey", "--side", "black"]),
    ],
)
def test_pictures_are_those_of_the_command_line(options, flags, eco_program):
    fen = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3"
    drawn = subprocess.check_output([eco_program, "fen", "show", fen, "-o", "-", *flags], text=True)
    assert eco.svg(fen, **options) == drawn
    with pytest.raises(eco.FieldError, match="did you mean mover"):
        eco.svg(fen, show="movers")
    with pytest.raises(eco.ArgumentError, match="width is 32 to 4000, not 31"):
        eco.svg(fen, width=31)


def test_catalogues_are_read_from_files(tmp_path, catalogue):
    own = tmp_path / "own.tsv"
    own.write_text("eco\tname\tpgn\nA00\tMine: First\t1. a3 h6\n")
    mine = eco.Catalogue.read(own)
    assert len(mine) == 1 and mine.classify_moves("a3 h6").opening == "Mine: First"
    assert mine.search("first")[0].master == "own"
    assert eco.classify(b"1. a3 h6 *", fields="opening", catalogue=mine).read_all().rows() == [
        {"opening": "Mine: First"}
    ]
    bad = tmp_path / "bad.tsv"
    bad.write_text("eco\tname\tpgn\nA00\tMine\t1. a3 h6\nA00\tBad\t1. e9\nZ\tWorse\t1. e4\n")
    with pytest.raises(eco.CatalogueError, match="line 3") as raised:
        eco.Catalogue.read([own, bad])
    error = raised.value
    assert (error.file, error.line, error.move) == (str(bad), 3, "1. e9") and len(error.faults) == 2
    assert len(eco.Catalogue.read(bad, lenient=True)) == 1
    with pytest.raises(FileNotFoundError) as raised:
        eco.Catalogue.read(tmp_path / "none.tsv")
    assert raised.value.filename == str(tmp_path / "none.tsv")


def test_databases_that_are_none_are_refused(tmp_path):
    other = tmp_path / "other.db"
    other.write_text("hello")
    with pytest.raises(eco.DatabaseError, match="not a position database") as raised:
        eco.Catalogue.open(other)
    assert raised.value.file == str(other)
    with pytest.raises(FileNotFoundError) as raised:
        eco.classify(b"1. e4 *", catalogue=tmp_path / "none.db")
    assert raised.value.filename == str(tmp_path / "none.db")
    with pytest.raises(eco.CatalogueError):
        eco.classify(b"1. e4 *", catalogue=other)
    with pytest.raises(eco.DatabaseError):
        eco.Explorer(other)
