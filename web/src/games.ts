/** Lists of games, and the game that is played through. */

import type { GameAnswer, ListedGame, Player, PositionAnswer } from './api';
import { h, inner, type Child } from './dom';
import { written } from './language';
import { shortResult } from './words';

export interface GameList {
  /** The game that is on the board. */
  current: string | undefined;
  hrefOf(game: ListedGame): string;
  open(game: ListedGame): void;
  point(uci: string | null): void;
}

/** The games with the highest ratings, and the latest of the others. */
export function gameParts(answer: PositionAnswer, list: GameList): Child[] {
  return [section('Top games', answer.topGames, list), section('Latest games', answer.recentGames, list)];
}

function section(title: string, games: ListedGame[], list: GameList): Child {
  return games.length > 0 && h('section', {}, h('h2', {}, title), h('ol', { class: 'games' }, ...games.map((game) => h('li', {}, entry(game, list)))));
}

function entry(game: ListedGame, list: GameList): HTMLElement {
  const point = () => list.point(game.uci);
  const leave = () => list.point(null);
  const current = game.id === list.current && 'true';
  return inner(list.hrefOf(game), () => list.open(game), { 'aria-current': current, mouseenter: point, mouseleave: leave, focus: point, blur: leave },
    h('span', { class: `result ${winnerOf(game.result)}` }, shortResult(game.result)),
    h('span', { class: 'names' }, playerLine(game.white), playerLine(game.black)),
    h('span', { class: 'facts' }, h('b', {}, written(game.san)), h('span', { class: 'quiet' }, game.date?.slice(0, 7))));
}

function playerLine(player: Player): HTMLElement {
  return h('span', { class: 'player' }, h('span', { class: 'name' }, player.name || '?'), ' ', h('span', { class: 'quiet' }, player.rating));
}

function winnerOf(result: string): string {
  return result === '1-0' ? 'won' : result === '0-1' ? 'lost' : 'drawn';
}

/** The card of the game whose moves are on the board. */
export function gameCard(game: GameAnswer, close: () => void): HTMLElement {
  const facts = [game.event, game.tags.find(([name]) => name === 'Site')?.[1], game.date, game.speed].filter((fact) => fact && fact !== '?');
  const player = ({ name, rating }: Player) => [h('b', {}, name || '?'), rating !== null && h('span', { class: 'quiet' }, ` ${rating}`)];
  return h('section', { class: 'card', 'aria-label': 'Game' },
    h('button', { type: 'button', class: 'close', 'aria-label': 'Close the game', title: 'Close the game', click: close }, '×'),
    h('p', { class: 'players' }, ...player(game.white), ' – ', ...player(game.black), ' ', h('span', { class: `result ${winnerOf(game.result)}` }, shortResult(game.result))),
    h('p', { class: 'quiet' }, facts.join(' · ')),
    game.error !== null && h('p', { class: 'error' }, `The moves end early: ${game.error}`),
    h('p', { class: 'links' },
      h('a', { href: `/eco/pgn/${encodeURIComponent(game.id)}`, download: `${game.id}.pgn` }, 'PGN'),
      isWebAddress(game.link) && h('a', { href: game.link, target: '_blank', rel: 'noreferrer noopener' }, 'On the web'),
      h('details', {}, h('summary', {}, 'Tags'), h('dl', {}, ...game.tags.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])))));
}

/** A tag may hold any address, `javascript:` too. */
function isWebAddress(link: string | null): boolean {
  return link !== null && /^https?:\/\//i.test(link);
}
