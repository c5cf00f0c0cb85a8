/** How games ended, as a bar of three parts. */

import { total, type Score } from './api';
import { h } from './dom';
import { percent } from './words';

export function bar(score: Score): HTMLElement {
  const all = total(score);
  const parts = [['won', score.white], ['drawn', score.draws], ['lost', score.black]] as const;
  const words = `White won ${percent(score.white, all)}, drawn ${percent(score.draws, all)}, Black won ${percent(score.black, all)}`;
  const element = h('span', { class: 'bar', role: 'img', 'aria-label': words, title: words });
  for (const [name, part] of parts) {
    if (part === 0) continue;
    // The style sheet hides a number that has no room.
    const segment = h('span', { class: name }, h('i', {}, percent(part, all).replace(' ', '')));
    segment.style.flexGrow = String(part);
    element.append(segment);
  }
  return element;
}
