/** The dialog for a FEN, a game or moves, and what is pasted anywhere on the page. */

import { readLine, type LineAnswer } from './api';
import { byId } from './dom';

/** A request has 64 KiB in all, and letters that are escaped take three. */
const LIMIT = 20_000;

export class PasteDialog {
  private readonly dialog = byId<HTMLDialogElement>('paste-dialog');
  private readonly box = byId<HTMLTextAreaElement>('pasted');
  private readonly slip = byId('paste-slip');

  constructor(private readonly show: (answer: LineAnswer) => void) {
    byId('paste').addEventListener('click', () => this.open(''));
    byId('paste-close').addEventListener('click', () => this.dialog.close());
    this.dialog.querySelector('form')!.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.read();
    });
    document.addEventListener('paste', (event) => this.pasted(event));
  }

  private open(text: string): void {
    this.box.value = text;
    this.slip.hidden = true;
    if (!this.dialog.open) this.dialog.showModal();
    this.box.focus();
  }

  private pasted(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if ((event.target as Element).closest?.('input, textarea') || text.trim() === '' || document.querySelector('dialog[open]')) return;
    event.preventDefault();
    this.open(text);
    void this.read();
  }

  private async read(): Promise<void> {
    const text = shortened(this.box.value.trim());
    this.dialog.setAttribute('aria-busy', 'true');
    try {
      const answer = await readLine(text);
      // Whoever closed the dialog does not want it any more.
      if (!this.dialog.open) return;
      this.show(answer);
      this.dialog.close();
    } catch (error) {
      this.slip.textContent = (error as Error).message;
      this.slip.hidden = false;
    } finally {
      this.dialog.removeAttribute('aria-busy');
    }
  }
}

/** Long games without their comments and clocks, which nobody sees here. */
export function shortened(text: string): string {
  const size = (each: string) => new TextEncoder().encode(each).length;
  return size(text) <= LIMIT ? text : text.replace(/\{[^}]*\}/g, ' ').replace(/;[^\n]*/g, ' ').replace(/[ \t]+/g, ' ');
}
