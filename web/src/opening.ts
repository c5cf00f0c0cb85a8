/** The opening's name, and the named positions on the way to it. */

import type { Named, PositionAnswer } from './api';
import { h, inner, type Child } from './dom';
import { written } from './language';
import { moveNumber } from './words';
import { endOf, type Line } from './line';
import { positionOf, type View } from './view';

/** The heading, and the way below it. `go` leads to a half-move of the line. */
export function openingParts(view: View, answer: PositionAnswer, hrefOf: (ply: number) => string, go: (ply: number) => void): Child[] {
  const { opening, path } = answer;
  const end = endOf(positionOf(view));
  const way = path.slice(0, -1).map((named) => h('li', {}, wayLink(view.line, named, hrefOf, go)));
  return [
    h('h1', {}, opening ? h('span', { class: 'code' }, opening.eco) : null, ' ', titleOf(view, opening)),
    opening !== null && opening.ply < view.ply && h('p', { class: 'quiet' }, 'Named last ', wayLink(view.line, opening, hrefOf, go, 'after')),
    end !== null && h('p', { class: 'end' }, end),
    way.length > 0 && h('ol', { class: 'way', 'aria-label': 'Named positions on the way' }, ...way),
  ];
}

function titleOf(view: View, opening: Named | null): string {
  if (opening) return opening.name;
  if (view.ply === 0) return view.line.isFromInitial ? 'Initial position' : 'Set-up position';
  return 'No name yet';
}

function wayLink(line: Line, named: Named, hrefOf: (ply: number) => string, go: (ply: number) => void, word = ''): HTMLElement {
  const step = line.steps[named.ply - 1];
  const move = step ? `${moveNumber(step.number, step.turn)} ${written(step.san)}` : 'the start';
  const text: Child[] = word === '' ? [h('span', { class: 'move' }, move), ' ', named.name] : [`${word} `, h('span', { class: 'move' }, move)];
  return inner(hrefOf(named.ply), () => go(named.ply), {}, ...text);
}
