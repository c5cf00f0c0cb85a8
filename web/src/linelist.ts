/** The line as a list of moves that one can walk back. */

import { h, inner } from './dom';
import { written } from './language';
import { moveNumber } from './words';
import type { View } from './view';

export function lineParts(view: View, hrefOf: (ply: number) => string, go: (ply: number) => void): HTMLElement[] {
  return view.line.steps.map((step, index) => {
    const ply = index + 1;
    const isCurrent = ply === view.ply;
    const kind = isCurrent ? 'current' : ply > view.ply ? 'ahead' : '';
    const number = step.turn === 'white' || index === 0 ? h('span', { class: 'quiet' }, moveNumber(step.number, step.turn), ' ') : null;
    return h('li', {}, number, inner(hrefOf(ply), () => go(ply), { class: kind, 'aria-current': isCurrent ? 'step' : null }, written(step.san)));
  });
}
