/** The question which piece a pawn becomes, on the file where it arrives. */

import { squareFile } from 'chessops/util';
import type { Role } from 'chessops/types';
import { h } from './dom';

const ROLES: Role[] = ['queen', 'rook', 'bishop', 'knight'];

/** The piece, or null if the question was closed without an answer. */
export function choosePromotion(frame: HTMLElement, color: 'white' | 'black', to: number, bottom: 'white' | 'black'): Promise<Role | null> {
  return new Promise((resolve) => {
    const before = document.activeElement as HTMLElement | null;
    const dialog = h('dialog', { class: 'promotion', 'aria-label': 'Promote the pawn to' });
    let chosen: Role | null = null;
    const choose = (role: Role) => () => {
      chosen = role;
      dialog.close();
    };
    dialog.append(...ROLES.map((role) => h('button', { type: 'button', class: `piece ${color} ${role}`, 'aria-label': role, click: choose(role) })));
    place(dialog, frame, bottom === 'white' ? squareFile(to) : 7 - squareFile(to), color === bottom);
    dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
    dialog.addEventListener('close', () => {
      dialog.remove();
      before?.focus({ preventScroll: true });
      resolve(chosen);
    });
    frame.append(dialog);
    dialog.showModal();
  });
}

/** A dialog is measured from the corner of the window, so it is laid upon its column here. */
function place(dialog: HTMLDialogElement, frame: HTMLElement, column: number, isAbove: boolean): void {
  const box = frame.getBoundingClientRect();
  const square = box.width / 8;
  dialog.style.left = `${box.left + column * square}px`;
  dialog.style.top = `${isAbove ? box.top : box.top + 4 * square}px`;
  dialog.style.width = `${square}px`;
  dialog.classList.toggle('below', !isAbove);
}
