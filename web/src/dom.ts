/** Elements, made of text and attributes only: names in games are hostile text, and nothing here reads HTML. */

export type Child = Node | string | number | null | undefined | false;
type Value = string | number | boolean | null | undefined | ((event: any) => void);

/** An element. A function is a listener; `true` is an attribute without a value; `false` and null are none. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, Value> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...present(children));
  return element;
}

/** The children that there are. */
export function present(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child) => (child === null || child === undefined || child === false ? [] : [child instanceof Node ? child : String(child)]));
}

/** The element of index.html with this id. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

/**
 * Replaces what an element holds. If the focus was inside, it goes to what `selector` finds now, so that
 * nobody who plays by keyboard is thrown back to the top of the page.
 */
export function refill(element: HTMLElement, children: readonly Child[], selector: string): void {
  const hadFocus = element.contains(document.activeElement);
  element.replaceChildren(...present(children));
  if (hadFocus) element.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
}

/** A link within the page: it can be opened in a tab of its own, and a plain click stays here. */
export function inner(href: string, follow: () => void, attributes: Record<string, Value>, ...children: Child[]): HTMLAnchorElement {
  const click = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button !== 0) return;
    event.preventDefault();
    follow();
  };
  return h('a', { ...attributes, href, click }, ...children);
}
