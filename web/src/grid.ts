/**
 * The board as a grid of squares: one of them has the focus, arrow keys move it, Enter presses it.
 *
 * Its squares lie over the pieces and let the mouse through, so that the focus shows on the board.
 */

import type { Chess } from 'chessops/chess';
import { makeSquare } from 'chessops/util';
import type { Key } from 'chessground/types';
import { h } from './dom';

const ROWS = [0, 1, 2, 3, 4, 5, 6, 7];

export class Grid {
  /** From the upper left corner, row by row. */
  private readonly cells: HTMLElement[];
  private bottom: 'white' | 'black' = 'white';
  private labels: string[] = [];
  /** The place of the square that Tab reaches: at first e2, or e7 seen from Black. */
  private current = 52;

  constructor(
    grid: HTMLElement,
    private readonly onPress: (square: Key) => void,
    private readonly onCancel: () => void,
  ) {
    this.cells = ROWS.flatMap((row) => ROWS.map((column) => this.cell(row * 8 + column)));
    grid.append(...ROWS.map((row) => h('div', { role: 'row' }, ...this.cells.slice(8 * row, 8 * row + 8))));
    grid.addEventListener('keydown', (event) => this.key(event));
  }

  show(position: Chess, bottom: 'white' | 'black'): void {
    if (bottom !== this.bottom) this.current = 63 - this.current;
    this.bottom = bottom;
    this.cells.forEach((cell, place) => {
      const square = this.number(place);
      const piece = position.board.get(square);
      cell.dataset.square = makeSquare(square);
      this.labels[place] = piece ? `${makeSquare(square)}, ${piece.color} ${piece.role}` : makeSquare(square);
    });
    this.select(null, []);
  }

  /** Says which square is selected, and where its piece can go. */
  select(from: Key | null, targets: readonly Key[]): void {
    this.cells.forEach((cell, place) => {
      const square = cell.dataset.square as Key;
      cell.setAttribute('aria-selected', String(square === from));
      cell.setAttribute('aria-label', `${this.labels[place]}${targets.includes(square) ? ', can be moved to' : ''}`);
      cell.tabIndex = place === this.current ? 0 : -1;
    });
  }

  private cell(place: number): HTMLElement {
    const press = () => this.onPress(this.square(place));
    return h('div', { role: 'gridcell', tabindex: -1, click: press, focus: () => this.reach(place) });
  }

  private number(place: number): number {
    const row = place >> 3;
    const column = place & 7;
    return this.bottom === 'white' ? 8 * (7 - row) + column : 8 * row + (7 - column);
  }

  private square(place: number): Key {
    return makeSquare(this.number(place));
  }

  private reach(place: number): void {
    this.cells[this.current]!.tabIndex = -1;
    this.current = place;
    this.cells[place]!.tabIndex = 0;
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const place = this.placeAfter(event.key);
    if (place !== null) this.cells[place]!.focus();
    else if (event.key === 'Enter' || event.key === ' ') this.onPress(this.square(this.current));
    else if (event.key === 'Escape') this.onCancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Where a key leads; null if it is not for moving. */
  private placeAfter(key: string): number | null {
    const row = this.current >> 3;
    const column = this.current & 7;
    switch (key) {
      case 'ArrowLeft': return 8 * row + Math.max(0, column - 1);
      case 'ArrowRight': return 8 * row + Math.min(7, column + 1);
      case 'ArrowUp': return 8 * Math.max(0, row - 1) + column;
      case 'ArrowDown': return 8 * Math.min(7, row + 1) + column;
      case 'Home': return 8 * row;
      case 'End': return 8 * row + 7;
      default: return null;
    }
  }
}
