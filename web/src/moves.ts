/**
 * The table of moves that were played.
 *
 * On narrow screens its rows have two lines, made by a grid, which some browsers no longer take for a table: so roles are given.
 */

import { total, type Opening, type PlayedMove, type PositionAnswer, type Score } from './api';
import { bar, points, resultWords, type Owner } from './bar';
import { h, inner, type Child } from './dom';
import { written } from './language';
import type { Mark } from './repertoire';
import { moveNumber, count, games, percent } from './words';

export interface MoveTable {
  /** The number before the moves, and whose they are. */
  number: number;
  turn: 'white' | 'black';
  /** The family of the opening so far, which the names below need not repeat. */
  family: string | undefined;
  marks: ReadonlyMap<string, Mark>;
  /** The player whose results are shown; null for White's. */
  owner: Owner | null;
  /** Whether the games are a selection. */
  isFiltered: boolean;
  /** The move with which the line on the board goes on. */
  next: string | undefined;
  hrefOf(uci: string): string;
  play(uci: string): void;
  point(uci: string | null): void;
}

/** How many games there are, and the table; moves of repertoires that nobody played come last. */
export function moveParts(answer: PositionAnswer, table: MoveTable): Child[] {
  const all = total(answer);
  const unplayed = [...table.marks.values()].filter((mark) => !answer.moves.some((move) => move.uci === mark.uci));
  const rows = [...answer.moves.map((move) => row(move, all, table)), ...unplayed.map((mark) => unplayedRow(mark, table))];
  return [summary(answer, table), rows.length > 0 && h('table', { class: 'moves', role: 'table' }, caption(), head(table.owner), h('tbody', { role: 'rowgroup' }, ...rows))];
}

function summary(answer: PositionAnswer, { owner, isFiltered }: MoveTable): HTMLElement {
  const all = total(answer);
  const ended = total(answer.ended);
  const none = isFiltered ? 'No game that passes the filters' : 'No game';
  const went = all > 0 ? `${games(all)} went on from here` : ended > 0 ? `${none} went on from here` : `${none} has this position`;
  const text = ended > 0 ? `${went}; ${count(ended)} ended here` : went;
  return h('div', { class: 'summary' }, h('p', {}, text),
    all > 0 && bar(answer, owner),
    all > 0 && owner !== null && h('div', { class: 'owner' }, `${resultWords(answer, owner)}; score ${points(answer, owner)}`));
}

function caption(): HTMLElement {
  return h('caption', { class: 'hidden' }, 'Moves that were played here');
}

const COLUMNS: [string, string, string?][] = [
  ['Move', 'move'], ['Games', 'number'], ['Share', 'number share'], ['Results', 'bars', 'White won, drawn, Black won'],
  ['Rating', 'number wide', 'Mean rating of those who played it'], ['Perf.', 'number wide', 'Performance of those who played it'],
  ['Last', 'number last', 'When it was played last'], ['Opening', 'opening'],
];

function head(owner: Owner | null): HTMLElement {
  const own = owner && ['Won, drawn, lost', 'bars', `Results of ${owner.name}`] as const;
  const columns = COLUMNS.map((column) => (column[1] === 'bars' && own) || column);
  const heads = columns.map(([text, kind, title]) => h('th', { scope: 'col', role: 'columnheader', class: kind, title }, text));
  return h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, ...heads));
}

function row(move: PlayedMove, all: number, table: MoveTable): HTMLElement {
  const played = total(move);
  const name = move.opening;
  return pointedRow(move.uci, table,
    moveCell(move.uci, move.san, table),
    cell('number', h('span', { title: reachedWords(move.reached) }, count(played), moreReached(move.reached, played))),
    cell('number share', percent(played, all)),
    cell('bars', bar(move, table.owner)),
    cell('number wide', move.rating),
    cell('number wide', move.performance),
    cell('number last', move.last?.slice(0, 7)),
    cell('opening', ...(name ? openingWords(name, table.family) : [])),
  );
}

function openingWords({ eco, name }: Opening, family: string | undefined): Child[] {
  const shared = family !== undefined && name.startsWith(`${family}: `) ? family.length + 2 : 0;
  const hidden = shared > 0 && [h('span', { class: 'hidden' }, name.slice(0, shared)), '… '];
  return [h('span', { class: 'code' }, eco), ' ', h('span', { title: name }, ...(hidden || []), name.slice(shared))];
}

/** A position is reached by other orders of moves as well, and everybody mixes up the two numbers. */
function reachedWords(reached: Score | null): string | null {
  return reached && `${games(total(reached))} reached the position after it, by any order of moves`;
}

function moreReached(reached: Score | null, played: number): Child {
  const all = reached ? total(reached) : played;
  return all > played && h('small', { class: 'reached' }, `of ${count(all)}`, h('span', { class: 'hidden' }, ' by any order of moves'));
}

function unplayedRow(mark: Mark, table: MoveTable): HTMLElement {
  return pointedRow(mark.uci, table,
    moveCell(mark.uci, mark.san, table),
    cell('number', 0),
    h('td', { class: 'quiet', role: 'cell', colspan: COLUMNS.length - 2 }, 'not played'));
}

function cell(kind: string, ...children: Child[]): HTMLElement {
  return h('td', { class: kind, role: 'cell' }, ...children);
}

function pointedRow(uci: string, table: MoveTable, ...cells: HTMLElement[]): HTMLElement {
  const point = () => table.point(uci);
  const leave = () => table.point(null);
  const play = (event: MouseEvent) => {
    if (!(event.target as Element).closest('a')) table.play(uci);
  };
  return h('tr', { role: 'row', 'data-uci': uci, class: uci === table.next && 'next', mouseenter: point, mouseleave: leave, focusin: point, focusout: leave, click: play }, ...cells);
}

function moveCell(uci: string, san: string, table: MoveTable): HTMLElement {
  const mark = table.marks.get(uci);
  const text = [h('span', { class: 'quiet' }, moveNumber(table.number, table.turn)), ' ', h('b', {}, written(san))];
  return h('th', { scope: 'row', role: 'rowheader', class: 'move' },
    inner(table.hrefOf(uci), () => table.play(uci), {}, ...text),
    mark && h('span', { class: `mark ${mark.kind}`, title: mark.title }, mark.words));
}
