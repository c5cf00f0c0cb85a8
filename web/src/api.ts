/** What the server answers, under `/eco/`: docs/serve.md has the fields. */

import { language, ofBrowser, toAsk } from './language';

export interface Score { white: number; draws: number; black: number }
export interface Opening { eco: string; name: string }
export interface Named extends Opening { ply: number }
export interface Player { name: string; rating: number | null }
export interface Made { uci: string; san: string; fen: string }

export interface ListedGame {
  id: string; collection: string; uci: string; san: string; white: Player; black: Player; result: string; date: string | null;
  speed: string | null; rated: boolean | null; event: string; link: string | null;
}

export interface PlayedMove extends Score {
  uci: string; san: string; games: number; score: number | null; rating: number | null; opponents: number | null; performance: number | null;
  first: string | null; last: string | null; reached: Score | null; opening: Opening | null; game: ListedGame | null;
}

export interface PositionAnswer extends Score {
  fen: string; opening: Named | null; path: Named[]; ended: Score; moves: PlayedMove[]; topGames: ListedGame[]; recentGames: ListedGame[];
  /** What words of openings were taken for. */
  notes: string[];
}

export interface GameAnswer extends Omit<ListedGame, 'uci' | 'san'> {
  tags: [string, string][]; start: string; moves: Made[]; path: Named[]; opening: Named | null; error: string | null;
}

export interface LineAnswer { start: string; moves: Made[]; tags: [string, string][]; notes: string[]; error: string | null }
export interface Collection { name: string; games: number; counted: number; depth: number | null; since: string | null; until: string | null }
export interface Collections {
  version: string; lang: string; collections: Collection[]; repertoires: { name: string; color: 'white' | 'black' }[]; training: string | null; editing: string[];
}
export interface BookMove { uci: string; san: string; prepared: boolean; mistake: boolean; answered: boolean; glyphs: string[]; comment: string | null }

export interface BookPage {
  name: string; color: 'white' | 'black'; known: boolean; own: boolean; comment: string | null; moves: BookMove[];
  /** What comments draw: `Gc2c4`, `Rd5`. */
  shapes: string[];
  /** The move that leads here, if it is prepared. */
  last: { main: boolean; mistake: boolean; comment: string | null } | null;
  missing: { uci: string; san: string; games: number }[];
}

export interface Gap { start: string; moves: string[]; line: string; met: number; games: number; eco: string | null; opening: string | null }
export interface Gaps { name: string; color: 'white' | 'black'; coverage: number; count: number; gaps: Gap[] }
export interface Books { repertoires: BookPage[] }
export interface Players { players: { name: string; games: number }[] }
export interface FoundOpening extends Opening {
  play: string | null;
  /** What it was found by, if that is not its name: `alias: QGD`. */
  foundBy?: string;
  /** Of a part of the tree of openings: the last part of its name, its games, and the number of parts below it. */
  part?: string; games?: number; below?: number;
}
export interface Openings { openings: FoundOpening[] }

/** What the book and the games have in a position that is trained. */
export interface Lesson {
  number: string; book: { uci: string; san: string }[]; comments: string[]; played: { san: string; games: number; score: number | null; inBook: boolean }[];
}

/** A question of a session of training. */
export interface Asked {
  question: number; repertoire: string; color: 'white' | 'black'; reason: 'departures' | 'due' | 'changed' | 'new' | 'missed' | 'learned' | 'on the way';
  games: number | null; old: string | null; left: number; lesson: Lesson | null; goesOn: boolean; start: string; moves: string[];
}

/** What an answer was worth. */
export interface Answered extends Lesson {
  kind: 'main' | 'alternative' | 'transposition' | 'mistake' | 'wrong' | 'shown'; right: boolean; given: { uci: string; san: string } | null;
  mistake: { comments: string[]; refutation: string } | null; days: number;
}

/** What is due, and when. */
export interface Outlook { due: number; tomorrow: number; week: number; days: number | null; new: number; suspended: number; buried: number }

export interface TrainReply {
  repertoire: string; counts: { departures: number; due: number; new: number }; score: { answers: number; right: number };
  answered: Answered | null; question: Asked | null; outlook: Outlook | null;
}

/** The games that went one of these ways. */
export function total(score: Score): number {
  return score.white + score.draws + score.black;
}

/** Answers that were had, the latest last: going back is instant. */
const kept = new Map<string, { answer: unknown; at: number }>();
const KEPT = 400;
/** After this time, in milliseconds, an answer is shown at once but asked for again. */
const FRESH = 60_000;

/** Questions that follow each other faster than this, in milliseconds, as when a key is held down, wait so long. */
const PACE = 90;

/** What somebody who asks wants to hear. */
export interface Listener<T> {
  answered(answer: T): void;
  /** The answer is not here yet. */
  waiting(): void;
  failed(reason: string): void;
}

/** Asks one thing at a time: a new question ends the one before. */
export class Asker<T> {
  private running: AbortController | null = null;
  private timer = 0;
  private asked = -PACE;

  ask(path: string, query: URLSearchParams, listener: Listener<T>): void {
    this.stop();
    const url = urlOf(path, query);
    const had = kept.get(url);
    if (had) {
      listener.answered(had.answer as T);
      if (performance.now() - had.at < FRESH) return;
    } else listener.waiting();
    const isHasty = performance.now() - this.asked < PACE;
    this.asked = performance.now();
    if (isHasty) this.timer = setTimeout(() => this.send(url, had?.answer, listener), PACE);
    else this.send(url, had?.answer, listener);
  }

  /** Asks the server; `had` is what was shown already. */
  private send(url: string, had: unknown, listener: Listener<T>): void {
    const running = new AbortController();
    this.running = running;
    request<T>(url, running.signal).then(
      (answer) => {
        const isNew = JSON.stringify(answer) !== JSON.stringify(had);
        if (!running.signal.aborted && isNew) listener.answered(answer);
      },
      (error: Error) => {
        if (!running.signal.aborted && had === undefined) listener.failed(error.message);
      },
    );
  }

  stop(): void {
    clearTimeout(this.timer);
    this.running?.abort();
    this.running = null;
  }
}

/** Asks once; the promise fails with the reason in words. */
export function fetchOnce<T>(path: string, query = new URLSearchParams(), signal?: AbortSignal): Promise<T> {
  const url = urlOf(path, query);
  const had = kept.get(url);
  return had ? Promise.resolve(had.answer as T) : request<T>(url, signal);
}

/** Reads what somebody typed or pasted, with the languages of the browser; moves are played from `fen`, if it is given. */
export function readLine(text: string, fen?: string): Promise<LineAnswer> {
  const query = new URLSearchParams({ text });
  if (fen !== undefined) query.set('fen', fen);
  query.set('lang', [...new Set([language(), ...ofBrowser()])].join(','));
  return fetchOnce<LineAnswer>('/eco/line', query);
}

/** Sends something that is to be kept; the promise fails with the reason in words. */
export async function post<T>(path: string, what: object): Promise<T> {
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const answer = await fetch(path, { method: 'POST', headers, body: JSON.stringify(what) }).catch(() => {
    throw new Error(SILENCE);
  });
  const body = await answer.text();
  if (!answer.ok) throw new Error(reasonOf(answer.status, body));
  return JSON.parse(body) as T;
}

/** Forgets what was answered, once the server has written something: everything is asked again. */
export function forget(): void {
  kept.clear();
  cache = 'no-cache';
}

/** Whether the browser may answer from what it has kept. */
let cache: RequestCache = 'default';

const SILENCE = 'The server does not answer. Is eco serve still running?';

function urlOf(path: string, query: URLSearchParams): string {
  const lang = toAsk();
  if (lang !== undefined && !query.has('lang')) query.set('lang', lang);
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

async function request<T>(url: string, signal?: AbortSignal): Promise<T> {
  const answer = await fetch(url, { signal, cache, headers: { accept: 'application/json' } }).catch((error: Error) => {
    throw signal?.aborted ? error : new Error(SILENCE);
  });
  const body = await answer.text();
  if (!answer.ok) throw new Error(reasonOf(answer.status, body));
  const read = JSON.parse(body) as T;
  keep(url, read);
  return read;
}

/** The server's own words, of which an error page of something in between has none. */
function reasonOf(status: number, body: string): string {
  const line = body.trim().split('\n')[0] ?? '';
  return line !== '' && !line.startsWith('<') ? line.slice(0, 500) : `The server answered with error ${status}.`;
}

function keep(url: string, answer: unknown): void {
  kept.delete(url);
  kept.set(url, { answer, at: performance.now() });
  if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
}
