#!/usr/bin/env python3
"""Asks `eco serve` with berserk, the client of lichess in Python, and compares with a recount.

    tests/python/berserk_against_serve.py target/release/eco [games.pgn] [--positions 60] [--seed 1]

It makes a virtual environment, installs berserk and python-chess there, and asks all five methods of
berserk's opening explorer. python-chess counts the same games once more. It also runs the examples in
Python of docs/serve.md. Without a network it says SKIPPED and ends with 0.
"""

import argparse
import collections
import io
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import venv

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
# Positions are found up to this ply, unless a collection says otherwise.
MAX_PLY = 50
PACKAGES = ["berserk==0.14.*", "chess==1.*"]


def in_environment():
    """Runs this script once more, in an environment that has the packages."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        python = pathlib.Path(folder, "bin", "python")
        install = [python, "-m", "pip", "--quiet", "--disable-pip-version-check", "install", *PACKAGES]
        if subprocess.run(install).returncode != 0:
            print(f"SKIPPED: {' and '.join(PACKAGES)} cannot be installed", flush=True)
            return 0
        return subprocess.run([python, __file__, "--installed", *sys.argv[1:]]).returncode


class Counted:
    """What was played in a position."""

    def __init__(self):
        self.moves = collections.defaultdict(lambda: collections.Counter())
        self.ratings = collections.defaultdict(list)
        self.opponents = collections.defaultdict(list)

    def total(self):
        return sum(self.moves.values(), collections.Counter())


def identity(game):
    """What makes two games the same one: a collection has it once."""
    names = ["White", "Black", "Date", "UTCTime", "Site", "Round", "Result", "FEN"]
    return *(game.headers.get(name, "") for name in names), *(move.uci() for move in game.mainline_moves())


def recount(games, wanted=lambda game: True):
    """Counts each game once in a position: its last visit decides the move."""
    import chess

    positions = collections.defaultdict(Counted)
    for game in games:
        result = {"1-0": "white", "0-1": "black", "1/2-1/2": "draws"}.get(game.headers["Result"])
        if result is None or "FEN" in game.headers or not wanted(game):
            continue
        board, visits = game.board(), {}
        for move in game.mainline_moves():
            if board.ply() < MAX_PLY:
                visits[board.epd()] = (board.turn, king_to_rook(board, move))
            board.push(move)
        visits.pop(board.epd(), None)
        for key, (turn, uci) in visits.items():
            counted = positions[key]
            counted.moves[uci][result] += 1
            names = ["WhiteElo", "BlackElo"] if turn == chess.WHITE else ["BlackElo", "WhiteElo"]
            for ratings, name in zip([counted.ratings, counted.opponents], names):
                rating = game.headers.get(name, "")
                if rating.isdigit() and 0 < int(rating) <= 4000:
                    ratings[uci].append(int(rating))
    return positions


def king_to_rook(board, move):
    """A move as lichess writes it: castling is the king taking its rook."""
    if board.is_castling(move):
        rook = {"g": "h", "c": "a"}[move.uci()[2]]
        return move.uci()[:2] + rook + move.uci()[3]
    return move.uci()


def mean(values):
    return (2 * sum(values) + len(values)) // (2 * len(values)) if values else 0


def compare(name, found, counted, of_player):
    """The answer has what was counted."""
    total = counted.total()
    score = {key: found[key] for key in ["white", "draws", "black"]}
    assert score == {key: total[key] for key in score}, (name, score, total)
    moves = {}
    for move in found["moves"]:
        moves[move["uci"]] = collections.Counter({key: move[key] for key in score})
        rating = "averageOpponentRating" if of_player else "averageRating"
        expected = (counted.opponents if of_player else counted.ratings)[move["uci"]]
        assert move[rating] == mean(expected), (name, move, expected)
        games = sum(moves[move["uci"]].values())
        assert (move["game"] is not None) == (games == 1), (name, move)
        assert "opening" in move and list(move)[:2] == ["uci", "san"], (name, move)
    expected = {uci: collections.Counter(count) for uci, count in counted.moves.items()}
    assert moves == expected, (name, moves, expected)
    sizes = [sum(count.values()) for count in moves.values()]
    assert sizes == sorted(sizes, reverse=True), (name, sizes)


def check(url, games, positions, rng):
    import berserk
    import chess
    import chess.pgn

    explorer = berserk.Client(explorer_url=url).opening_explorer
    everybody = recount(games)
    asked = 0
    for key in [chess.STARTING_FEN.rsplit(" ", 2)[0], *rng.sample(sorted(everybody), positions)]:
        fen = f"{key} 0 1"
        for method in [explorer.get_masters_games, explorer.get_lichess_games]:
            compare((method.__name__, key), method(position=fen, moves=100), everybody[key], False)
            asked += 1
    players = collections.Counter(name for game in games for name in [game.headers["White"], game.headers["Black"]])
    for player, _ in players.most_common(6):
        for color in ["white", "black"]:
            own = recount(games, lambda game: game.headers[color.title()] == player)
            for key in rng.sample(sorted(own), min(10, len(own))):
                fen = f"{key} 0 1"
                found = explorer.get_player_games(player.upper(), color, position=fen)
                compare((player, color, key), found, own[key], True)
                lines = list(explorer.stream_player_games(player, color, position=fen))
                assert lines == [found], (player, color, key)
                asked += 2
    by_moves = explorer.get_lichess_games(play=["e2e4", "e7e5"], history=True, variant="standard")
    assert by_moves["opening"]["name"] == "King's Pawn Game" and "history" in by_moves
    seen = 0
    for game in explorer.get_masters_games(top_games=15)["topGames"]:
        text = explorer.get_otb_master_game(game["id"])
        read = chess.pgn.read_game(io.StringIO(text))
        assert read.headers["White"] == game["white"]["name"], text
        assert text.endswith("\n") and not read.errors, text
        seen += 1
    assert seen > 0
    return asked + seen + 1


def run_examples(url):
    """Runs the examples in Python of the page about `eco serve`."""
    page = (REPOSITORY / "docs" / "serve.md").read_text()
    examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    for example in examples:
        code = re.sub(r"http://(localhost|127\.0\.0\.1):9002", url, example)
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
    assert len(examples) >= 2, "docs/serve.md has examples in Python"
    return len(examples)


def main():
    import chess.pgn

    parser = argparse.ArgumentParser()
    parser.add_argument("--installed", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("eco")
    parser.add_argument("games", nargs="?", default=REPOSITORY / "data" / "games" / "club.pgn")
    parser.add_argument("--positions", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with open(args.games) as file:
        games = list(iter(lambda: chess.pgn.read_game(file), None))
    games = list({identity(game): game for game in reversed(games)}.values())[::-1]
    command = [args.eco, "serve", args.games, "--port", "0"]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        lines = iter(server.stderr.readline, "")
        found = next(filter(None, (re.search(r"http://[^/ ]+", line) for line in lines)), None)
        assert found, "eco serve has not started"
        url = found.group(0).replace("localhost", "127.0.0.1")
        asked = check(url, games, args.positions, random.Random(args.seed))
        examples = run_examples(url)
        print(f"berserk: {asked} answers for {len(games)} games equal the recount; {examples} examples run")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    if "--installed" in sys.argv:
        main()
    else:
        sys.exit(in_environment())
