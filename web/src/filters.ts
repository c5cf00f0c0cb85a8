/** The form of filters, and the filters in force as chips that can be removed. */

import { withFilter, type FilterName, type Filters } from './address';
import { Asker, type Collection, type Players } from './api';
import { byId, h, refill } from './dom';

/** Time without a key after which what is typed counts, in milliseconds. */
const PAUSE = 500;

const DATE = /^(\d{4}(-\d\d?(-\d\d?)?)?)?$/;
const RATING = /^(\d{3,4})?$/;
/** What is whole while it is being typed. */
const WHOLE: Record<string, RegExp> = {
  since: DATE, until: DATE, 'rating-from': RATING, 'rating-to': RATING, 'min-plies': /^\d*$/, event: /^/, site: /^/, opening: /^/,
};

export class FilterForm {
  private readonly form = byId<HTMLFormElement>('filters');
  private readonly toggle = byId('filter');
  private readonly players = new Asker<Players>();
  private filters: Filters = new Map();
  private timer = 0;
  /** Whether a button of the mouse is down. What moves the form then takes the click away. */
  private isPressed = false;
  private isDue = false;

  constructor(private readonly changed: (filters: Filters) => void) {
    this.toggle.addEventListener('click', () => this.open(this.form.hidden !== false));
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.apply();
    });
    // The change of a box or a list is the end of the press, whatever the browser says of the pointer.
    this.form.addEventListener('change', (event) => this.apply((event.target as HTMLElement).matches('select, [type=checkbox]')));
    this.form.addEventListener('input', (event) => this.typed(event.target as HTMLInputElement));
    this.watchPresses();
  }

  /** Filters wait until a press is over, and the click that it makes. */
  private watchPresses(): void {
    const release = () => {
      this.isPressed = false;
      if (this.isDue) setTimeout(() => this.isDue && this.apply());
    };
    addEventListener('pointerdown', () => (this.isPressed = true), true);
    for (const name of ['pointerup', 'pointercancel', 'keydown']) addEventListener(name, release, true);
    // A list that opens may keep the end of the press to itself.
    addEventListener('pointermove', (event) => this.isPressed && event.buttons === 0 && release(), true);
  }

  show(filters: Filters): void {
    this.filters = filters;
    // What is being typed in is not touched.
    for (const control of this.controls()) if (control !== document.activeElement) this.fill(control);
    this.suit();
    refill(byId('chips'), this.chips(), 'button');
  }

  offer(collections: readonly Collection[]): void {
    const select = this.control('collection');
    select.append(...collections.map(({ name }) => h('option', { value: name }, name)));
    byId('collection-label').hidden = collections.length < 2;
    this.fill(select);
  }

  private open(isOpen: boolean): void {
    this.form.hidden = !isOpen;
    this.toggle.setAttribute('aria-expanded', String(isOpen));
    if (isOpen) this.form.querySelector<HTMLElement>('label:not([hidden]) > :is(input, select)')?.focus();
  }

  private controls(): (HTMLInputElement | HTMLSelectElement)[] {
    return [...this.form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select')];
  }

  private control(name: string): HTMLInputElement | HTMLSelectElement {
    return this.form.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement;
  }

  private fill(control: HTMLInputElement | HTMLSelectElement): void {
    const values = this.filters.get(control.name as FilterName) ?? [];
    if (control instanceof HTMLInputElement && control.type === 'checkbox') {
      control.checked = values.flatMap((value) => value.split(',')).includes(control.value);
    } else control.value = this.text(control.name, values);
  }

  private text(name: string, values: readonly string[]): string {
    const rating = (this.filters.get('rating')?.[0] ?? '').split('..');
    switch (name) {
      case 'rating-from': return rating[0] ?? '';
      case 'rating-to': return rating[1] ?? '';
      default: return values[0] ?? '';
    }
  }

  /** What asks for a player is offered only if there is one. */
  private suit(): void {
    const hasPlayer = ['player', 'against'].some((name) => this.control(name).value.trim() !== '');
    this.form.querySelectorAll<HTMLOptionElement>('.sided').forEach((option) => (option.disabled = !hasPlayer));
    (this.control('rating-of') as HTMLSelectElement).disabled = !hasPlayer;
  }

  /** Half a name or a date is no filter: it counts with Enter, or when the field is left. */
  private typed(input: HTMLInputElement): void {
    clearTimeout(this.timer);
    const isName = input.name === 'player' || input.name === 'against';
    if (isName ? this.isOffered(input.value) : WHOLE[input.name]?.test(input.value.trim())) this.timer = setTimeout(() => this.apply(), PAUSE);
    if (isName) this.suggest(input.value.trim());
  }

  private isOffered(name: string): boolean {
    return name === '' || [...byId<HTMLDataListElement>('players').options].some((option) => option.value === name);
  }

  private suggest(name: string): void {
    if (name.length < 2) return;
    const answered = (answer: Players) => byId('players').replaceChildren(...answer.players.map((player) => h('option', { value: player.name })));
    this.players.ask('/eco/players', new URLSearchParams({ name }), { answered, waiting: () => {}, failed: () => {} });
  }

  private apply(isOver = !this.isPressed): void {
    clearTimeout(this.timer);
    this.isDue = !isOver;
    if (this.isDue) return;
    this.suit();
    const next = this.read();
    if (JSON.stringify([...next]) !== JSON.stringify([...this.filters])) this.changed(next);
  }

  private read(): Filters {
    const data = new FormData(this.form);
    const value = (name: string) => String(data.get(name) ?? '').trim();
    const single: FilterName[] = ['collection', 'player', 'color', 'against', 'result', 'rating-of', 'since', 'until', 'event', 'site', 'eco', 'opening', 'min-plies', 'variant', 'tag', 'rated'];
    let next = this.filters;
    for (const name of single) {
      // An address may name several values; the form changes only the first.
      if (value(name) !== (next.get(name)?.[0] ?? '')) next = withFilter(next, name, [value(name)]);
    }
    const [from, to] = [value('rating-from'), value('rating-to')];
    next = withFilter(next, 'rating', from || to ? [`${from}..${to}`] : []);
    next = withFilter(next, 'speed', [data.getAll('speed').join(',')]);
    return withFilter(next, 'from-position', [value('from-position')]);
  }

  private chips(): HTMLElement[] {
    const chips = [...this.filters].flatMap(([name, values]) => values.map((value) => this.chip(name, value)));
    const clear = () => this.changed(new Map());
    return chips.length > 1 ? [...chips, h('li', {}, h('button', { type: 'button', class: 'plain', click: clear }, 'Clear all'))] : chips;
  }

  private chip(name: FilterName, value: string): HTMLElement {
    const words = chipWords(name, value);
    const rest = (this.filters.get(name) ?? []).filter((each) => each !== value);
    const remove = () => this.changed(withFilter(this.filters, name, rest));
    return h('li', {}, h('button', { type: 'button', class: 'chip', 'aria-label': `Remove the filter ${words}`, click: remove }, words, h('span', { 'aria-hidden': 'true' }, '×')));
  }
}

const LABELS: Partial<Record<FilterName, string>> = {
  since: 'since', until: 'until', against: 'against', color: 'as', event: 'event', site: 'site', opening: 'opening', tag: 'tag', variant: 'variant', position: 'reaches', structure: 'pawns', material: 'material', not: 'not',
  'rating-of': 'rating of', collection: 'in', 'min-plies': 'half-moves at least', lasting: 'lasting',
};

const SIDED: Record<string, string> = { win: 'player won', loss: 'player lost', draw: 'draw' };

function chipWords(name: FilterName, value: string): string {
  switch (name) {
    case 'rated': return value === 'no' ? 'casual' : 'rated';
    case 'from-position': return 'set-up positions too';
    case 'rating': return ratingWords(value);
    case 'result': return SIDED[value] ?? value.replace('1/2-1/2', '½–½').replace(/-(?=\d)/, '–');
    case 'speed': return value.replaceAll(',', ', ');
    default: return LABELS[name] ? `${LABELS[name]} ${value}` : value;
  }
}

function ratingWords(value: string): string {
  const [from, to] = value.split('..');
  if (from && to) return `rated ${from} to ${to}`;
  return from ? `rated from ${from}` : `rated up to ${to}`;
}
