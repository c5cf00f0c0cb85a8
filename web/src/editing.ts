/** A repertoire is edited beside the board: the move that leads to the position, the last change undone, and its gaps. */

import { fetchOnce, forget, post, type BookPage, type Books, type Gap, type Gaps } from './api';
import type { Board } from './board';
import { byId, h, refill, type Child } from './dom';
import { written } from './language';
import { INITIAL_FEN } from './line';
import type { Said } from './said';
import { positionOf, type View } from './view';

const PATH = '/eco/edit';

/** The glyphs that are offered, by their numbers. */
const GLYPHS: [number, string][] = [[0, 'none'], [1, '!'], [5, '!?'], [6, '?!'], [2, '?'], [4, '??']];

/** The page around it. */
export interface EditingHost {
  /** Something was written: what is shown is asked for again. */
  changed(): void;
  open(fen: string, moves: readonly string[]): void;
}

export class Editing {
  private names: readonly string[] = [];
  /** The one that is edited. */
  private name = '';
  private view: View | null = null;
  private page: BookPage | null = null;
  private gaps: Gaps | null = null;
  /** The changes that were made here, by their numbers: the last can be taken back. */
  private changes: number[] = [];
  private isCommenting = false;
  private isSending = false;
  private slip = '';
  private done = '';

  constructor(
    private readonly board: Board,
    private readonly said: Said,
    private readonly host: EditingHost,
  ) {}

  /** Offers to edit repertoires. */
  offer(names: readonly string[]): void {
    this.names = names;
    this.name = names[0]!;
    byId('editing').hidden = false;
    this.show();
  }

  /** The position is another one, and what the repertoires say of it is not known yet. */
  moved(view: View): void {
    this.view = view;
    this.page = null;
    this.isCommenting = false;
    this.slip = '';
    this.show();
  }

  /** What the repertoires say of the position. */
  know(view: View, books: Books): void {
    this.view = view;
    this.page = books.repertoires.find((page) => page.name === this.name) ?? null;
    this.show();
  }

  /** Adds the line on the board. */
  add(): void {
    if (this.name !== '' && this.page && this.page.last === null) void this.send({});
  }

  private show(): void {
    if (this.name === '') return;
    const form = this.isCommenting ? this.commentForm() : this.buttons();
    refill(byId('editing'), [
      this.heading(), ...form,
      this.slip !== '' && h('p', { class: 'error', role: 'alert' }, this.slip),
      this.done !== '' && h('p', { class: 'quiet' }, this.done), this.gapList(),
    ], '.first');
  }

  private heading(): HTMLElement {
    if (this.names.length === 1) return h('h2', {}, `Edit ${this.name}`);
    const change = (event: Event) => {
      this.name = (event.target as HTMLSelectElement).value;
      this.changes = [];
      this.gaps = null;
      this.host.changed();
    };
    const select = h('select', { 'aria-label': 'Repertoire to edit', change }, ...this.names.map((name) => h('option', { value: name, selected: name === this.name }, name)));
    return h('h2', {}, 'Edit ', select);
  }

  private buttons(): Child[] {
    const step = this.view?.line.steps[this.view.ply - 1];
    const button = (text: string, click: () => void, attributes = {}) => h('button', { type: 'button', click, ...attributes }, text);
    const change = this.changes.at(-1);
    const undo = change !== undefined && button('Undo', () => void this.post({ do: 'undo', repertoire: this.name, change }), { title: 'Undo the last change that was made here' });
    if (!step) return [h('p', { class: 'quiet' }, 'Play a move to add it.'), h('p', { class: 'buttons' }, undo)];
    const move = `${step.number}${step.turn === 'white' ? '.' : '...'} ${written(step.san)}`;
    if (!this.page) return [h('p', { class: 'buttons' }, undo)];
    const { last } = this.page;
    if (!last) {
      return [h('p', {}, `${move} is not prepared.`), h('p', { class: 'buttons' }, button('Add the line', () => void this.send({}), { class: 'first', title: 'Add the line on the board (a)' }), undo)];
    }
    const glyphs = h('select', { 'aria-label': `Glyph of ${move}`, change: (event: Event) => void this.send({ glyph: Number((event.target as HTMLSelectElement).value) }) },
      h('option', { value: '' }, 'Glyph'), ...GLYPHS.map(([nag, sign]) => h('option', { value: nag }, sign)));
    return [
      h('p', {}, `${move} is ${last.mistake ? 'a mistake' : last.main ? 'the main move' : 'prepared'}.`),
      h('p', { class: 'buttons' },
        !last.main && !last.mistake && button('Main move', () => void this.send({ main: true })),
        !last.mistake && button('Mistake', () => void this.send({ glyph: 2 })), glyphs,
        button('Comment', () => this.comment(), { class: 'first' }),
        button('Remove', () => void this.send({ cut: true }), { title: `Remove ${move} and what only it leads to` }), undo),
    ];
  }

  private comment(): void {
    this.isCommenting = true;
    this.show();
    byId('comment').focus();
  }

  private commentForm(): Child[] {
    const text = h('textarea', { id: 'comment', rows: 3, 'aria-label': 'Comment' });
    text.value = this.page?.last?.comment ?? '';
    const submit = (event: Event) => {
      event.preventDefault();
      const drawn = this.board.drawn();
      void this.send({ comment: [...drawn, text.value.trim()].filter((part) => part !== '').join(' ') });
    };
    const cancel = () => {
      this.isCommenting = false;
      this.show();
    };
    return [h('form', { submit }, text, h('p', { class: 'quiet' }, 'Arrows and circles drawn on the board with the right mouse button are saved too.'),
      h('p', { class: 'buttons' }, h('button', { type: 'button', click: cancel }, 'Cancel'), h('button', { class: 'main' }, 'Save')))];
  }

  private gapList(): HTMLElement {
    const list = h('details', { class: 'gaps', open: this.gaps !== null }, h('summary', {}, this.gaps ? gapsTitle(this.gaps) : 'Gaps'));
    list.addEventListener('toggle', () => {
      if (!list.open) this.gaps = null;
      else if (!this.gaps) void this.askGaps();
    });
    if (this.gaps) list.append(h('ol', {}, ...this.gaps.gaps.map((gap) => h('li', {}, this.gapLink(gap)))));
    return list;
  }

  private gapLink(gap: Gap): HTMLElement {
    const open = () => this.host.open(gap.start === INITIAL_FEN ? '' : gap.start, gap.moves);
    return h('button', { type: 'button', class: 'gap', click: open, title: gap.opening ?? '' }, h('span', { class: 'met' }, `${gap.met.toFixed(1)} %`), ` ${gap.line}`);
  }

  private async askGaps(): Promise<void> {
    try {
      const found = await fetchOnce<{ repertoires: Gaps[] }>('/eco/gaps', new URLSearchParams({ name: this.name }));
      this.gaps = found.repertoires[0] ?? null;
    } catch (error) {
      this.slip = (error as Error).message;
    }
    this.show();
  }

  private async send(change: object): Promise<void> {
    if (!this.view) return;
    const { line, ply } = this.view;
    await this.post({ do: 'edit', repertoire: this.name, fen: line.isFromInitial ? '' : line.startFen, play: line.ucis(ply), ...change });
  }

  private async post(message: object): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    const before = this.view && positionOf(this.view);
    try {
      const { done, change } = await post<{ done: string; change: number | null }>(PATH, message);
      this.done = done;
      if (change === null) this.changes.pop();
      else if (change !== this.changes.at(-1)) this.changes.push(change);
      this.slip = '';
      this.isCommenting = false;
      this.said.now(this.done);
      forget();
      if (this.gaps) await this.askGaps();
      if (before === (this.view && positionOf(this.view))) this.host.changed();
    } catch (error) {
      this.slip = (error as Error).message;
    } finally {
      this.isSending = false;
    }
    this.show();
  }
}

function gapsTitle({ count, coverage }: Gaps): string {
  return `${count} ${count === 1 ? 'gap' : 'gaps'}; ${coverage.toFixed(1)} % of games meet none`;
}
