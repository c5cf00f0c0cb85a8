/**
 * A line: a position to start from, and legal moves.
 *
 * The rules are those of chessops, in the page, so that the board never waits for the server.
 */

import { Chess, IllegalSetup, normalizeMove } from 'chessops/chess';
import { INITIAL_FEN, makeFen, parseFen } from 'chessops/fen';
import { makeSan, parseSan } from 'chessops/san';
import type { Move, NormalMove } from 'chessops/types';
import { kingCastlesTo, makeUci, parseUci } from 'chessops/util';
import { spoken } from './words';

export { INITIAL_FEN };

/** A move of a line, and the position after it. */
export interface Step {
  readonly uci: string;
  readonly san: string;
  /** The number of the move, and who made it. */
  readonly number: number;
  readonly turn: 'white' | 'black';
  readonly position: Chess;
}

/** Why chessops takes no position. */
const FAULTS: Record<string, string> = {
  [IllegalSetup.Empty]: 'the board is empty',
  [IllegalSetup.OppositeCheck]: 'the side that is not to move is in check',
  [IllegalSetup.PawnsOnBackrank]: 'a pawn stands on the first or last rank',
  [IllegalSetup.Kings]: 'each side must have one king',
};

export class Line {
  private constructor(
    readonly start: Chess,
    readonly steps: readonly Step[],
  ) {}

  static readonly initial = new Line(Chess.default(), []);

  /** The line without moves from a FEN; throws an error with the reason if it is none. */
  static from(fen: string): Line {
    if (fen === '') return Line.initial;
    const chess = parseFen(fen).chain((setup) => Chess.fromSetup(setup));
    return new Line(chess.unwrap((start) => start, (error) => { throw new Error(FAULTS[error.message] ?? 'this is no FEN'); }), []);
  }

  /** The line with these moves; an error names the first that is illegal. */
  static of(fen: string, moves: readonly string[]): Line {
    const line = Line.from(fen);
    const steps: Step[] = [];
    let position = line.start;
    for (const uci of moves) {
      const move = parseUci(uci);
      if (!move || !position.isLegal(move)) throw new Error(`the move ${uci} cannot be played after ${steps.length} half-moves`);
      const step = stepOf(position, move);
      steps.push(step);
      position = step.position;
    }
    return new Line(line.start, steps);
  }

  get startFen(): string {
    return makeFen(this.start.toSetup());
  }

  get isFromInitial(): boolean {
    return this.startFen === INITIAL_FEN;
  }

  /** The position after this number of moves. */
  at(ply: number): Chess {
    return ply === 0 ? this.start : this.steps[ply - 1]!.position;
  }

  fen(ply: number): string {
    return makeFen(this.at(ply).toSetup());
  }

  /** The moves in UCI notation. */
  ucis(ply = this.steps.length): string[] {
    return this.steps.slice(0, ply).map((step) => step.uci);
  }

  /** The line that has this move at `ply`: itself, if it goes on so. */
  play(move: Move, ply: number): Line {
    const step = stepOf(this.at(ply), move);
    if (this.steps[ply]?.uci === step.uci) return this;
    return new Line(this.start, [...this.steps.slice(0, ply), step]);
  }

  /** The line with all these moves at `ply`. */
  playAll(ucis: readonly string[], ply: number): Line {
    return ucis.reduce<Line>((line, uci, index) => line.play(parseUci(uci)!, ply + index), this);
  }

  /** The last ply at which a position occurs, best before `uci`; -1 if it does not. */
  find(fen: string, uci?: string): number {
    const key = keyOf(fen);
    const plies = [...Array(this.steps.length + 1).keys()].filter((ply) => keyOf(this.fen(ply)) === key);
    return plies.findLast((ply) => this.steps[ply]?.uci === uci) ?? plies.at(-1) ?? -1;
  }
}

/** The fields of a FEN that make the position. */
export function keyOf(fen: string): string {
  return fen.split(' ').slice(0, 4).join(' ');
}

function stepOf(before: Chess, move: Move): Step {
  const uci = uciOf(before, move);
  const san = makeSan(before, move);
  const position = before.clone();
  position.play(move);
  return { uci, san, number: before.fullmoves, turn: before.turn, position };
}

/** The move in UCI notation; castling is the move of the king, as the server writes it. */
export function uciOf(position: Chess, move: Move): string {
  const plain = normalizeMove(position, move) as NormalMove;
  if (!position.board[position.turn].has(plain.to)) return makeUci(plain);
  const side = plain.to > plain.from ? 'h' : 'a';
  return makeUci({ from: plain.from, to: kingCastlesTo(position.turn, side) });
}

/** A move that somebody typed: SAN with some forgiveness, or UCI. */
export function typedMove(position: Chess, text: string): Move | undefined {
  const plain = text.trim().replace(/^\d+\s*(\.+|…)\s*/, '').replace(/0/g, 'O');
  const upper = plain.replace(/^[kqrn](?=.*[a-h][1-8])/, (letter) => letter.toUpperCase());
  const castling = /^o-?o(-?o)?$/i.exec(plain);
  const written = castling ? (castling[1] ? 'O-O-O' : 'O-O') : upper;
  const uci = parseUci(text.trim().toLowerCase());
  const move = parseSan(position, plain) ?? parseSan(position, written) ?? (uci && position.isLegal(uci) ? uci : undefined);
  return move && position.isLegal(move) ? move : undefined;
}

/** How a game ends in this position, or null. */
export function endOf(position: Chess): string | null {
  if (position.isCheckmate()) return 'Checkmate';
  if (position.isStalemate()) return 'Stalemate';
  return position.isInsufficientMaterial() ? 'Neither side can win' : null;
}

/** `2. White: knight f3`. */
export function spokenStep(step: Step): string {
  return `${step.number}. ${step.turn === 'white' ? 'White' : 'Black'}: ${spoken(step.san)}`;
}
