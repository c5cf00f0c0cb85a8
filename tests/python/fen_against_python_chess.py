#!/usr/bin/env python3
"""Compares `eco fen check` and `eco fen move` with python-chess on mutated FENs and moves.

    pip install chess
    tests/python/fen_against_python_chess.py target/release/eco [--count 20000] [--seed 1]

Half of the cases are FENs, half are lines of moves. Where the two disagree, the case falls into a
class that says why; a case without a class is printed, and the exit code is 1. Of moves, no word may
be dropped in silence: a line that is played has as many moves as words that are not asides.
"""

import argparse
import collections
import json
import random
import subprocess
import sys
import tempfile

try:
    import chess
except ImportError:
    sys.exit("fen_against_python_chess.py: python-chess is missing; `pip install chess`")

FIGURINES = dict(zip("KQRBNP", "♔♕♖♗♘♙"))
JUNK = ["日本", "§", "&", "@@", "foo", "--", "Z0", ")", "♘", "К", "О-О", "e9", "Nf9", "00", "]", "N", "x"]
ASIDES = ["!", "?!", "$14", "{日本}", "(e4 日)", "+-", "⩲", "±", "12.", "...", ","]


POOL = []


def position(rng):
    """Returns a position of some games with random moves, which are played once."""
    while len(POOL) < 1500:
        board = chess.Board()
        for _ in range(60):
            POOL.append(board.fen(en_passant="fen"))
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
    return chess.Board(rng.choice(POOL))


def mutated(rng, text, letters):
    text = list(text)
    for _ in range(rng.choice([0, 1, 1, 1, 2, 3])):
        at = rng.randrange(len(text) + 1)
        match rng.randrange(4):
            case 0:
                text.insert(at, rng.choice(letters))
            case 1 if at < len(text):
                del text[at]
            case 2 if at < len(text):
                text[at] = rng.choice(letters)
            case _ if at + 1 < len(text):
                text[at], text[at + 1] = text[at + 1], text[at]
    return "".join(text).replace("\n", " ").replace("#", " ")


def run(eco, *args, lines):
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as file:
        file.write("".join(line + "\n" for line in lines))
        file.flush()
        command = [eco, "fen", *args, "--format", "jsonl", "--file", file.name]
        done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if done.returncode not in (0, 1, 3, 4, 5):
        sys.exit(f"{command}: exit code {done.returncode}\n{done.stderr[:2000]}")
    return {row["line"]: row for row in map(json.loads, done.stdout.splitlines())}


def by_python(text):
    """Returns the position that python-chess reads, or why there is none."""
    try:
        board = chess.Board(text)
    except ValueError as error:
        return None, str(error)
    status = board.status()
    return board, None if status == chess.STATUS_VALID else str(status)


def class_of_fen(text, row, board, why):
    """Why the two disagree about a FEN; None if they agree, "?" if nobody knows."""
    eco_class, kinds = row["class"], {fault["kind"] for fault in row["faults"]}
    fields = text.split()
    if board is None:
        if eco_class == "syntax":
            return None
        if row["forgiven"]:
            return "eco forgives: " + ", ".join(row["forgiven"])
        if kinds & {"move-number-zero", "move-number-large"}:
            return "eco: a move number that python-chess does not read"
        return "?"
    if eco_class == "syntax":
        if kinds == {"missing-field"} or len(fields) < 4 or "missing-field" in kinds:
            return "python-chess completes missing fields"
        if kinds & {"counter-text", "trailing", "en-passant-text", "castling-letter", "side-letter"}:
            return "python-chess reads a field that FEN does not have: " + ", ".join(sorted(kinds))
        return "?"
    if eco_class in ("ok", "odd"):
        if why is None:
            expected = board.fen(en_passant="fen").split()
            # Zeros and the order of castling letters are no difference.
            same = row["fen"].split()[:4] == expected[:4]
            return None if same else "?"
        if "INVALID_EP_SQUARE" in why:
            return "python-chess wants the clock or the check to fit the en passant square"
        if "CHECK" in why:
            return "python-chess rules out a check that one move can give"
        return "?"
    # Impossible by eco.
    if why is not None:
        return None
    if "too-many-promoted" in kinds:
        return "eco: more promoted pieces than missing pawns"
    if "impossible-check" in kinds:
        return "eco: a check that no move gives"
    if kinds == {"castling-not-at-home"} and not board.castling_rights:
        return "python-chess drops a castling right for which there is no rook"
    return "?"


def words_of(moves):
    """The words that are no asides, with a piece apart from its square as one."""
    depth, words, in_comment = 0, [], False
    for word in moves.replace("{", " { ").replace("}", " } ").replace("(", " ( ").replace(")", " ) ").split():
        if in_comment:
            in_comment = word != "}"
        elif word == "{":
            in_comment = True
        elif word == "(":
            depth += 1
        elif word == ")" and depth:
            depth -= 1
        elif depth or word in ("!", "?!", "$14", "+-", "⩲", "±", "12.", "...", ","):
            pass
        elif word.isdigit() and not word.startswith("00"):
            pass  # the number of a move
        elif words and words[-1] in (*FIGURINES.values(), "N", "D") and word[0] in "abcdefghx":
            words[-1] += word
        else:
            words.append(word)
    # After a move and before no square, it is the sign of a novelty.
    return words[:1] + [word for word in words[1:] if word not in ("N", "D")]


def in_letters(word):
    for letter, figurine in FIGURINES.items():
        word = word.replace(figurine, letter)
    return word.rstrip("!?").replace("О", "O").replace("0-0-0", "O-O-O").replace("0-0", "O-O")


def line_of_moves(rng):
    board = position(rng)
    start, words = board.fen(), []
    for _ in range(rng.randrange(1, 6)):
        moves = list(board.legal_moves)
        if not moves:
            break
        move = rng.choice(moves)
        words.append(board.san(move))
        board.push(move)
    if not words:
        return line_of_moves(rng)
    at = rng.randrange(len(words))
    match rng.randrange(8):
        case 0:
            words.insert(at, rng.choice(JUNK))
        case 1:
            words.insert(at, rng.choice(ASIDES))
        case 2:
            words[at] = mutated(rng, words[at], "abcdefgh12345678NBRQKx+-=О♘")
        case 3 if words[at][0] in FIGURINES:
            words[at] = FIGURINES[words[at][0]] + rng.choice(["", " "]) + words[at][1:]
        case 4 if words[at][0] in "NBRQK":
            words[at] = words[at][0] + " " + words[at][1:]
        case 5:
            words[at] = words[at].replace("O", "О").replace("-", rng.choice("-–—"))
        case 6:
            words = [word.replace("O", "0") for word in words]
    return start, " ".join(words)


def class_of_moves(start, moves, row):
    """As class_of_fen, for a line of moves."""
    board, words = chess.Board(start), words_of(moves)
    refused = None
    for word in words:
        try:
            board.push_san(in_letters(word))
        except ValueError:
            refused = word
            break
    if row["error"] is None:
        if row["ply"] != len(words):
            return "?"
        if refused is None:
            same = board.fen(en_passant="fen") == row["fen"]
            return None if same else "?"
        return "eco reads a form that python-chess does not"
    if refused is not None:
        return None if "column " in row["error"] else "?"
    if "stands apart" in row["error"]:
        return "eco asks whether a letter is a piece or a sign"
    if any(word.strip("!?") in ("--", "Z0") for word in words):
        return "python-chess plays null moves"
    return "?"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("eco")
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    classes, unexplained = collections.Counter(), []

    letters = "pnbrqkPNBRQK12345678/ -abcdefghw09_–"
    fens = [mutated(rng, position(rng).fen(en_passant="fen"), letters) for _ in range(args.count // 2)]
    fens = [fen for fen in fens if fen.strip() and "_" not in fen.split()[0]]
    rows = run(args.eco, "check", lines=fens)
    for number, text in enumerate(fens, 1):
        found = class_of_fen(text, rows[number], *by_python(text))
        classes["FEN: " + (found or "agreed")] += 1
        if found == "?":
            unexplained.append((text, rows[number], by_python(text)[1]))

    lines = [line_of_moves(rng) for _ in range(args.count - args.count // 2)]
    rows = run(args.eco, "move", lines=[f"{start} {moves}" for start, moves in lines])
    for number, (start, moves) in enumerate(lines, 1):
        found = class_of_moves(start, moves, rows[number])
        classes["moves: " + (found or "agreed")] += 1
        if found == "?":
            unexplained.append((start, moves, rows[number]))

    for name, count in sorted(classes.items()):
        print(f"{count:6}  {name}")
    for case in unexplained[:20]:
        print("unexplained:", *case, sep="\n  ")
    sys.exit(1 if unexplained else 0)


if __name__ == "__main__":
    main()
