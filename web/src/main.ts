/** The page: what is asked, what is shown, and what its buttons do. */

import { makeFen } from 'chessops/fen';
import { parseUci } from 'chessops/util';
import { choices, choose, language } from './language';
import { INITIAL_FEN, keyOf, Line, spokenStep, typedMove, uciOf } from './line';
import { playerSide, readAddress, reportAddress } from './address';
import {
  Asker, fetchOnce, readLine, total, type Books, type Collections, type GameAnswer, type LineAnswer, type ListedGame, type PositionAnswer,
} from './api';
import type { Owner } from './bar';
import { Board } from './board';
import { byId, h, refill } from './dom';
import { Editing } from './editing';
import { FilterForm } from './filters';
import { Finder } from './find';
import { gameCard, gameParts } from './games';
import { lineParts } from './linelist';
import { moveParts } from './moves';
import { openingParts } from './opening';
import { PasteDialog } from './paste';
import { arrowsOf, bookParts, drawnOf, marksOf } from './repertoire';
import { Said } from './said';
import { Training } from './training';
import { addressOf, afterMove, afterUci, gameAddress, positionOf, questionOf, withFilters, type View } from './view';
import { games } from './words';

/** How a new view enters the history of the browser; `step` is a walk along the line, which is one entry in all. */
type Entry = 'push' | 'step' | 'keep';

/** The state of the entry of the history in which a repertoire is trained. */
const TRAINING = 'training';

const said = new Said();
const positions = new Asker<PositionAnswer>();
const bookAsker = new Asker<Books>();
const board = new Board(byId('board'), (move) => (training.isOn ? training.made(move) : to(afterMove(view, move), 'push')));
const training = new Training(board, said, { enter: beginTraining, leave: () => history.back(), fen: () => (view.ply > 0 || !view.line.isFromInitial ? makeFen(positionOf(view).toSetup()) : null) });
const editing = new Editing(board, said, { changed: ask, open: openLine });
const form = new FilterForm((filters) => to(withFilters(view, filters), 'push'));
const finder = new Finder((opening) => openLine('', (opening.play ?? '').split(',').filter((move) => move !== '')));
const paste = new PasteDialog(pasted);

let view: View = { line: Line.initial, ply: 0, game: null, side: 'white', repertoire: '', filters: new Map() };
let answer: PositionAnswer | null = null;
let books: Books | null = null;
let hasRepertoires = false;
let loading: AbortController | null = null;
void [finder, paste];

// ---- Where the page is

function to(next: View, entry: Entry): void {
  const before = view;
  view = next;
  if (training.isOn) training.close();
  loading?.abort();
  slip('');
  if (entry !== 'keep') record(entry);
  const isMoved = before.line !== next.line || before.ply !== next.ply;
  const step = next.line.steps[next.ply - 1];
  if (isMoved) said.move(step ? spokenStep(step) : 'Start of the line');
  showBoard();
  editing.moved(view);
  ask();
}

function record(entry: 'push' | 'step'): void {
  const address = addressOf(view);
  const isSame = address === location.pathname + location.search;
  if (isSame || (entry === 'step' && history.state === 'step')) history.replaceState(entry, '', address);
  else history.pushState(entry, '', address);
}

/** Training is an entry of the history of its own, at the address of the page that it covers. */
function beginTraining(): void {
  history.pushState(TRAINING, '', location.href);
  train();
}

/** What was asked is no longer awaited: an answer that came late would give away the move that is asked for. */
function train(): void {
  positions.stop();
  bookAsker.stop();
  loading?.abort();
  slip('');
  training.enter();
}

/** Shows what the entry of the history says. */
function revisit(): void {
  if (history.state === TRAINING) return train();
  if (training.isOn) training.close();
  restore();
}

/** Shows what the address says. */
function restore(): void {
  const { fen, play, ply, game, side, repertoire, filters } = readAddress(location.search);
  const rest = { side, repertoire, filters };
  if (game !== null) return restoreGame(game, ply, rest);
  try {
    const line = Line.of(fen, play);
    to({ ...rest, line, ply: Math.min(ply ?? line.steps.length, line.steps.length), game: null }, 'keep');
  } catch (error) {
    to({ ...rest, line: Line.initial, ply: 0, game: null }, 'keep');
    slip(`The address cannot be shown: ${(error as Error).message}.`);
  }
}

function restoreGame(id: string, ply: number | null, rest: Pick<View, 'side' | 'repertoire' | 'filters'>): void {
  const show = (game: GameAnswer, line: Line) => to({ ...rest, line, ply: Math.min(ply ?? line.steps.length, line.steps.length), game }, 'keep');
  void load(id, show, () => to({ ...rest, line: Line.initial, ply: 0, game: null }, 'keep'));
}

/** Asks for a game; if there is none, `fall` shows something else. */
async function load(id: string, show: (game: GameAnswer, line: Line) => void, fall = () => {}): Promise<void> {
  loading?.abort();
  const running = (loading = new AbortController());
  busy(true);
  try {
    const game = await fetchOnce<GameAnswer>(`/eco/game/${encodeURIComponent(id)}`, undefined, running.signal);
    if (!running.signal.aborted) show(game, lineOf(game.start, game.moves));
  } catch (error) {
    if (running.signal.aborted) return;
    busy(false);
    fall();
    slip(`The game cannot be shown: ${(error as Error).message}`);
  }
}

function busy(isBusy: boolean): void {
  byId('right').toggleAttribute('aria-busy', isBusy);
}

function lineOf(start: string, moves: readonly { uci: string }[]): Line {
  return Line.of(start === INITIAL_FEN ? '' : start, moves.map((move) => move.uci));
}

// ---- What buttons and lists do

function go(ply: number): void {
  const bounded = Math.max(0, Math.min(ply, view.line.steps.length));
  if (bounded !== view.ply) to({ ...view, ply: bounded }, 'step');
}

function play(uci: string): void {
  const next = afterUci(view, uci);
  if (next !== view) to(next, 'push');
}

/** What is needed of a line that was typed or pasted. */
type Read = Pick<LineAnswer, 'start' | 'notes' | 'error'> & { moves: readonly { uci: string }[] };

function openLine(fen: string, moves: readonly string[]): void {
  const line = Line.of(fen, moves);
  to({ ...view, line, ply: line.steps.length, game: null }, 'push');
}

function openGame(listed: ListedGame): void {
  const fen = view.line.fen(view.ply);
  void load(listed.id, (game, line) => {
    to({ ...view, line, ply: Math.max(0, line.find(fen, listed.uci)), game }, 'push');
    // The list is far below the game, and on a phone far below the board, which counts more.
    for (const id of ['game', 'board']) byId(id).scrollIntoView({ block: 'nearest' });
    said.now(`Game ${game.white.name} against ${game.black.name}, ${game.result}`);
  });
}

function pasted(answer: Read): void {
  const line = lineOf(answer.start, answer.moves);
  to({ ...view, line, ply: line.steps.length, game: null }, 'push');
  slip(answer.error === null ? answer.notes.join('; ') : `The moves end early: ${answer.error}`);
}

function flip(): void {
  if (training.isOn) return training.flip();
  to({ ...view, side: view.side === 'white' ? 'black' : 'white' }, 'step');
}

/** Takes what is typed: at once, if the page can read it, or as the server reads it. */
async function type(): Promise<void> {
  const box = byId<HTMLInputElement>('typed');
  const text = box.value.trim();
  slip('');
  if (text === '') return;
  const position = training.isOn ? training.position : positionOf(view);
  const move = typedMove(position, text);
  try {
    const fen = makeFen(position.toSetup());
    const read = move ? { start: fen, moves: [{ uci: uciOf(position, move) }], notes: [], error: null } : await readLine(text, fen);
    // Somebody has gone on meanwhile.
    if (position !== (training.isOn ? training.position : positionOf(view))) return;
    if (read.error !== null) return slip(`${text} cannot be played: ${read.error}`);
    if (training.isOn && !training.typed(read.moves)) return slip(`${text} is not one move.`);
    box.value = '';
    if (!training.isOn) typed(read, fen);
  } catch (error) {
    slip((error as Error).message);
  }
}

/** Plays the moves, or shows what has a position of its own: a FEN, an address, a game. */
function typed(read: Read, fen: string): void {
  if (keyOf(read.start) !== keyOf(fen)) return pasted(read);
  const ucis = read.moves.map((move) => move.uci);
  const line = view.line.playAll(ucis, view.ply);
  to({ ...view, line, ply: view.ply + ucis.length, game: line === view.line ? view.game : null }, 'push');
  slip(read.notes.join('; '));
}

// ---- What is asked

function ask(): void {
  answer = null;
  books = null;
  const question = questionOf(view);
  const many = new URLSearchParams([...question, ['topGames', '8'], ['recentGames', '8']]);
  if (!hasRepertoires || view.repertoire === '-') bookAsker.stop();
  else askBooks(question);
  positions.ask('/eco/position', many, { answered: showAnswer, waiting: () => busy(true), failed: showFailure });
}

function askBooks(question: URLSearchParams): void {
  const query = new URLSearchParams(question);
  if (view.repertoire !== '') query.append('name', view.repertoire);
  const answered = (found: Books) => {
    books = found;
    editing.know(view, found);
    if (!answer) return;
    showBooks();
    showMoves(answer);
  };
  const failed = (reason: string) => {
    // What is wrong with the question itself is said above already.
    if (answer) byId('books').replaceChildren(h('p', { class: 'error' }, `Repertoires cannot be read: ${reason}`));
  };
  bookAsker.ask('/eco/repertoires', query, { answered, waiting: () => {}, failed });
}

// ---- What is shown

function hrefTo(change: Partial<View>): string {
  return addressOf({ ...view, ...change });
}

function showBoard(): void {
  const { line, ply, side, game } = view;
  const step = line.steps[ply - 1];
  board.show({ position: positionOf(view), lastMove: step && parseUci(step.uci), bottom: side });
  board.mark([]);
  refill(byId('line'), lineParts(view, (to) => hrefTo({ ply: to }), go), '.current');
  scrollInto(byId('line'), '.current');
  refill(byId('game'), [game && gameCard(game, () => to({ ...view, game: null }, 'push'))], 'button');
  for (const [id, off] of [['first', ply === 0], ['back', ply === 0], ['forward', ply === line.steps.length], ['last', ply === line.steps.length]] as const) {
    byId(id).setAttribute('aria-disabled', String(off));
  }
  byId<HTMLInputElement>('fen').value = line.fen(ply);
  byId<HTMLAnchorElement>('home').href = hrefTo({ line: Line.initial, ply: 0, game: null });
  byId<HTMLSelectElement>('repertoire').value = view.repertoire;
  form.show(view.filters);
  byId<HTMLAnchorElement>('report').href = reportAddress(view.filters);
}

/** Scrolls a list, but never the page. */
function scrollInto(list: HTMLElement, selector: string): void {
  const item = list.querySelector<HTMLElement>(selector);
  list.scrollTop = item ? item.offsetTop - list.clientHeight / 2 : 0;
}

function showAnswer(found: PositionAnswer): void {
  answer = found;
  busy(false);
  if (found.notes.length > 0) slip(found.notes.join('; '));
  refill(byId('opening'), openingParts(view, found, (ply) => hrefTo({ ply }), go), 'a');
  showBooks();
  showMoves(found);
  const list = { current: view.game?.id, hrefOf: (game: ListedGame) => gameAddress(view, game.id), open: openGame, point: (uci: string | null) => board.point(uci) };
  refill(byId('games'), gameParts(found, list), 'a');
  document.title = found.opening && view.ply > 0 ? `${found.opening.eco} ${found.opening.name} · eco` : 'eco';
  said.position([found.opening?.name, games(total(found))].filter((part) => part).join('. '));
}

/** The family of a full name: the part before its colon or, without one, before its first comma. */
function familyOf(name: string): string | undefined {
  return name.split(name.includes(':') ? ':' : ',')[0];
}

function showMoves(found: PositionAnswer): void {
  const position = positionOf(view);
  const shown = view;
  refill(byId('moves'), moveParts(found, {
    number: position.fullmoves,
    turn: position.turn,
    family: found.opening ? familyOf(found.opening.name) : undefined,
    marks: marksOf(books, total(found)),
    owner: ownerOf(view),
    isFiltered: view.filters.size > 0,
    next: view.line.steps[view.ply]?.uci,
    hrefOf: (uci) => addressOf(afterUci(shown, uci)),
    // The table of the position before is still there while the server thinks.
    play: (uci) => (shown.line.fen(shown.ply) === view.line.fen(view.ply) ? play(uci) : undefined),
    point: (uci) => board.point(uci),
  }), 'tbody a, button');
}

/** The player whose results are shown, if one is chosen with a colour. */
function ownerOf({ filters }: View): Owner | null {
  const side = playerSide(filters);
  return side && { name: filters.get('player')!.join(' or '), side };
}

function showBooks(): void {
  const games = answer ? total(answer) : 0;
  board.mark([...arrowsOf(marksOf(books, games)), ...drawnOf(books)]);
  refill(byId('books'), bookParts(books, games), 'a');
}

function showFailure(reason: string): void {
  busy(false);
  const again = h('button', { type: 'button', click: ask }, 'Try again');
  byId('opening').replaceChildren();
  byId('books').replaceChildren();
  byId('games').replaceChildren();
  refill(byId('moves'), [h('div', { class: 'failure', role: 'alert' }, h('p', { class: 'error' }, reason), again)], 'button');
}

/** A mistake in what somebody typed or followed. */
function slip(text: string): void {
  byId('slip').textContent = text;
  byId('slip').hidden = text === '';
}

// ---- The beginning

function listen(): void {
  const buttons: Record<string, () => void> = {
    first: () => go(0), back: () => go(view.ply - 1), forward: () => go(view.ply + 1), last: () => go(view.line.steps.length), flip,
    help: () => byId<HTMLDialogElement>('help-dialog').showModal(), copy,
  };
  for (const [id, press] of Object.entries(buttons)) byId(id).addEventListener('click', press);
  byId('home').addEventListener('click', (event) => {
    event.preventDefault();
    to({ ...view, line: Line.initial, ply: 0, game: null }, 'push');
  });
  byId('type').addEventListener('submit', (event) => {
    event.preventDefault();
    void type();
  });
  byId('repertoire').addEventListener('change', (event) => to({ ...view, repertoire: (event.target as HTMLSelectElement).value }, 'push'));
  document.addEventListener('keydown', key);
  addEventListener('popstate', revisit);
}

function key(event: KeyboardEvent): void {
  const isTyping = (event.target as Element).closest('input:not([type=checkbox]), select, textarea, dialog');
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys: Record<string, () => void> = {
    ArrowLeft: () => go(view.ply - 1), ArrowRight: () => go(view.ply + 1), Home: () => go(0), End: () => go(view.line.steps.length),
    f: flip, a: () => editing.add(), m: () => byId('typed').focus(), '?': () => byId<HTMLDialogElement>('help-dialog').showModal(),
  };
  const trainingKeys: Record<string, () => void> = { u: () => training.undo(), s: () => training.suspend(), b: () => training.bury() };
  const act = keys[event.key] ?? (training.isOn ? trainingKeys[event.key] : undefined);
  const isWalk = ['ArrowLeft', 'ArrowRight', 'Home', 'End'].includes(event.key);
  if (!act || (training.isOn && isWalk)) return;
  event.preventDefault();
  act();
}

async function copy(): Promise<void> {
  const box = byId<HTMLInputElement>('fen');
  box.select();
  await navigator.clipboard.writeText(box.value);
  said.now('The FEN is copied');
  byId('copy').textContent = 'Copied';
  setTimeout(() => (byId('copy').textContent = 'Copy'), 1500);
}

async function begin(): Promise<void> {
  listen();
  const asked = fetchOnce<Collections>('/eco/collections');
  // The language of what is asked depends on the answer, which comes at once.
  await asked.then((has) => choose(has.lang), () => choose('en'));
  restore();
  try {
    const has = await asked;
    about(has);
    form.offer(has.collections);
    if (has.repertoires.length > 0) offerRepertoires(has.repertoires);
    if (has.training) {
      training.offer(has.training);
      editing.offer(has.editing);
    }
    if (has.training && history.state === TRAINING) train();
  } catch {
    // What fails here fails for the position as well, and is said there.
  }
}

function offerRepertoires(repertoires: Collections['repertoires']): void {
  const select = byId<HTMLSelectElement>('repertoire');
  const all = repertoires.length > 1 ? 'All repertoires' : `Repertoire: ${repertoires[0]!.name}`;
  const each = repertoires.length > 1 ? repertoires : [];
  select.append(h('option', { value: '' }, all), ...each.map(({ name }) => h('option', { value: name }, name)), h('option', { value: '-' }, 'No repertoire'));
  select.value = view.repertoire;
  byId('repertoire-label').hidden = false;
  hasRepertoires = true;
  if (view.repertoire !== '-') askBooks(questionOf(view));
}

function about(has: Collections): void {
  const names = has.collections.map(({ name, counted }) => `${name}, ${games(counted)}`).join(' · ');
  byId('about').replaceChildren(names, h('br'), `eco ${has.version} · `, h('a', { href: '/third-party.txt' }, 'Licences'), ' · ', languageChoice());
}

/** The choice of a language for names and piece letters; the page begins anew with it. */
function languageChoice(): HTMLElement {
  const change = (event: Event) => {
    const query = new URLSearchParams(location.search);
    query.set('lang', (event.target as HTMLSelectElement).value);
    location.search = query.toString();
  };
  const options = choices().map(([code, name]) => h('option', { value: code, selected: code === language() }, name));
  return h('select', { 'aria-label': 'Language of openings and moves', change }, ...options);
}

void begin();
