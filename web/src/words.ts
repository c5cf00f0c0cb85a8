/** Numbers and moves as people read and hear them. */

const PIECES: Record<string, string> = { K: 'king', Q: 'queen', R: 'rook', B: 'bishop', N: 'knight' };

const whole = new Intl.NumberFormat('en');

export function count(number: number): string {
  return whole.format(number);
}

/** `1 game`, `2,000 games`. */
export function games(number: number): string {
  return `${count(number)} ${number === 1 ? 'game' : 'games'}`;
}

/** A share in percent: whole, but `<1 %` for what is not nothing. */
export function percent(part: number, all: number): string {
  if (all === 0 || part === 0) return '0 %';
  const share = (100 * part) / all;
  return share < 0.5 ? '<1 %' : `${Math.round(share)} %`;
}

/** The number before a move: `3.` or `3…`. */
export function moveNumber(fullmoves: number, turn: 'white' | 'black'): string {
  return turn === 'white' ? `${fullmoves}.` : `${fullmoves}…`;
}

/** A move in SAN as it is said: `knight takes e5, check`. */
export function spoken(san: string): string {
  const end = san.endsWith('#') ? ', checkmate' : san.endsWith('+') ? ', check' : '';
  const move = san.replace(/[+#]$/, '');
  if (move === 'O-O') return `castles short${end}`;
  if (move === 'O-O-O') return `castles long${end}`;
  const promoted = /=([QRBN])$/.exec(move)?.[1];
  const plain = move
    .replace(/=[QRBN]$/, '')
    .replace(/^([KQRBN])/, (letter) => `${PIECES[letter]} `)
    .replace('x', ' takes ')
    .replace(/ {2,}/g, ' ');
  return `${plain}${promoted ? `, promotes to ${PIECES[promoted]}` : ''}${end}`;
}

/** A result as it is printed in lists. */
export function shortResult(result: string): string {
  return result === '1/2-1/2' ? '½–½' : result.replace('-', '–');
}
