/** The box that finds an opening by name or code, and in which all of them can be browsed. */

import { Asker, type FoundOpening as Found, type Openings } from './api';
import { byId, h } from './dom';

export class Finder {
  private readonly box = byId<HTMLInputElement>('find');
  private readonly list = byId('found');
  private readonly asker = new Asker<Openings>();
  private found: Found[] = [];
  private current = -1;
  /** The name whose variations are shown, while the box is empty. */
  private below = '';

  constructor(private readonly choose: (opening: Found) => void) {
    this.box.addEventListener('input', () => this.search());
    this.box.addEventListener('focus', () => this.search());
    this.box.addEventListener('blur', () => this.close());
    this.box.addEventListener('keydown', (event) => this.key(event));
  }

  private search(): void {
    const search = this.box.value.trim();
    if (search.length === 1) return this.close();
    if (search !== '') this.below = '';
    const asked: Record<string, string> = search === '' ? { below: this.below } : { search, limit: '12' };
    this.asker.ask('/eco/openings', new URLSearchParams(asked), {
      answered: (answer) => this.show(answer.openings),
      waiting: () => {},
      failed: (reason) => this.say(reason),
    });
  }

  /** Shows what is below an opening, or the families again. */
  private browse(below: string): void {
    this.below = below;
    this.box.value = '';
    this.search();
  }

  private show(found: Found[]): void {
    this.found = found;
    this.current = -1;
    if (found.length === 0) return this.say('No opening has this name');
    const back = this.below === '' ? [] : [this.back()];
    this.list.replaceChildren(...back, ...found.map((opening, index) => this.option(opening, index)));
    this.list.scrollTop = 0;
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
    const below = opening.below ? this.opener(opening.name, `Variations of ${opening.name}`, '›') : null;
    const games = opening.games === undefined ? null : h('span', { class: 'quiet games' }, opening.games.toLocaleString('en'));
    const by = opening.foundBy === undefined ? null : h('span', { class: 'quiet' }, ` ${opening.foundBy}`);
    return h(
      'li',
      { role: 'option', id: `found-${index}`, 'aria-selected': 'false', mousedown: press },
      h('span', { class: 'name' }, h('span', { class: 'code' }, opening.eco), ' ', opening.part ?? opening.name, by),
      games,
      below,
    );
  }

  private back(): HTMLElement {
    return h('li', { role: 'presentation', class: 'quiet' }, this.opener(this.above(), 'Back', '‹'), h('span', { class: 'name' }, this.below));
  }

  /** The name that this part of the tree belongs to. */
  private above(): string {
    const end = Math.max(this.below.lastIndexOf(': '), this.below.lastIndexOf(', '));
    return end < 0 ? '' : this.below.slice(0, end);
  }

  private opener(below: string, label: string, sign: string): HTMLElement {
    const press = (event: MouseEvent) => {
      event.preventDefault();
      event.stopPropagation();
      this.browse(below);
    };
    return h('span', { role: 'button', class: 'below', 'aria-label': label, title: label, mousedown: press }, sign);
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
    else if (event.key === 'Enter') this.take(this.box.value === '' ? this.current : Math.max(0, this.current));
    else if (event.key === 'ArrowDown') this.reach(this.current + 1);
    else if (event.key === 'ArrowUp') this.reach(this.current - 1);
    else if (event.key === 'ArrowRight' && this.found[this.current]?.below) this.browse(this.found[this.current]!.name);
    else if (event.key === 'ArrowLeft' && this.box.value === '' && this.below !== '') this.browse(this.above());
    else return;
    event.preventDefault();
  }

  private reach(index: number): void {
    if (this.found.length === 0) return;
    this.current = (index + this.found.length) % this.found.length;
    const options = [...this.list.querySelectorAll('[role=option]')];
    options.forEach((option, place) => option.setAttribute('aria-selected', String(place === this.current)));
    options[this.current]?.scrollIntoView({ block: 'nearest' });
    this.box.setAttribute('aria-activedescendant', `found-${this.current}`);
  }

  private take(index: number): void {
    const opening = this.found[index];
    if (!opening) return;
    this.box.value = '';
    this.found = [];
    this.below = '';
    this.close();
    this.choose(opening);
  }
}
