#!/usr/bin/env python3
"""Compares what `eco repertoire` keeps of studies with python-chess.

    pip install chess
    tests/python/studies_against_python_chess.py target/release/eco games.pgn [--count 200] [--seed 1]

Each study is made of some real games: chapters with variations, comments of several lines, glyphs,
arrows, threats by null moves, and chapters that begin in another position. It is added, exported, and
added again. What must hold: python-chess sees the same chapters, tags, moves, first choices, comments and
glyphs in the export as in the study, position by position; threats are there as text; and what the
export makes is the same again, as PGN and as JSON.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

try:
    import chess
    import chess.pgn
except ImportError:
    sys.exit("studies_against_python_chess.py: python-chess is missing; `pip install chess`")

COMMENTS = [
    "good", "two\nlines", "a paragraph\n\n  and an indented one", "Grünfeld – ∞", "[%cal Gc2c4,Rd4d5] [%csl Ye4]",
    "an arrow [%cal Ba1h8]\nand words", "(in brackets) 1. e4 * $1", "[%eval 0.3]", "a ; b", "very " * 60 + "long",
    "[%eco end]", "; no comment", "% no escape", "first\n; second", "1-0",
]
GLYPHS = [1, 2, 3, 4, 5, 6, 10, 13, 14, 16, 22, 40, 132, 146]
POINTER = "[%eco transposes"


def remark(rng, node):
    """Says something of a move."""
    if rng.random() < 0.25:
        node.comment = rng.choice(COMMENTS)
    if rng.random() < 0.15:
        node.nags = set(rng.sample(GLYPHS, rng.choice([1, 1, 2])))


def add_line(rng, game, moves, limit):
    """Adds the moves of a game as a variation where they leave the others."""
    node = game
    for move in moves[:limit]:
        known = next((child for child in node.variations if child.move == move), None)
        if known is None:
            known = node.add_variation(move)
            remark(rng, known)
        node = known


def add_threat(rng, game):
    """Adds a line that begins with a null move, in place of a move of the game."""
    nodes = [node for node in game.mainline() if not node.board().is_check() and not node.parent.board().is_check()]
    if not nodes:
        return
    parent = rng.choice(nodes).parent
    if any(not child.move for child in parent.variations):
        return
    threat = parent.add_variation(chess.Move.null())
    moves = list(threat.board().legal_moves)
    if moves:
        threat.add_variation(rng.choice(moves), comment="the threat")


def chapter(rng, games, number):
    """A chapter from some games that begin alike."""
    limit = rng.randrange(8, 36)
    start = chess.Board()
    lines = [list(game.mainline_moves()) for game in games]
    if rng.random() < 0.2:
        cut = rng.randrange(1, 8)
        lines = [line[cut:] for line in lines if line[:cut] == lines[0][:cut]]
        for move in list(games[0].mainline_moves())[:cut]:
            start.push(move)
        start = chess.Board(start.fen(en_passant="legal"))
    game = chess.pgn.Game()
    game.setup(start)
    game.headers["StudyName"] = "A study"
    game.headers["ChapterName"] = f"Chapter {number}"
    game.headers["Event"] = f"A study: Chapter {number}"
    game.headers["Annotator"] = "https://lichess.org/@/a"
    game.headers["Result"] = rng.choice(["*", "1-0", "1/2-1/2"])
    if rng.random() < 0.3:
        game.comment = rng.choice(COMMENTS)
    for line in lines:
        add_line(rng, game, line, limit)
    if rng.random() < 0.5:
        add_threat(rng, game)
    return game


def study(rng, games):
    """Some chapters, each from games that share their first moves."""
    chapters = []
    for number in range(rng.randrange(1, 5)):
        seed = rng.choice(games)
        prefix = [str(move) for move in seed.mainline_moves()][: rng.randrange(2, 7)]
        alike = [g for g in games if [str(m) for m in g.mainline_moves()][: len(prefix)] == prefix]
        chapters.append(chapter(rng, [seed] + rng.sample(alike, min(len(alike), rng.randrange(1, 7))), number + 1))
    return chapters


def said(comment):
    """The comments of a node without what eco adds for readers."""
    return "" if comment.startswith(POINTER) else comment.split(" " + POINTER)[0]


def add_once(texts, text):
    if text and text not in texts:
        texts.append(text)


def contents(game):
    """What a chapter has, by position: comments on the start, and the moves in order with what is said of them."""
    found = {}
    threats = []
    stack = [game]
    main = {}
    # The main line comes first, wherever it comes back to.
    nodes = list(game.mainline())
    for node in nodes:
        main.setdefault(node.parent.board().epd(en_passant="legal"), node.move.uci() if node.move else None)
    while stack:
        node = stack.pop()
        board = node.board()
        if node.is_end() and node is game and not node.comment:
            continue
        moves = found.setdefault(board.epd(en_passant="legal"), {})
        for child in node.variations:
            if not child.move:
                threats.append((board.epd(en_passant="legal"), [n.uci() for n in [child.move]]))
                continue
            glyphs, texts = moves.setdefault(child.move.uci(), (set(), []))
            glyphs.update(child.nags)
            for text in (child.starting_comment, child.comment):
                add_once(texts, said(text))
        stack.extend(child for child in node.variations if child.move)
    moves = {
        key: {uci: (sorted(glyphs), sorted(texts)) for uci, (glyphs, texts) in moves.items()}
        for key, moves in found.items() if moves
    }
    return game.comment, moves, main


def words_of_threats(game):
    """The moves of each line with a null move."""
    found = []
    for node in game.mainline():
        for child in node.parent.variations:
            if not child.move:
                found.append([child.variations[0].san()] if child.variations else [])
    return found


def without_threat(text):
    """Comments without the text of a line with a null move, which is the last of them, and that text."""
    begin = re.search(r"\s?\(\d+\.(\.\.)? --", text)
    return (text[: begin.start()], text[begin.start() :]) if begin else (text, "")


def compare(before, after):
    """Where an exported chapter differs from the one that was added."""
    (start, moves, main), (start_after, moves_after, main_after) = contents(before), contents(after)
    threats = ""
    cleaned = {}
    for key, of_key in moves_after.items():
        for uci, (glyphs, texts) in of_key.items():
            kept = []
            for text in texts:
                text, threat = without_threat(text)
                threats += threat
                add_once(kept, text)
            cleaned.setdefault(key, {})[uci] = (glyphs, sorted(kept))
    for words in words_of_threats(before):
        if "--" not in threats or not all(word in threats for word in words):
            return f"a line with a null move is lost: {words} in {threats!r}"
    # What several lines say of one move of one position stands there together.
    joined = lambda of_key: {u: (g, sorted(" ".join(t).split())) for u, (g, t) in of_key.items()}
    tags = {name: value for name, value in after.headers.items() if name != "Orientation"}
    if tags != dict(before.headers):
        return f"tags: {dict(before.headers)}, {tags}"
    if start != start_after:
        return f"before the first move: {start!r}, {start_after!r}"
    if set(moves) != set(cleaned):
        return f"positions: {set(moves) ^ set(cleaned)}"
    for key in moves:
        if joined(moves[key]) != joined(cleaned[key]):
            return f"{key}: {moves[key]}, {cleaned[key]}"
        single = all(len(t) < 2 for _, t in moves[key].values())
        if single and moves[key] != cleaned[key]:
            return f"{key}: {moves[key]}, {cleaned[key]}"
        if key in main and main_after.get(key, main[key]) != main[key]:
            return f"{key}: first {main[key]}, {main_after[key]}"
    return None


def pgn_of(chapters):
    exporter = lambda: chess.pgn.StringExporter(columns=None)
    return "\n\n".join(game.accept(exporter()) for game in chapters) + "\n"


def read_pgn(path):
    with open(path, encoding="utf-8") as file:
        games = []
        while (game := chess.pgn.read_game(file)) is not None:
            assert not game.errors, game.errors
            games.append(game)
        return games


def check(eco, folder, chapters):
    """What is wrong with the way of a study through a repertoire and back."""
    path = lambda name: os.path.join(folder, name)
    run = lambda *args: subprocess.run([eco, "repertoire", *args], check=True, capture_output=True, text=True)
    for name in os.listdir(folder):
        os.remove(path(name))
    with open(path("study.pgn"), "w", encoding="utf-8") as file:
        file.write(pgn_of(chapters))

    def way(name, source, *read):
        db = ["--db", path(f"{name}.db")]
        run("add", "r", *db, "--color", "white", path(source), *read, "-q")
        run("export", "r", *db, "--format", "pgn", "-o", path(f"{name}.pgn"))
        run("export", "r", *db, "--format", "json", "-o", path(f"{name}.json"))
        return [open(path(f"{name}.{kind}"), encoding="utf-8").read() for kind in ("pgn", "json")]

    pgn, document = way("once", "study.pgn")
    if way("again", "once.pgn") != [pgn, document]:
        return "the export, added, is exported otherwise"
    if json.loads(way("json", "once.json", "--format", "json")[1]) != json.loads(document):
        return "JSON, added, is exported otherwise"
    exported = read_pgn(path("once.pgn"))
    before = read_pgn(path("study.pgn"))
    names = [[game.headers["ChapterName"] for game in games] for games in (before, exported)]
    if names[0] != names[1]:
        return f"chapters {names}"
    for one, other in zip(before, exported):
        wrong = compare(one, other)
        if wrong:
            return f"{one.headers['ChapterName']}: {wrong}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("eco")
    parser.add_argument("games")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    games = []
    with open(args.games, encoding="utf-8", errors="replace") as file:
        while len(games) < 600 and (game := chess.pgn.read_game(file)) is not None:
            moves = list(game.mainline_moves())
            if "FEN" not in game.headers and len(moves) > 20:
                games.append(game)
    moves = comments = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(args.count):
            chapters = study(rng, games)
            wrong = check(args.eco, folder, chapters)
            if wrong:
                print(pgn_of(chapters))
                sys.exit(f"study {number + 1}: {wrong}")
            found = [contents(game)[1] for game in chapters]
            of_moves = [says for chapter in found for of_key in chapter.values() for says in of_key.values()]
            moves += len(of_moves)
            comments += sum(len(texts) for _, texts in of_moves)
    print(f"{args.count} studies, {moves} moves, {comments} comments: the same in python-chess")


if __name__ == "__main__":
    main()
