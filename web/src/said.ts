/** What screen readers say: a move, and then what is known of the position. */

import { byId } from './dom';

/** Within this time, in milliseconds, the move waits for what is known, so that both are said at once. */
const PATIENCE = 250;

export class Said {
  private readonly region = byId('said');
  private timer = 0;
  private waiting = '';

  move(words: string): void {
    clearTimeout(this.timer);
    this.waiting = words;
    this.timer = setTimeout(() => this.flush(''), PATIENCE);
  }

  /** What is known of the position; it is said only after a move. */
  position(words: string): void {
    if (this.waiting === '' && this.timer === 0) return;
    clearTimeout(this.timer);
    this.flush(words);
    this.timer = 0;
  }

  now(words: string): void {
    this.region.textContent = words;
  }

  private flush(words: string): void {
    this.now([this.waiting, words].filter((part) => part !== '').join('. '));
    this.waiting = '';
  }
}
