/** A session of training: positions of a repertoire are asked on the board, and the answers are kept by the server. */

import { parseUci } from 'chessops/util';
import type { Chess } from 'chessops/chess';
import type { Move } from 'chessops/types';
import { post, type Answered, type Lesson, type TrainReply } from './api';
import type { Board } from './board';
import { byId, h, type Child } from './dom';
import { askedAgain, comingOf, commentsOf, learnOf, movetext, outlookOf, playedThere, verdictOf, whyAsked } from './lesson';
import { Line, spokenStep, uciOf } from './line';
import type { Said } from './said';

const PATH = '/eco/train';

/** The page around the training, which keeps the history of the browser, and has a position. */
export interface Host { enter(): void; leave(): void; fen(): string | null }

export class Training {
  /** Whether the board is that of a question. */
  isOn = false;
  private name = '';
  private side: 'white' | 'black' = 'white';
  /** The side of the last question: the board turns when it changes. */
  private color: 'white' | 'black' | null = null;
  private reply: TrainReply | null = null;
  /** The line of the question that is open or was answered last. */
  private line = Line.initial;
  /** Whether moves of the book are shown: an answer, or what is to be learned; the question waits. */
  private isAnswered = false;
  /** Whether the question that was answered last was new. */
  private wasNew = false;
  private isSending = false;
  /** Where the last answer came from: the focus goes back there. */
  private from: 'typed' | 'board' = 'board';

  constructor(
    private readonly board: Board,
    private readonly said: Said,
    private readonly host: Host,
  ) {}

  /** Offers to train a repertoire. */
  offer(name: string): void {
    this.name = name;
    const button = byId<HTMLButtonElement>('train');
    button.hidden = false;
    button.title = `Train ${name}`;
    button.addEventListener('click', () => (this.isOn ? this.host.leave() : this.host.enter()));
  }

  /** Asks how to train. */
  enter(): void {
    this.isOn = true;
    document.body.classList.add('training');
    byId('train').setAttribute('aria-pressed', 'true');
    byId('training').hidden = false;
    this.reply = null;
    this.isAnswered = false;
    this.line = Line.initial;
    this.show(Line.initial, null);
    const number = (id: string, value: string) => h('input', { id, inputmode: 'numeric', maxlength: 4, value, size: 4 });
    const [fresh, due] = [number('train-new', '10'), number('train-due', '100')];
    const check = (id: string) => h('input', { type: 'checkbox', id });
    const [whole, here, resume] = [check('train-line'), check('train-here'), check('train-resume')];
    const chapter = h('input', { id: 'train-chapter', maxlength: 200, size: 16, spellcheck: false });
    const fen = this.host.fen();
    const count = (input: HTMLInputElement) => Math.max(0, Number.parseInt(input.value, 10) || 0);
    const submit = (event: Event) => {
      event.preventDefault();
      const from = here.checked && fen !== null ? fen : '';
      this.color = null;
      void this.send({
        do: 'begin', new: count(fresh), due: count(due), line: whole.checked, from, chapter: chapter.value.trim(), resume: resume.checked,
      });
    };
    this.fill(
      h('h2', {}, `Train ${this.name}`),
      h('p', { class: 'quiet' }, 'Positions in which it is your turn are asked when they are about to be forgotten. Each answer is kept at once.'),
      h('form', { class: 'options', submit },
        h('label', {}, 'New positions a day ', fresh),
        h('label', {}, 'Due positions a day ', due),
        h('label', {}, whole, ' Play whole lines'),
        fen !== null && h('label', {}, here, ' Only what follows from the position on the board'),
        h('label', {}, 'Only chapters with ', chapter),
        h('label', {}, resume, ' Ask again what was suspended or buried'),
        h('p', { class: 'buttons' }, this.stopButton(), h('button', { class: 'main' }, 'Begin'))));
    this.focus('.main');
  }

  /** Ends the training, when something else is shown; what was answered is kept. */
  close(): void {
    this.isOn = false;
    document.body.classList.remove('training');
    byId('train').setAttribute('aria-pressed', 'false');
    byId('training').hidden = true;
    byId('training').replaceChildren();
  }

  /** The position that is asked, or was asked last. */
  get position(): Chess {
    return this.line.at(this.line.steps.length);
  }

  flip(): void {
    this.side = this.side === 'white' ? 'black' : 'white';
    this.redraw();
  }

  /** A move was made on the board. */
  made(move: Move): void {
    this.answer(move, 'board');
  }

  /** Moves were typed. Returns whether it is one, which is the answer. */
  typed(moves: readonly { uci: string }[]): boolean {
    const move = moves.length === 1 ? parseUci(moves[0]!.uci) : undefined;
    if (move) this.answer(move, 'typed');
    return move !== undefined;
  }

  private answer(move: Move, from: 'typed' | 'board'): void {
    const question = this.reply?.question;
    if (!question || this.isAnswered || this.isSending) return this.redraw();
    this.from = from;
    void this.send({ do: 'answer', question: question.question, uci: uciOf(this.position, move) });
  }

  private async send(what: object): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    try {
      const reply = await post<TrainReply>(PATH, what);
      if (!this.isOn) return;
      this.take(reply);
    } catch (error) {
      if (this.isOn) this.fail((error as Error).message);
    } finally {
      this.isSending = false;
    }
  }

  private take(reply: TrainReply): void {
    this.wasNew = !!reply.answered && !!this.reply?.question?.lesson;
    this.reply = reply;
    if (reply.answered) this.showAnswered(reply.answered);
    else this.next();
  }

  /** Takes back the last answer of today. */
  undo(): void {
    if (this.reply) void this.send({ do: 'undo' });
  }

  /** Asks for the position of the open question no more. */
  suspend(): void {
    this.pause('suspend');
  }

  /** Asks for the position of the open question and what follows no more today. */
  bury(): void {
    this.pause('bury');
  }

  private pause(what: 'suspend' | 'bury'): void {
    const question = this.reply?.question;
    const isAfter = this.isAnswered && this.reply?.answered;
    if (question && !isAfter) void this.send({ do: what, question: question.question });
  }

  /** Shows the question that is open, or the end. What is new is shown before it is asked. */
  private next(): void {
    const { question } = this.reply!;
    if (this.reply) this.reply = { ...this.reply, answered: null };
    this.isAnswered = false;
    if (!question) return this.end();
    if (question.color !== this.color) this.side = this.color = question.color;
    this.line = Line.of(question.start, question.moves);
    if (question.lesson) this.learn(question.lesson);
    else this.ask();
  }

  /** Shows the answer of a position that is new. */
  private learn(lesson: Lesson): void {
    this.isAnswered = true;
    const { question, outlook } = this.reply!;
    const main = lesson.book[0] && parseUci(lesson.book[0].uci);
    this.show(main ? this.line.play(main, this.line.steps.length) : this.line, null);
    const played = playedThere(lesson);
    const words = learnOf(lesson);
    this.fill(
      h('h2', {}, `Train ${question!.repertoire}`),
      outlook !== null && h('p', { class: 'quiet' }, comingOf(outlook)),
      h('p', { class: 'reason' }, whyAsked(question!)),
      h('p', { class: 'sofar' }, movetext(this.line)),
      h('p', { class: 'verdict' }, words),
      ...lesson.comments.map((comment) => h('p', { class: 'comment' }, comment)),
      played !== '' && h('p', { class: 'quiet' }, played),
      h('p', { class: 'buttons' }, this.stopButton(), ...this.pauseButtons(), h('button', { type: 'button', class: 'main', click: () => this.ask() }, 'Ask me')));
    this.said.now([words, ...lesson.comments].join('. '));
    this.focus('.main');
  }

  /** Asks the question that is open. */
  private ask(): void {
    const { question, score, outlook } = this.reply!;
    if (!question) return;
    this.isAnswered = false;
    this.show(this.line, null);
    const name = question.color === 'white' ? 'White' : 'Black';
    const so = score.answers > 0 ? ` · ${score.right} of ${score.answers} right` : '';
    const moves = movetext(this.line);
    const beginning = this.line.isFromInitial ? 'The first move' : 'Where a chapter begins';
    this.fill(
      h('h2', {}, `Train ${question.repertoire}`),
      outlook !== null && h('p', { class: 'quiet' }, comingOf(outlook)),
      h('p', { class: 'quiet' }, `${question.left} left${so}`),
      h('p', { class: 'reason' }, whyAsked(question)),
      h('p', { class: 'sofar' }, moves === '' ? beginning : moves),
      h('p', { class: 'verdict' }, `Your move, ${name}`),
      h('p', { class: 'buttons' }, this.stopButton(), ...this.pauseButtons(), h('button', { type: 'button', click: () => this.giveUp() }, 'Show the answer')));
    const last = this.line.steps.at(-1);
    this.said.now(`${whyAsked(question)}. ${last ? spokenStep(last) : beginning}. Your move, ${name}`);
    if (this.from === 'typed') byId('typed').focus({ preventScroll: true });
    else byId('board').querySelector<HTMLElement>('.grid [tabindex="0"]')?.focus({ preventScroll: true });
  }

  private giveUp(): void {
    const question = this.reply?.question;
    if (question && !this.isAnswered) void this.send({ do: 'answer', question: question.question, uci: null });
  }

  private showAnswered(answered: Answered): void {
    this.isAnswered = true;
    const given = answered.given && parseUci(answered.given.uci);
    this.show(answered.right && given ? this.line.play(given, this.line.steps.length) : this.line, answered);
    const verdict = verdictOf(answered);
    const kind = answered.right ? 'right' : 'wrong';
    const played = playedThere(answered);
    this.fill(
      h('h2', {}, `Train ${this.reply!.repertoire}`),
      h('p', { class: 'sofar' }, movetext(this.line)),
      h('p', { class: `verdict ${kind}` }, verdict),
      ...commentsOf(answered).map((comment) => h('p', { class: 'comment' }, comment)),
      played !== '' && h('p', { class: 'quiet' }, played),
      h('p', { class: 'quiet' }, askedAgain(answered, this.wasNew)),
      h('p', { class: 'buttons' }, this.stopButton(), this.undoButton(), h('button', { type: 'button', class: 'main', click: () => this.next() }, 'Next')));
    this.said.now([verdict, ...commentsOf(answered), askedAgain(answered, this.wasNew)].join('. '));
    this.focus('.main');
  }

  private end(): void {
    const words = outlookOf(this.reply!);
    this.fill(
      h('h2', {}, `Train ${this.name}`),
      h('p', { class: 'verdict' }, words),
      h('p', { class: 'buttons' }, this.stopButton(), h('button', { type: 'button', class: 'main', click: () => this.enter() }, 'Train more')));
    this.said.now(words);
    this.focus('.main');
  }

  private fail(reason: string): void {
    this.redraw();
    this.fill(
      h('h2', {}, `Train ${this.name}`),
      h('p', { class: 'error', role: 'alert' }, reason),
      h('p', { class: 'buttons' }, this.stopButton(), h('button', { type: 'button', class: 'main', click: () => this.enter() }, 'Begin again')));
    this.focus('.main');
  }

  private stopButton(): HTMLElement {
    return h('button', { type: 'button', click: () => this.host.leave() }, 'Stop');
  }

  private undoButton(): HTMLElement {
    return h('button', { type: 'button', title: 'Take back the last answer of today (u)', click: () => this.undo() }, 'Undo');
  }

  private pauseButtons(): HTMLElement[] {
    const title = 'Do not ask this position and what follows today (b)';
    return [
      this.undoButton(),
      h('button', { type: 'button', title: 'Ask this position no more (s)', click: () => this.suspend() }, 'Suspend'),
      h('button', { type: 'button', title, click: () => this.bury() }, 'Bury'),
    ];
  }

  private redraw(): void {
    const lesson = this.isAnswered && !this.reply?.answered ? this.reply?.question?.lesson : null;
    const main = lesson?.book[0] && parseUci(lesson.book[0].uci);
    if (main) return this.show(this.line.play(main, this.line.steps.length), null);
    const answered = this.isAnswered ? (this.reply?.answered ?? null) : null;
    this.show(this.line, answered);
  }

  /** Shows the end of a line, and the moves of the book if an answer is known. */
  private show(line: Line, answered: Answered | null): void {
    const step = line.steps.at(-1);
    this.board.show({ position: line.at(line.steps.length), lastMove: step && parseUci(step.uci), bottom: this.side });
    const isWrong = answered?.kind === 'wrong' || answered?.kind === 'mistake';
    const wrong = isWrong && answered.given ? [{ uci: answered.given.uci, kind: 'missing' as const }] : [];
    const book = answered && line === this.line ? answered.book.map(({ uci }) => ({ uci, kind: 'prepared' as const })) : [];
    this.board.mark([...wrong, ...book]);
  }

  private fill(...parts: Child[]): void {
    byId('training').replaceChildren(...parts.filter((part): part is Node => part instanceof Node));
  }

  private focus(selector: string): void {
    byId('training').querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
  }
}
