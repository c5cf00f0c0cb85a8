/** What is said of a position that is asked: why, whether the answer was right, and what the book and the games have there. */

import type { Answered, Asked, Lesson, Outlook, TrainReply } from './api';
import { written } from './language';
import type { Line } from './line';
import { games, moveNumber, percent } from './words';

/** Why a position is asked. */
export function whyAsked(asked: Asked): string {
  const words: Record<Asked['reason'], string> = {
    departures: `${games(asked.games ?? 0)} left the book here`,
    due: 'Due',
    changed: `The book has changed: it no longer has ${asked.old}`,
    new: 'New',
    missed: 'Once more',
    learned: 'Once more',
    'on the way': 'On the way',
  };
  return words[asked.reason];
}

/** The most moves of the book that are named beside the main one. */
const MAX_OTHERS = 5;

/** The main move of the book, and its others: `, also Nf3`. */
function movesOf({ book }: Lesson): [main: string | undefined, also: string] {
  const [main, ...others] = book.map((move) => written(move.san));
  const rest = others.length > MAX_OTHERS ? ` and ${others.length - MAX_OTHERS} more` : '';
  return [main, others.length > 0 ? `, also ${others.slice(0, MAX_OTHERS).join(', ')}${rest}` : ''];
}

/** What is to be learned: the moves of the book. */
export function learnOf(lesson: Lesson): string {
  const [main, also] = movesOf(lesson);
  return `Learn: ${lesson.number} ${main}${also}`;
}

/** Whether an answer was right, and what the book has. */
export function verdictOf(answered: Answered): string {
  const { kind, given, number } = answered;
  const [main, also] = movesOf(answered);
  const played = `${number} ${given ? written(given.san) : ''}`;
  const words: Record<Answered['kind'], string> = {
    main: `Right: ${played}${also}`,
    alternative: `Right: ${played}; the main move is ${number} ${main}`,
    transposition: `Right: ${played} leads to another line of the book; here it has ${number} ${main}${also}`,
    mistake: `Wrong: ${played} is a known mistake; the book has ${number} ${main}${also}`,
    wrong: `Wrong: ${played}; the book has ${number} ${main}${also}`,
    shown: `The book has ${number} ${main}${also}`,
  };
  return words[kind];
}

/** What the book says of a mistake that was given, the moves that refute it last, and of its own move. */
export function commentsOf({ mistake, comments }: Answered): string[] {
  return [...(mistake?.comments ?? []), mistake?.refutation ?? '', ...comments].filter((comment) => comment !== '');
}

/** How the games of the repertoire went there. */
export function playedThere({ played }: Lesson): string {
  const each = played.map(({ san, games: count, score, inBook }) => {
    const parts = [games(count), score !== null && percent(score, 100), !inBook && 'not in the book'];
    return `${written(san)} (${parts.filter((part) => part !== false).join(', ')})`;
  });
  return each.length > 0 ? `Played: ${each.join(', ')}` : '';
}

/** When it is asked again; what was new waits for the end of the session. */
export function askedAgain({ right, days }: Answered, wasNew = false): string {
  return right && !wasNew ? `Asked again ${inDays(days)}` : 'Asked once more at the end';
}

export function inDays(days: number): string {
  return days === 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
}

/** What comes next. */
export function comingOf({ due, tomorrow, week, days, ...outlook }: Outlook): string {
  const nothing = days === null ? 'Nothing is due' : `Nothing is due; the next position is due ${inDays(days)}`;
  const next = due === 0 && week === 0 ? nothing : `Due: ${due} now, ${tomorrow} tomorrow, ${week} within a week`;
  const counts = ([[outlook.new, 'new'], [outlook.suspended, 'suspended'], [outlook.buried, 'buried']] as const).filter(([count]) => count > 0);
  return [next, ...counts.map(([count, what]) => `${count} ${what}`)].join('; ');
}

/** What is said at the end of a session. */
export function outlookOf({ outlook, score }: TrainReply): string {
  if (!outlook) return '';
  return `${score.answers > 0 ? `${score.right} of ${score.answers} answers right. ` : ''}${comingOf(outlook)}.`;
}

/** A line as a score sheet has it: `1. d4 Nf6 2. c4`. */
export function movetext(line: Line): string {
  const words = line.steps.map((step, index) => (step.turn === 'white' || index === 0 ? `${moveNumber(step.number, step.turn)} ${step.san}` : step.san));
  return words.join(' ');
}
