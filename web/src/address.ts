/**
 * What the address of the page says: the line, the place in it, the game, the filters.
 *
 * `?fen=…&play=d2d4,f7f5&ply=1&game=ID&side=black&repertoire=NAME`, and the filters by the names that the server has for them; `lang=de`.
 * Without `ply` the place is the end of the line. A game stands for its moves.
 */

import { inAddress } from './language';

/** The names by which the server selects games. Each may be there several times. */
export const FILTERS = [
  'collection', 'player', 'color', 'against', 'result', 'rating', 'rating-of', 'since', 'until', 'speed', 'rated',
  'event', 'site', 'eco', 'opening', 'variant', 'tag', 'min-plies', 'position', 'structure', 'material', 'lasting',
  'from-position', 'not',
] as const;

export type FilterName = (typeof FILTERS)[number];
export type Filters = ReadonlyMap<FilterName, readonly string[]>;

export type Side = 'white' | 'black';

export interface Address {
  fen: string;
  play: string[];
  /** Half-moves from the start; null for the end of the line. */
  ply: number | null;
  game: string | null;
  /** The side at the bottom of the board: by default that of the player who is asked for, or White. */
  side: Side;
  /** The repertoire that is shown: empty for all, `-` for none. */
  repertoire: string;
  filters: Filters;
}

export function readAddress(search: string): Address {
  const query = new URLSearchParams(search);
  const ply = query.get('ply');
  const filters = readFilters(query);
  return {
    fen: query.get('fen') ?? '',
    play: (query.get('play') ?? '').split(',').filter((move) => move !== ''),
    ply: ply !== null && /^\d{1,4}$/.test(ply) ? Number(ply) : null,
    game: query.get('game'),
    side: sideIn(query.get('side')) ?? playerSide(filters) ?? 'white',
    repertoire: query.get('repertoire') ?? '',
    filters,
  };
}

function readFilters(query: URLSearchParams): Filters {
  const found = FILTERS.map((name) => [name, query.getAll(name).filter((value) => value !== '')] as const);
  return new Map(found.filter(([, values]) => values.length > 0));
}

/** The address as the page writes it, from `?` on, or `/` if it says nothing. */
export function writeAddress(address: Address): string {
  const query = new URLSearchParams();
  if (address.game !== null) query.set('game', address.game);
  else {
    if (address.fen !== '') query.set('fen', address.fen);
    if (address.play.length > 0) query.set('play', address.play.join(','));
  }
  if (address.ply !== null) query.set('ply', String(address.ply));
  if (address.side !== (playerSide(address.filters) ?? 'white')) query.set('side', address.side);
  if (address.repertoire !== '') query.set('repertoire', address.repertoire);
  addFilters(query, address.filters);
  const lang = inAddress();
  if (lang !== undefined) query.set('lang', lang);
  const text = query.toString().replaceAll('%2C', ',').replaceAll('%2F', '/');
  return text === '' ? '/' : `/?${text}`;
}

/** The address of the report of the games that pass the filters. */
export function reportAddress(filters: Filters): string {
  const query = new URLSearchParams();
  addFilters(query, filters);
  const lang = inAddress();
  if (lang !== undefined) query.set('lang', lang);
  return `/eco/report?${query}`;
}

function sideIn(value: string | null | undefined): Side | null {
  return value === 'white' || value === 'black' ? value : null;
}

/** The side whose results count: that of the player, if a player and a colour are chosen. */
export function playerSide(filters: Filters): Side | null {
  return filters.has('player') ? sideIn(filters.get('color')?.join()) : null;
}

/** Adds the filters to what is asked of the server, or to the address. */
export function addFilters(query: URLSearchParams, filters: Filters): void {
  for (const [name, values] of filters) for (const value of values) query.append(name, value);
}

/** The filters with other values for one name; without it, if there are none. */
export function withFilter(filters: Filters, name: FilterName, values: readonly string[]): Filters {
  const kept = new Map(filters);
  kept.delete(name);
  const set = values.map((value) => value.trim()).filter((value) => value !== '');
  if (set.length > 0) kept.set(name, set);
  return new Map(FILTERS.flatMap((each) => (kept.has(each) ? [[each, kept.get(each)!] as const] : [])));
}
