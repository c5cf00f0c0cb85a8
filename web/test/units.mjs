// What the page computes without a browser: node --test test/units.mjs

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { build } from 'esbuild';

const entry = ['line', 'address', 'words', 'view', 'repertoire', 'lesson', 'language'].map((name) => `export * from './src/${name}';`).join('\n');
const { outputFiles } = await build({ stdin: { contents: entry, resolveDir: new URL('..', import.meta.url).pathname, loader: 'ts' }, bundle: true, format: 'esm', write: false });
const page = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);

const { Line, typedMove, uciOf, readAddress, writeAddress, withFilter, spoken, percent, arrowsOf, marksOf, verdictOf, playedThere, whyAsked, outlookOf, learnOf, askedAgain, movetext, commentsOf, choose, written, toAsk, inAddress } = page;

test('castling is the move of the king, however it is written', () => {
  for (const castling of ['e1g1', 'e1h1']) {
    const line = Line.of('', ['e2e4', 'e7e5', 'g1f3', 'b8c6', 'f1b5', 'a7a6', castling]);
    assert.equal(line.ucis().at(-1), 'e1g1');
    assert.equal(line.steps.at(-1).san, 'O-O');
  }
  assert.equal(Line.of('r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1', ['e8a8']).ucis()[0], 'e8c8');
});

test('moves have the letters of the language that the address, the server or the browser chooses', () => {
  const rows = [
    ['', 'en', ['en-GB', 'de'], 'Nf3', undefined], ['', 'en', ['cs', 'de-AT'], 'Sf3', 'de'], ['', 'ru', ['de'], 'Кf3', undefined],
    ['?lang=es', 'ru', ['de'], 'Cf3', 'es'], ['?lang=en', 'ru', ['de'], 'Nf3', 'en'], ['?lang=xx', 'en', [], 'Nf3', undefined],
  ];
  const navigator = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
  for (const [search, served, languages, wanted, asked] of rows) {
    globalThis.location = { search };
    Object.defineProperty(globalThis, 'navigator', { value: { languages }, configurable: true });
    choose(served);
    assert.deepEqual([written('Nf3'), written('O-O'), toAsk()], [wanted, 'O-O', asked], `${search} ${served} ${languages}`);
  }
  assert.equal(written('1. e8=Q+ Kd7'), '1. e8=Q+ Kd7');
  globalThis.location = { search: '?lang=es' };
  choose('en');
  assert.deepEqual([written('1. e8=Q+ Kd7'), inAddress()], ['1. e8=D+ Rd7', 'es']);
  globalThis.location = { search: '' };
  Object.defineProperty(globalThis, 'navigator', navigator ?? { value: { languages: ['en'] }, configurable: true });
  choose('en');
});

test('typed moves are read with some forgiveness', () => {
  const rows = [
    ['', 'e4', 'e2e4'], ['', '1. e4', 'e2e4'], ['', 'e2e4', 'e2e4'], ['', 'E2E4', 'e2e4'], ['', 'nf3', 'g1f3'], ['', ' Nf3 ', 'g1f3'],
    ['', 'Nf6', undefined], ['', '', undefined], ['', 'hello', undefined],
    ['4k3/8/8/8/8/8/8/4K2R w K - 0 1', '0-0', 'e1g1'], ['4k3/8/8/8/8/8/8/4K2R w K - 0 1', 'o-o', 'e1g1'],
    ['8/P3k3/8/8/8/8/8/4K3 w - - 0 1', 'a8=N', 'a7a8n'], ['8/P3k3/8/8/8/8/8/4K3 w - - 0 1', 'a7a8q', 'a7a8q'],
    ['4k3/8/8/2p5/1P6/8/8/2B1K3 w - - 0 1', 'bxc5', 'b4c5'],
  ];
  for (const [fen, text, wanted] of rows) {
    const { start } = Line.from(fen);
    const move = typedMove(start, text);
    assert.equal(move && uciOf(start, move), wanted, `${text} in ${fen}`);
  }
});

test('a line keeps what lies ahead, until another move is played', () => {
  const line = Line.of('', ['d2d4', 'f7f5', 'g2g3']);
  assert.equal(line.play(typedMove(line.at(1), 'f5'), 1), line);
  assert.deepEqual(line.play(typedMove(line.at(1), 'd5'), 1).ucis(), ['d2d4', 'd7d5']);
  assert.equal(line.find(line.fen(1), 'f7f5'), 1);
  assert.equal(line.find(Line.of('', ['g2g3', 'f7f5', 'd2d4']).fen(3)), 3, 'by any order of moves');
  assert.equal(line.find(Line.of('', ['e2e4']).fen(1)), -1);
});

test('what is no position says why', () => {
  const rows = [['nonsense', 'this is no FEN'], ['8/8/8/8/8/8/8/8 w - - 0 1', 'the board is empty'], ['4k3/4R3/8/8/8/8/8/4K3 w - - 0 1', 'the side that is not to move is in check']];
  for (const [fen, reason] of rows) assert.throws(() => Line.from(fen), { message: reason });
  assert.throws(() => Line.of('', ['e2e4', 'e2e4']), { message: 'the move e2e4 cannot be played after 1 half-moves' });
});

test('the address says what is shown, and is read again', () => {
  const rows = [
    '/', '/?play=d2d4,f7f5,g2g3', '/?play=d2d4&ply=0&side=black', '/?game=0D2kqyXjCdE&ply=12', '/?repertoire=-&player=Carlsen,+Magnus&speed=blitz,rapid',
    '/?fen=4k3/8/8/8/8/8/8/4K2R+w+K+-+0+1&player=A%26B%3D%3Cb%3E&tag=Round%3D1&tag=Annotator%3DX',
  ];
  for (const address of rows) assert.equal(writeAddress(readAddress(address.slice(1))), address);
  assert.equal(readAddress('?ply=-1').ply, null);
  assert.equal(readAddress('?ply=1e9').ply, null);
  assert.deepEqual([...readAddress('?player=&unknown=1').filters], []);
});

test('no rule for the pointer takes a picture away', () => {
  const rules = readFileSync(new URL('../src/page.css', import.meta.url), 'utf8').match(/[^{}]*:hover[^{}]*\{[^}]*\}/g);
  assert.deepEqual(rules.filter((rule) => /[{;]\s*background:/.test(rule)), []);
});

test('the board is on the side of the player, unless it is turned', () => {
  const rows = [['?player=Berg&color=black', 'black'], ['?player=Berg&color=black&side=white', 'white'], ['?player=Berg', 'white'], ['?color=black', 'white']];
  for (const [search, side] of rows) {
    assert.equal(readAddress(search).side, side, search);
    assert.equal(readAddress(writeAddress(readAddress(search)).slice(1)).side, side, search);
  }
});

test('every marked move has an arrow, a short one above a long one', () => {
  const mark = (uci, kind) => [uci, { uci, san: uci, kind, words: '', title: '' }];
  const moves = ['e2e3', 'e2e4', 'd2d4', 'c2c4', 'g1f3', 'b1c3', 'g2g3'];
  const arrows = arrowsOf(new Map(moves.map((uci) => mark(uci, 'answered')))).map((arrow) => arrow.uci);
  assert.deepEqual([...arrows].sort(), [...moves].sort());
  assert.equal(arrows.indexOf('e2e4') < arrows.indexOf('e2e3'), true);
});

test('filters are kept in one order', () => {
  const filters = withFilter(withFilter(new Map(), 'since', ['2020']), 'player', [' Berg ']);
  assert.deepEqual([...filters], [['player', ['Berg']], ['since', ['2020']]]);
  assert.deepEqual([...withFilter(filters, 'player', [''])], [['since', ['2020']]]);
});

test('moves are said as people say them', () => {
  const rows = [
    ['e4', 'e4'], ['Nf3', 'knight f3'], ['exd5', 'e takes d5'], ['Bxc6+', 'bishop takes c6, check'], ['O-O-O#', 'castles long, checkmate'],
    ['Nbd7', 'knight bd7'], ['axb8=Q+', 'a takes b8, promotes to queen, check'],
  ];
  for (const [san, words] of rows) assert.equal(spoken(san), words);
  assert.deepEqual([percent(1, 3), percent(1, 1000), percent(0, 5), percent(5, 5)], ['33 %', '<1 %', '0 %', '100 %']);
});

test('of two repertoires the one that lacks something counts, and rare moves are no gap', () => {
  const move = (uci, answered, mistake = false) => ({ uci, san: uci, prepared: true, mistake, answered, glyphs: [], comment: null });
  const book = (own, moves, missing = []) => ({ name: 'x', color: 'white', known: true, own, comment: null, moves, missing });
  const missing = [{ uci: 'a7a6', san: 'a6', games: 50 }, { uci: 'h7h6', san: 'h6', games: 9 }];
  const marks = marksOf({ repertoires: [book(false, [move('e7e5', true), move('c7c5', true)], missing), book(false, [move('c7c5', false)])] }, 1000);
  assert.deepEqual([...marks.values()].map(({ uci, kind }) => [uci, kind]), [['e7e5', 'answered'], ['c7c5', 'missing'], ['a7a6', 'missing']]);
  assert.equal(marksOf({ repertoires: [{ ...book(true, [move('e2e4', true)]), known: false }] }, 10).size, 0);
  const own = marksOf({ repertoires: [book(true, [move('e2e4', true), move('f2f3', true, true)])] }, 10);
  assert.deepEqual([...own.values()].map(({ uci, kind, words }) => [uci, kind, words]), [['e2e4', 'prepared', 'prepared'], ['f2f3', 'missing', 'mistake']]);
});

test('a lesson says whether the answer was right, and what the book and the games have', () => {
  const move = (uci, san) => ({ uci, san });
  const answered = (kind, given, book, days) => ({ kind, right: !['mistake', 'wrong', 'shown'].includes(kind), given, number: '4.', book, mistake: null, comments: [], played: [], days });
  const [cxd5, e3, a3] = [move('c4d5', 'cxd5'), move('e2e3', 'e3'), move('a2a3', 'a3')];
  const rows = [
    ['main', cxd5, [cxd5], 'Right: 4. cxd5'],
    ['main', cxd5, [cxd5, e3], 'Right: 4. cxd5, also e3'],
    ['alternative', e3, [cxd5, e3], 'Right: 4. e3; the main move is 4. cxd5'],
    ['transposition', a3, [cxd5], 'Right: 4. a3 leads to another line of the book; here it has 4. cxd5'],
    ['wrong', a3, [cxd5, e3], 'Wrong: 4. a3; the book has 4. cxd5, also e3'],
    ['mistake', a3, [cxd5], 'Wrong: 4. a3 is a known mistake; the book has 4. cxd5'],
    ['shown', null, [cxd5], 'The book has 4. cxd5'],
    ['shown', null, [cxd5, ...Array(7).fill(e3)], 'The book has 4. cxd5, also e3, e3, e3, e3, e3 and 2 more'],
  ];
  for (const [kind, given, book, words] of rows) assert.equal(verdictOf(answered(kind, given, book, 2)), words);
  const comments = ['solid'];
  assert.deepEqual(commentsOf({ mistake: { comments: ['Loses time.'], refutation: '4... dxc4' }, comments }), ['Loses time.', '4... dxc4', 'solid']);
  assert.deepEqual(commentsOf({ mistake: { comments: [], refutation: '' }, comments }), comments);
  const played = [{ san: 'Nf3', games: 3, score: 0, inBook: false }, { san: 'cxd5', games: 1, score: null, inBook: true }];
  assert.equal(playedThere({ played }), 'Played: Nf3 (3 games, 0 %, not in the book), cxd5 (1 game)');
  assert.equal(playedThere({ played: [] }), '');
  const reasons = [[{ reason: 'departures', games: 1 }, '1 game left the book here'], [{ reason: 'changed', old: 'Bb5' }, 'The book has changed: it no longer has Bb5'], [{ reason: 'on the way' }, 'On the way']];
  for (const [asked, words] of reasons) assert.equal(whyAsked(asked), words);
  const ends = [
    [{ due: 0, tomorrow: 0, week: 0, new: 3, days: 12, suspended: 0, buried: 0 }, { answers: 2, right: 1 }, '1 of 2 answers right. Nothing is due; the next position is due in 12 days; 3 new.'],
    [{ due: 0, tomorrow: 0, week: 0, new: 0, days: null, suspended: 0, buried: 0 }, { answers: 0, right: 0 }, 'Nothing is due.'],
    [{ due: 4, tomorrow: 1, week: 6, new: 0, days: 1, suspended: 2, buried: 1 }, { answers: 0, right: 0 }, 'Due: 4 now, 1 tomorrow, 6 within a week; 2 suspended; 1 buried.'],
  ];
  for (const [outlook, score, words] of ends) assert.equal(outlookOf({ outlook, score }), words);
  assert.equal(learnOf({ number: '4.', book: [cxd5, e3], comments: [], played: [] }), 'Learn: 4. cxd5, also e3');
  assert.deepEqual([askedAgain({ right: true, days: 2 }), askedAgain({ right: true, days: 2 }, true)], ['Asked again in 2 days', 'Asked once more at the end']);
  assert.equal(movetext(Line.of('', ['d2d4', 'f7f5', 'g2g3'])), '1. d4 f5 2. g3');
  assert.equal(movetext(Line.of('4k3/8/8/8/8/8/8/4K2R b K - 0 7', ['e8e7', 'e1g1'])), '7… Ke7 8. O-O');
});
