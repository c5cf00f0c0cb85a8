/** How games ended, as a bar of three parts. */

import type { Side } from './address';
import { total, type Score } from './api';
import { h } from './dom';
import { percent } from './words';

/** White's results, or those of a player: the name, and the side that the player has. */
export interface Owner { name: string; side: Side }

export function bar(score: Score, owner: Owner | null): HTMLElement {
  const words = resultWords(score, owner);
  const element = h('span', { class: owner ? 'bar own' : 'bar', role: 'img', 'aria-label': words, title: words });
  for (const [name, part] of partsOf(score, owner)) {
    if (part === 0) continue;
    // The style sheet hides a number that has no room.
    const segment = h('span', { class: name }, h('i', {}, percent(part, total(score)).replace(' ', '')));
    segment.style.flexGrow = String(part);
    element.append(segment);
  }
  return element;
}

/** What the bar shows, in words. */
export function resultWords(score: Score, owner: Owner | null): string {
  const [won, drawn, lost] = partsOf(score, owner).map(([, part]) => percent(part, total(score)));
  return owner ? `${owner.name} won ${won}, drew ${drawn}, lost ${lost}` : `White won ${won}, drawn ${drawn}, Black won ${lost}`;
}

/** Half a point for a draw, as a share of the games. */
export function points(score: Score, { side }: Owner): string {
  return percent(score[side] + score.draws / 2, total(score));
}

function partsOf({ white, draws, black }: Score, owner: Owner | null): [string, number][] {
  const [won, lost] = owner?.side === 'black' ? [black, white] : [white, black];
  return [['won', won], ['drawn', draws], ['lost', lost]];
}
