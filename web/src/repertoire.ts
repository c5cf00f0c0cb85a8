/** What the repertoires of the file say of a position: marks for moves, and notes. */

import type { BookMove, BookPage, Books } from './api';
import type { Arrow } from './board';
import { h, type Child } from './dom';
import { written } from './language';
import { games } from './words';

/** The mark of a move. Of several repertoires the one that lacks something counts. */
export interface Mark { uci: string; san: string; kind: 'prepared' | 'answered' | 'missing'; words: string; title: string }

const RANK = { answered: 0, prepared: 1, missing: 2 };

/** A move that lacks an answer is worth a mark if it has this share of the games. */
const SHARE = 0.01;

/** The marks by move, in UCI notation; `games` are those of the position. */
export function marksOf(books: Books | null, games: number): Map<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const mark of known(books).flatMap((page) => marksOfPage(page, SHARE * games))) {
    const other = marks.get(mark.uci);
    if (!other || RANK[mark.kind] > RANK[other.kind]) marks.set(mark.uci, mark);
  }
  return marks;
}

function known(books: Books | null): BookPage[] {
  return (books?.repertoires ?? []).filter((page) => page.known);
}

function marksOfPage(page: BookPage, least: number): Mark[] {
  const moves = page.moves.map((move) => markOf(page, move));
  // Where its own side has no move, what others played is advice, not something that lacks an answer.
  const missing = page.own ? [] : page.missing.filter((move) => move.games >= least).map(({ uci, san }): Mark => ({ uci, san, kind: 'missing', words: 'no answer', title: `${page.name} has no answer` }));
  return [...moves, ...missing];
}

function markOf(page: BookPage, { uci, san, prepared, mistake, answered, glyphs }: BookMove): Mark {
  if (!answered) return { uci, san, kind: 'missing', words: 'no answer', title: `${page.name} has no answer` };
  const glyph = glyphs.map((each) => ` ${each}`).join('');
  if (mistake) return { uci, san, kind: 'missing', words: `mistake${glyph}`, title: `a mistake in ${page.name}` };
  if (!page.own) return { uci, san, kind: 'answered', words: `answered${glyph}`, title: `${page.name} has an answer` };
  return { uci, san, kind: 'prepared', words: `${prepared ? 'prepared' : 'played'}${glyph}`, title: `in ${page.name}` };
}

/** An arrow for each move that has a mark. A later one lies above: a short one above the long one of the same pawn. */
export function arrowsOf(marks: ReadonlyMap<string, Mark>): Arrow[] {
  const kinds = ['answered', 'missing', 'prepared'];
  const above = (a: Mark, b: Mark) => lengthOf(b.uci) - lengthOf(a.uci) || kinds.indexOf(a.kind) - kinds.indexOf(b.kind);
  return [...marks.values()].sort(above);
}

const COLOURS = { G: 'green', R: 'red', B: 'blue', Y: 'yellow' } as const;

/** What the comments of the repertoires draw: arrows and circles. */
export function drawnOf(books: Books | null): Arrow[] {
  const shapes = known(books).flatMap((page) => page.shapes);
  return shapes.map((shape) => ({ uci: shape.slice(1), kind: COLOURS[shape[0] as keyof typeof COLOURS] ?? 'green' }));
}

/** How far a move goes, as the king walks. */
function lengthOf(uci: string): number {
  const distance = (at: number) => Math.abs(uci.charCodeAt(at) - uci.charCodeAt(at + 2));
  return Math.max(distance(0), distance(1));
}

/** A note for each repertoire that knows the position. */
export function bookParts(books: Books | null, games: number): Child[] {
  return known(books).map((page) => note(page, SHARE * games));
}

function note(page: BookPage, least: number): HTMLElement {
  const comments = page.moves.filter((move) => move.comment !== null);
  return h('div', { class: 'book' },
    h('h2', {}, h('span', { class: `disc ${page.color}`, role: 'img', 'aria-label': page.color }), page.name),
    h('p', {}, verdict(page, least)),
    page.comment !== null && h('p', { class: 'comment' }, page.comment),
    ...comments.map((move) => h('p', { class: 'comment' }, h('b', {}, written(move.san)), ` ${move.comment}`)));
}

function verdict(page: BookPage, least: number): string {
  const sans = (moves: { san: string }[]) => moves.map((move) => written(move.san)).join(', ');
  if (page.own) {
    const [mistakes, moves] = [page.moves.filter((move) => move.mistake), page.moves.filter((move) => !move.mistake)];
    const known = mistakes.length > 0 ? `; ${mistakes.length > 1 ? 'mistakes' : 'mistake'}: ${sans(mistakes)}` : '';
    if (moves.length > 0) return `${moves.some((move) => move.prepared) ? 'Prepared' : 'Played'}: ${sans(moves)}${known}`;
    const most = page.missing[0];
    return `No move is prepared here${most ? `; ${written(most.san)} was played most, in ${games(most.games)}` : ''}${known}`;
  }
  const answered = page.moves.filter((move) => move.answered);
  const lacking = [...new Map([...page.moves.filter((move) => !move.answered), ...page.missing.filter((move) => move.games >= least)].map((move) => [move.uci, move])).values()];
  const parts = [answered.length > 0 && `Answered: ${sans(answered)}`, lacking.length > 0 && `no answer to ${sans(lacking)}`];
  const text = parts.filter((part) => part !== false).join('; ');
  return text === '' ? 'The line ends here' : text[0]!.toUpperCase() + text.slice(1);
}
