/** What the page shows: a line and a place in it, a game, filters. */

import { parseUci } from 'chessops/util';
import type { Chess } from 'chessops/chess';
import type { Move } from 'chessops/types';
import { addFilters, playerSide, writeAddress, type Filters, type Side } from './address';
import type { GameAnswer } from './api';
import type { Line } from './line';

export interface View {
  line: Line;
  ply: number;
  /** The game whose moves the line has; null while the line is somebody's own. */
  game: GameAnswer | null;
  side: Side;
  repertoire: string;
  filters: Filters;
}

export function positionOf(view: View): Chess {
  return view.line.at(view.ply);
}

export function addressOf(view: View): string {
  const { line, ply, game, side, repertoire, filters } = view;
  return writeAddress({
    fen: line.isFromInitial ? '' : line.startFen,
    play: line.ucis(),
    ply: ply === line.steps.length ? null : ply,
    game: game?.id ?? null,
    side,
    repertoire,
    filters,
  });
}

/** The address of the beginning of a game, with the filters of the view. */
export function gameAddress({ side, repertoire, filters }: View, game: string): string {
  return writeAddress({ fen: '', play: [], ply: 0, game, side, repertoire, filters });
}

/** What the server is asked: the way to the position, and the games that count. */
export function questionOf(view: View): URLSearchParams {
  const query = new URLSearchParams();
  if (!view.line.isFromInitial) query.set('fen', view.line.startFen);
  const play = view.line.ucis(view.ply);
  if (play.length > 0) query.set('play', play.join(','));
  addFilters(query, view.filters);
  return query;
}

/** The view with other filters. The board turns to the player whom they choose with a colour. */
export function withFilters(view: View, filters: Filters): View {
  const side = playerSide(filters);
  return { ...view, filters, side: side === playerSide(view.filters) ? view.side : (side ?? 'white') };
}

/** The view after a move; the game stays if it has this move. */
export function afterMove(view: View, move: Move): View {
  const line = view.line.play(move, view.ply);
  return { ...view, line, ply: view.ply + 1, game: line === view.line ? view.game : null };
}

/** The view after a move in UCI notation, or the same if it is not legal here. */
export function afterUci(view: View, uci: string): View {
  const move = parseUci(uci);
  return move && positionOf(view).isLegal(move) ? afterMove(view, move) : view;
}
