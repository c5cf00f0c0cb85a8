/**
 * The board: pieces that are dragged or tapped (chessground), over them a grid of labelled squares for keyboard and screen reader.
 */

import type { Chess } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import { makeFen } from 'chessops/fen';
import type { Move } from 'chessops/types';
import { makeSquare, parseSquare, squareRank } from 'chessops/util';
import { Chessground } from 'chessground';
import type { Api } from 'chessground/api';
import type { DrawShape } from 'chessground/draw';
import type { Key } from 'chessground/types';
import { Grid } from './grid';
import { choosePromotion } from './promotion';

/** What the board shows. */
export interface Shown {
  position: Chess;
  lastMove: Move | undefined;
  bottom: 'white' | 'black';
}

/** An arrow of a repertoire: a move that is prepared, answered or missing, or the one that is pointed at. */
export interface Arrow { uci: string; kind: 'prepared' | 'answered' | 'missing' | 'pointed' | DrawnKind }

/** The colours of what comments draw: an arrow, or a circle on a single square. */
type DrawnKind = 'green' | 'red' | 'blue' | 'yellow';

const isCalm = matchMedia('(prefers-reduced-motion: reduce)');

export class Board {
  private readonly ground: Api;
  private readonly grid: Grid;
  /** The squares alone, without the letters and digits beside them. */
  private readonly plane: HTMLElement;
  private shown!: Shown;
  private arrows: readonly Arrow[] = [];
  private pointed: Arrow | null = null;

  constructor(
    frame: HTMLElement,
    private readonly onMove: (move: Move) => void,
  ) {
    this.plane = frame.querySelector<HTMLElement>('.plane')!;
    const squares = this.plane.querySelector<HTMLElement>('.squares')!;
    this.ground = Chessground(squares, {
      coordinates: true,
      animation: { enabled: !isCalm.matches, duration: 160 },
      movable: { free: false, showDests: true, events: { after: (from, to) => this.made(from, to) } },
      premovable: { enabled: false },
      draggable: { showGhost: true },
      drawable: { enabled: true, brushes: BRUSHES },
      events: { select: () => this.selected() },
    });
    // Chessground keeps the focus where it is, but arrow keys are for the board once somebody plays on it.
    squares.addEventListener('pointerdown', () => (document.activeElement as HTMLElement | null)?.blur());
    this.grid = new Grid(this.plane.querySelector<HTMLElement>('.grid')!, (square) => this.press(square), () => this.cancel());
  }

  show(shown: Shown): void {
    const { position, lastMove, bottom } = shown;
    this.shown = shown;
    this.ground.set({
      fen: makeFen(position.toSetup()),
      orientation: bottom,
      turnColor: position.turn,
      check: position.isCheck() ? position.turn : false,
      lastMove: lastMove && squaresOf(lastMove),
      movable: { color: position.turn, dests: chessgroundDests(position) },
    });
    this.ground.selectSquare(null);
    this.ground.setShapes([]);
    this.pointed = null;
    this.grid.show(position, bottom);
    this.draw();
  }

  /** The arrows that stay until the position changes. */
  mark(arrows: readonly Arrow[]): void {
    this.arrows = arrows;
    this.draw();
  }

  /** The arrow of the move that somebody points at in a list. */
  point(uci: string | null): void {
    this.pointed = uci === null ? null : { uci, kind: 'pointed' };
    this.draw();
  }

  /** What somebody has drawn on the board, as comments write it: `[%cal Gc2c4]`, `[%csl Rd5]`. */
  drawn(): string[] {
    const shapes = this.ground.state.drawable.shapes.map(({ orig, dest, brush = 'green' }) => ({ text: `${brush[0]!.toUpperCase()}${orig}${dest ?? ''}`, dest }));
    const list = (command: string, of: { text: string }[]) => (of.length > 0 ? [`[%${command} ${of.map((shape) => shape.text).join(',')}]`] : []);
    return [...list('cal', shapes.filter((shape) => shape.dest)), ...list('csl', shapes.filter((shape) => !shape.dest))];
  }

  private draw(): void {
    const pointed = this.pointed;
    const others = this.arrows.filter((arrow) => arrow.uci !== pointed?.uci);
    this.ground.setAutoShapes([...others, ...(pointed ? [pointed] : [])].map(shapeOf));
  }

  /** A square was pressed by keyboard: the first is selected, the second is where the piece goes. */
  private press(square: Key): void {
    const from = this.ground.state.selected;
    if (from && from !== square && this.ground.state.movable.dests?.get(from)?.includes(square)) {
      this.ground.selectSquare(square);
      return;
    }
    const isOwn = this.ground.state.pieces.get(square)?.color === this.shown.position.turn;
    this.ground.selectSquare(isOwn && from !== square ? square : null);
    this.selected();
  }

  private cancel(): void {
    this.ground.cancelMove();
    this.selected();
  }

  private selected(): void {
    const from = this.ground.state.selected;
    this.grid.select(from ?? null, from ? (this.ground.state.movable.dests?.get(from) ?? []) : []);
  }

  private async made(from: Key, to: Key): Promise<void> {
    const move = { from: numberOf(from), to: numberOf(to) };
    const { position, bottom } = this.shown;
    const isPromotion = position.board.get(move.from)?.role === 'pawn' && [0, 7].includes(squareRank(move.to));
    if (!isPromotion) return this.onMove(move);
    const promotion = await choosePromotion(this.plane, position.turn, move.to, bottom);
    if (promotion) this.onMove({ ...move, promotion });
    else this.show(this.shown);
  }
}

const brush = (key: string, color: string, lineWidth: number) => ({ key, color, opacity: 0.9, lineWidth });

/** Chessground wants its four, for what is drawn with the right button; the others are ours. */
const BRUSHES = {
  green: brush('g', '#2f7f4f', 9),
  red: brush('r', '#b02820', 9),
  blue: brush('b', '#2a6ab0', 9),
  yellow: brush('y', '#d89a00', 9),
  prepared: brush('prepared', '#2f7f4f', 9),
  answered: brush('answered', '#2a6ab0', 6),
  missing: brush('missing', '#c25a00', 6),
  pointed: brush('pointed', '#48525c', 9),
};

/** The number that chessops has for a square of the board. */
function numberOf(square: Key): number {
  return parseSquare(square) ?? 0;
}

function squaresOf(move: Move): Key[] {
  return 'from' in move ? [makeSquare(move.from), makeSquare(move.to)] : [makeSquare(move.to)];
}

function shapeOf(arrow: Arrow): DrawShape {
  const dest = arrow.uci.slice(2, 4);
  return { orig: arrow.uci.slice(0, 2) as Key, ...(dest !== '' && { dest: dest as Key }), brush: arrow.kind };
}
