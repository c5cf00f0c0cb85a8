/** The table of moves that were played. */

import { total, type PlayedMove, type PositionAnswer, type Score } from './api';
import { bar } from './bar';
import { h, inner, type Child } from './dom';
import type { Mark } from './repertoire';
import { moveNumber, count, games, percent } from './words';

export interface MoveTable {
  /** The number before the moves, and whose they are. */
  number: number;
  turn: 'white' | 'black';
  marks: ReadonlyMap<string, Mark>;
  hrefOf(uci: string): string;
  play(uci: string): void;
  point(uci: string | null): void;
}

/** How many games there are, and the table; moves of repertoires that nobody played come last. */
export function moveParts(answer: PositionAnswer, table: MoveTable): Child[] {
  const all = total(answer);
  const unplayed = [...table.marks.values()].filter((mark) => !answer.moves.some((move) => move.uci === mark.uci));
  const rows = [...answer.moves.map((move) => row(move, all, table)), ...unplayed.map((mark) => unplayedRow(mark, table))];
  return [summary(answer), rows.length > 0 && h('table', { class: 'moves' }, caption(), head(), h('tbody', {}, ...rows))];
}

function summary(answer: PositionAnswer): HTMLElement {
  const all = total(answer);
  const ended = total(answer.ended);
  const went = all > 0 ? `${games(all)} went on from here` : ended > 0 ? 'No game went on from here' : 'No game has this position';
  const text = ended > 0 ? `${went}; ${count(ended)} ended here` : went;
  return h('div', { class: 'summary' }, h('p', {}, text), all > 0 && bar(answer));
}

function caption(): HTMLElement {
  return h('caption', { class: 'hidden' }, 'Moves that were played here');
}

const COLUMNS: [string, string, string?][] = [
  ['Move', 'move'], ['Games', 'number'], ['Share', 'number share'], ['White won, drawn, Black won', 'bars'],
  ['Rating', 'number wide', 'Mean rating of those who played it'], ['Perf.', 'number wide', 'Performance of those who played it'],
  ['Last', 'number last', 'When it was played last'], ['Opening', 'opening'],
];

function head(): HTMLElement {
  return h('thead', {}, h('tr', {}, ...COLUMNS.map(([text, kind, title]) => h('th', { scope: 'col', class: kind, title }, text))));
}

function row(move: PlayedMove, all: number, table: MoveTable): HTMLElement {
  const played = total(move);
  const name = move.opening;
  const rating = (value: number | null, kind = '') => h('td', { class: `number wide ${kind}` }, value);
  return pointedRow(move.uci, table,
    moveCell(move.uci, move.san, table, name?.name),
    h('td', { class: 'number', title: reachedWords(move.reached) }, count(played), moreReached(move.reached, played)),
    h('td', { class: 'number share' }, percent(played, all)),
    h('td', { class: 'bars' }, bar(move)),
    rating(move.averageRating),
    rating(move.performance),
    h('td', { class: 'number last' }, move.last),
    h('td', { class: 'opening', title: name?.name }, name ? h('span', { class: 'code' }, name.eco) : null, ' ', name?.name),
  );
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
    h('td', { class: 'number' }, 0),
    h('td', { class: 'quiet', colspan: COLUMNS.length - 2 }, 'not played'));
}

function pointedRow(uci: string, table: MoveTable, ...cells: HTMLElement[]): HTMLElement {
  const point = () => table.point(uci);
  const leave = () => table.point(null);
  const play = (event: MouseEvent) => {
    if (!(event.target as Element).closest('a')) table.play(uci);
  };
  return h('tr', { 'data-uci': uci, mouseenter: point, mouseleave: leave, focusin: point, focusout: leave, click: play }, ...cells);
}

function moveCell(uci: string, san: string, table: MoveTable, name?: string): HTMLElement {
  const mark = table.marks.get(uci);
  const text = [h('span', { class: 'quiet' }, moveNumber(table.number, table.turn)), ' ', h('b', {}, san)];
  return h('th', { scope: 'row', class: 'move' },
    inner(table.hrefOf(uci), () => table.play(uci), {}, ...text),
    mark && h('span', { class: `mark ${mark.kind}`, title: mark.title }, mark.words),
    name && h('small', { class: 'name' }, name));
}
