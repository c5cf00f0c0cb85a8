/** The box that finds an opening by name or code. */

import { Asker, type Openings } from './api';
import { byId, h } from './dom';

type Found = Openings['openings'][number];

export class Finder {
  private readonly box = byId<HTMLInputElement>('find');
  private readonly list = byId('found');
  private readonly asker = new Asker<Openings>();
  private found: Found[] = [];
  private current = -1;

  constructor(private readonly choose: (opening: Found) => void) {
    this.box.addEventListener('input', () => this.search());
    this.box.addEventListener('focus', () => this.search());
    this.box.addEventListener('blur', () => this.close());
    this.box.addEventListener('keydown', (event) => this.key(event));
  }

  private search(): void {
    const search = this.box.value.trim();
    if (search.length < 2) return this.close();
    this.asker.ask('/eco/openings', new URLSearchParams({ search, limit: '12' }), {
      answered: (answer) => this.show(answer.openings),
      waiting: () => {},
      failed: (reason) => this.say(reason),
    });
  }

  private show(found: Found[]): void {
    this.found = found;
    this.current = -1;
    if (found.length === 0) return this.say('No opening has this name');
    this.list.replaceChildren(...found.map((opening, index) => this.option(opening, index)));
    this.open();
  }

  private say(text: string): void {
    this.found = [];
    this.list.replaceChildren(h('li', { role: 'option', 'aria-disabled': 'true', class: 'quiet' }, text));
    this.open();
  }

  private option(opening: Found, index: number): HTMLElement {
    // The list closes when the box loses the focus: a press must come before that.
    const press = (event: MouseEvent) => {
      event.preventDefault();
      this.take(index);
    };
    return h('li', { role: 'option', id: `found-${index}`, 'aria-selected': 'false', mousedown: press }, h('span', { class: 'code' }, opening.eco), ' ', opening.name);
  }

  private open(): void {
    if (document.activeElement !== this.box) return;
    this.list.hidden = false;
    this.box.setAttribute('aria-expanded', 'true');
  }

  private close(): void {
    this.asker.stop();
    this.list.hidden = true;
    this.box.setAttribute('aria-expanded', 'false');
    this.box.removeAttribute('aria-activedescendant');
  }

  private key(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.close();
    else if (event.key === 'Enter') this.take(Math.max(0, this.current));
    else if (event.key === 'ArrowDown') this.reach(this.current + 1);
    else if (event.key === 'ArrowUp') this.reach(this.current - 1);
    else return;
    event.preventDefault();
  }

  private reach(index: number): void {
    if (this.found.length === 0) return;
    this.current = (index + this.found.length) % this.found.length;
    [...this.list.children].forEach((option, place) => option.setAttribute('aria-selected', String(place === this.current)));
    this.list.children[this.current]?.scrollIntoView({ block: 'nearest' });
    this.box.setAttribute('aria-activedescendant', `found-${this.current}`);
  }

  private take(index: number): void {
    const opening = this.found[index];
    if (!opening) return;
    this.box.value = '';
    this.found = [];
    this.close();
    this.choose(opening);
  }
}
