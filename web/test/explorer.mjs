// Drives the page in Chromium: node explorer.mjs URL CHROMIUM FOLDER. tests/browser/explorer starts the server.

import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { measure } from './measure.mjs';
import { measure as measureReport } from './report.mjs';

const [base, executablePath, folder] = process.argv.slice(2);
const origin = new URL(base).origin;
const PAGE_LIMIT = 150 * 1024;
const FIANCHETTO = 'A81 Dutch Defense: Fianchetto Attack';
const HERE = '/?play=d2d4,f7f5,g2g3';
const WIDTHS = [390, 768, 1400, 1600];

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });

/** A page of a browser of its own, which notes every request and every complaint. */
async function open(path, { width = 1400, height = 900, scheme = 'light', touch = false, late = null } = {}) {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme, hasTouch: touch });
  if (process.env.PAGE) await context.route(/\/[\w-]*(\.\w+)?(\?[^/]*)?$/, bundled);
  const page = await context.newPage();
  page.asked = [];
  page.wrong = [];
  page.on('request', (request) => page.asked.push(request.url()));
  page.on('dialog', (dialog) => (page.wrong.push(`a dialog: ${dialog.message()}`), dialog.dismiss()));
  page.on('pageerror', (error) => page.wrong.push(`an error: ${error.message}`));
  page.on('console', (message) => message.type() === 'error' && page.wrong.push(`the console: ${message.text()}`));
  if (late) await page.route(late[0], (route) => setTimeout(() => route.continue().catch(() => undefined), late[1]));
  await page.goto(origin + path);
  if (!path.startsWith('/eco/')) await settled(page);
  return page;
}

let policy;

/** Answers with the bundle in the folder PAGE, under the policy of the server, so that nothing need be compiled to try a change. */
async function bundled(route) {
  const { pathname } = new URL(route.request().url());
  const path = `${process.env.PAGE}/${pathname === '/' ? 'index.html' : pathname.slice(1)}`;
  if (!existsSync(path)) return route.continue();
  policy ??= (await fetch(origin, { method: 'HEAD' })).headers.get('content-security-policy');
  return route.fulfill({ path, headers: { 'content-security-policy': policy, 'content-type': TYPES[path.split('.').pop()] } });
}

const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css', svg: 'image/svg+xml', txt: 'text/plain' };

/** Waits until the answer for the position is shown. */
async function settled(page) {
  await page.waitForFunction(() => !document.querySelector('#right[aria-busy]') && document.querySelector('#moves > *'));
}

async function close(page) {
  await page.context().close();
  const elsewhere = page.asked.filter((url) => new URL(url).origin !== origin);
  assert.deepEqual(elsewhere, [], 'requests to elsewhere');
  assert.deepEqual(page.wrong, [], 'complaints of the browser');
}

async function heading(page, name) {
  await page.waitForFunction((wanted) => document.querySelector('#opening h1')?.textContent.trim() === wanted, name);
}

async function centre(page, square) {
  const box = await page.locator(`.grid [data-square=${square}]`).boundingBox();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

async function drag(page, from, to, options = {}) {
  await page.mouse.move(...(await centre(page, from)));
  await page.mouse.down(options);
  await page.mouse.move(...(await centre(page, to)), { steps: 4 });
  await page.mouse.up(options);
}

async function tap(page, ...squares) {
  for (const square of squares) await page.mouse.click(...(await centre(page, square)));
}

const line = (page) => page.locator('#line').innerText().then((text) => text.replace(/\s+/g, ' ').trim());
const games = (page) => page.locator('.summary p').innerText();
const search = (page) => decodeURIComponent(new URL(page.url()).search);

/** The mistake that the page points out begins so. */
async function slips(page, text) {
  await page.waitForFunction((begin) => document.querySelector('#slip').textContent.startsWith(begin), text);
}

/** Which share of a picture is nearly black: run inside a page. */
async function darkShare(bytes) {
  const picture = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d');
  canvas.drawImage(picture, 0, 0);
  const { data } = canvas.getImageData(0, 0, picture.width, picture.height);
  let dark = 0;
  for (let at = 0; at < data.length; at += 4) if (data[at] + data[at + 1] + data[at + 2] < 240) dark += 1;
  return (dark * 4) / data.length;
}

/** A move after which the line ends so. */
async function plays(page, act, san) {
  await act;
  await page.waitForFunction((last) => document.querySelector('#line .current')?.textContent === last, san);
}

const scenes = {
  async 'plays by mouse: drag, tap, drag'() {
    const page = await open('/');
    await heading(page, 'Initial position');
    await plays(page, drag(page, 'd2', 'd4'), 'd4');
    await plays(page, tap(page, 'f7', 'f5'), 'f5');
    await plays(page, drag(page, 'g2', 'g3'), 'g3');
    await heading(page, FIANCHETTO);
    assert.equal(await line(page), '1. d4 f5 2. g3');
    assert.equal(search(page), '?play=d2d4,f7f5,g2g3');
    assert.match(await games(page), /^5 games went on/, 'a transposition counts');
    assert.deepEqual(await page.locator('.way a').allInnerTexts(), ["1. d4 Queen's Pawn Game", '1… f5 Dutch Defense']);
    await close(page);
  },

  async 'plays by touch'() {
    const page = await open('/', { width: 390, height: 844, touch: true });
    for (const square of ['e2', 'e4', 'c7', 'c5']) await page.touchscreen.tap(...(await centre(page, square)));
    await heading(page, 'B20 Sicilian Defense');
    await close(page);
  },

  async 'plays by keyboard on the grid of squares'() {
    const page = await open('/');
    await page.evaluate(() => {
      window.heard = '';
      new MutationObserver(() => (window.heard += `${document.getElementById('said').textContent}\n`)).observe(document.getElementById('said'), { childList: true });
    });
    assert.equal(await page.locator('[role=grid] [role=row] [role=gridcell]').count(), 64);
    await page.locator('.grid [tabindex="0"]').focus();
    const press = async (...keys) => { for (const key of keys) await page.keyboard.press(key); };
    const label = () => page.evaluate(() => document.activeElement.getAttribute('aria-label'));
    await press('ArrowLeft');
    assert.equal(await label(), 'd2, white pawn');
    await press('Enter', 'ArrowUp', 'ArrowUp');
    assert.equal(await label(), 'd4, can be moved to');
    await plays(page, press('Enter'), 'd4');
    await press('ArrowRight', 'ArrowRight', 'ArrowUp', 'ArrowUp', 'ArrowUp');
    assert.equal(await label(), 'f7, black pawn');
    await press('Enter', 'ArrowDown', 'ArrowDown');
    await plays(page, press('Enter'), 'f5');
    await press('ArrowRight', 'ArrowDown', 'ArrowDown', 'ArrowDown', ' ', 'ArrowUp');
    await plays(page, press(' '), 'g3');
    await heading(page, FIANCHETTO);
    await page.waitForFunction(() => /2\. White: g3(.|\n)*Dutch Defense: Fianchetto Attack\. 5 games/.test(window.heard));
    assert.equal(await label(), 'g3, white pawn', 'the focus stays');
    await close(page);
  },

  async 'plays moves that are typed, and says which is none'() {
    const page = await open('/');
    await page.keyboard.press('m');
    for (const [typed, san] of [['e4', 'e4'], ['e7e5', 'e5'], ['nf3', 'Nf3'], ['Nc6', 'Nc6'], ['Bb5', 'Bb5'], ['Nf6', 'Nf6'], ['0-0', 'O-O']]) {
      await page.keyboard.type(typed);
      await plays(page, page.keyboard.press('Enter'), san);
    }
    assert.match(search(page), /e1g1$/);
    await page.keyboard.type('Qh5');
    await page.keyboard.press('Enter');
    await slips(page, 'Qh5 cannot be played: move 4... Qh5: ');
    await close(page);
  },

  async 'plays what is typed as the command line reads it'() {
    const page = await open('/?play=e2e4,e7e5');
    const type = async (text) => {
      await page.fill('#typed', text);
      await page.press('#typed', 'Enter');
    };
    await plays(page, type('Cf3'), 'Nf3');
    await plays(page, type('Sc6 Lb5'), 'Bb5');
    await type('https://lichess.org/analysis/standard/4k3/P7/8/8/8/8/8/4K3_w_-_-_0_1');
    await heading(page, 'Set-up position');
    await close(page);
  },

  async 'shows the results of a player from the side of the player'() {
    const page = await open('/?play=d2d4,f7f5,g2g3&player=Berg,+Lena&color=black');
    assert.equal(await page.locator('coords.ranks.black').count(), 1, 'the board is turned');
    assert.equal(await page.locator('.summary .owner').innerText(), 'Berg, Lena won 100 %, drew 0 %, lost 0 %; score 100 %');
    assert.equal(await page.locator('.summary .bar span').getAttribute('class'), 'won');
    assert.equal(await page.locator('th.bars').innerText(), 'Won, drawn, lost');
    await page.screenshot({ path: `${folder}/player-black.png` });
    await page.click('.chip:has-text("as black")');
    await page.waitForSelector('.summary .bar:not(.own)');
    assert.equal(await page.locator('coords.ranks.black').count(), 0, 'the board turns back');
    assert.equal(await page.locator('.summary .owner').count(), 0);
    await page.goto(`${origin}/?play=e2e4,e7e5&player=Berg,+Lena&color=white`);
    await settled(page);
    assert.equal(await games(page), 'No game that passes the filters has this position');
    await close(page);
  },

  async 'shows each piece that a pawn can become, under the pointer too'() {
    const blank = await (await browser.newContext()).newPage();
    for (const scheme of ['light', 'dark']) {
      const page = await open('/?fen=8/P6k/8/8/8/8/p6K/8+w+-+-+0+1', { scheme });
      await tap(page, 'a7', 'a8');
      for (const role of ['queen', 'rook', 'bishop', 'knight']) {
        const button = page.locator(`.promotion .${role}`);
        await button.hover();
        await page.waitForTimeout(50);
        await page.screenshot({ path: `${folder}/promotion-${role}-${scheme}.png` });
        const dark = await blank.evaluate(darkShare, [...(await button.screenshot())]);
        assert.equal(dark > 0.03, true, `${role}, ${scheme}: ${dark} of the square is the outline of a piece`);
      }
      await close(page);
    }
    await blank.context().close();
  },

  async 'keeps a click on a filter while another is refused'() {
    const page = await open(HERE);
    await page.click('#filter');
    await page.fill('[name=rating-from]', 'abc');
    await page.click('[name=speed][value=bullet]', { delay: 400 });
    await page.waitForFunction(() => location.search.includes('speed=bullet'));
    await page.waitForSelector('.failure');
    page.wrong.length = 0; // Chromium notes every answer that is an error.
    await page.fill('[name=rating-from]', '2000');
    await page.keyboard.press('Enter');
    await settled(page);
    assert.match(search(page), /rating=2000\.\.&speed=bullet/);
    await close(page);
  },

  async 'plays from the table, and keeps the focus there'() {
    const page = await open('/');
    await page.locator('#moves tr[data-uci=d2d4] a').focus();
    await plays(page, page.keyboard.press('Enter'), 'd4');
    await page.waitForFunction(() => document.activeElement.closest('tr')?.dataset.uci === 'f7f5');
    await plays(page, page.locator('#moves tr[data-uci=f7f5] .bars').click(), 'f5');
    await settled(page);
    await close(page);
  },

  async 'filters, and takes filters back'() {
    const page = await open(HERE);
    assert.match(await games(page), /^5 games/);
    await page.click('#filter');
    await page.fill('[name=player]', 'berg, lena');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('.summary p').textContent.startsWith('3 games'));
    await page.selectOption('[name=color]', 'white');
    await page.waitForFunction(() => document.querySelector('.summary p').textContent.startsWith('2 games'));
    assert.match(search(page), /player=berg,\+lena&color=white/);
    await page.selectOption('[name=result]', 'win');
    await page.waitForFunction(() => document.querySelector('.summary p').textContent.startsWith('1 game '));
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('.summary p').textContent.startsWith('2 games'));
    assert.equal(await page.inputValue('[name=result]'), '');
    await page.click('.chip:has-text("as white")');
    await page.waitForFunction(() => document.querySelector('.summary p').textContent.startsWith('3 games'));
    await page.click('.chip:has-text("berg")');
    await page.waitForFunction(() => document.querySelector('.summary p').textContent.startsWith('5 games'));
    await page.fill('[name=rating-from]', '2400');
    await page.waitForFunction(() => document.querySelector('.summary p').textContent.startsWith('1 game '));
    await page.reload();
    await settled(page);
    assert.match(await games(page), /^1 game /);
    await close(page);
  },

  async 'goes back at once, and asks nothing for it'() {
    const page = await open('/');
    await plays(page, tap(page, 'd2', 'd4'), 'd4');
    await settled(page);
    await plays(page, tap(page, 'f7', 'f5'), 'f5');
    await settled(page);
    page.asked.length = 0;
    await page.goBack();
    await heading(page, "A40 Queen's Pawn Game");
    await page.keyboard.press('ArrowLeft');
    await heading(page, 'Initial position');
    await page.keyboard.press('End');
    await heading(page, "A40 Queen's Pawn Game");
    assert.deepEqual(page.asked.filter((url) => url.includes('/eco/')), []);
    await close(page);
  },

  async 'walks the line back and on, and keeps what lies ahead'() {
    const page = await open(HERE);
    await page.click('#line a:has-text("d4")');
    await heading(page, "A40 Queen's Pawn Game");
    assert.equal(await line(page), '1. d4 f5 2. g3');
    assert.match(search(page), /ply=1/);
    await page.reload();
    await heading(page, "A40 Queen's Pawn Game");
    await page.click('#last');
    await heading(page, FIANCHETTO);
    await page.click('.way a:has-text("Dutch Defense")');
    await heading(page, 'A80 Dutch Defense');
    await close(page);
  },

  async 'opens a game and plays it through'() {
    const page = await open(HERE);
    await page.setViewportSize({ width: 1400, height: 500 });
    await page.click('.games a:has-text("Okafor, Chidi")');
    await page.waitForSelector('.card');
    await page.waitForSelector('.games a[aria-current]:has-text("Okafor, Chidi")');
    assert.equal(await page.evaluate(() => document.querySelector('.card').getBoundingClientRect().top >= 0), true, 'the game is in view');
    assert.equal(await page.locator('#line .current').innerText(), 'g3', 'at the position from which it was opened');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('End');
    await page.click('summary');
    assert.match(await page.locator('.card dl').innerText(), /Porto|Graz/);
    await page.reload();
    await page.waitForSelector('.card');
    await page.click('.card .close');
    await page.waitForFunction(() => !document.querySelector('.card'));
    await page.goBack();
    await page.waitForSelector('.card');
    await close(page);
  },

  async 'takes text of games as text'() {
    const page = await open(`${HERE},g8f6,f1g2`);
    await page.goto(`${origin}${HERE}`);
    await settled(page);
    await page.click('.games a:has-text("<img src=x")');
    await page.waitForSelector('.card');
    await page.click('summary');
    assert.match(await page.locator('.card').innerText(), /<script>window\.bad = 1<\/script>/);
    assert.equal(await page.locator('.card a[href^="javascript"]').count(), 0);
    assert.equal(await page.evaluate(() => window.bad), undefined);
    await close(page);
  },

  async 'shows what is pasted'() {
    const page = await open('/');
    const paste = async (text) => {
      if (!(await page.locator('#paste-dialog').isVisible())) await page.click('#paste');
      await page.fill('#pasted', text);
      await page.click('#paste-dialog .main');
    };
    await paste('this is nothing');
    await page.waitForSelector('#paste-slip:not([hidden])');
    page.wrong.length = 0; // Chromium notes every answer that is an error.
    await paste('[White "A"]\n\n1. d4 {a comment} f5 (1... d5) 2. g3 *');
    await heading(page, FIANCHETTO);
    await paste('4k3/P7/8/8/8/8/8/4K3 w - - 0 1');
    await heading(page, 'Set-up position');
    await page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', '1. e4 c5');
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await heading(page, 'B20 Sicilian Defense');
    await page.goBack();
    await heading(page, 'Set-up position');
    await tap(page, 'a7', 'a8');
    await page.waitForSelector('.promotion');
    await page.keyboard.press('Tab');
    await plays(page, page.click('.promotion .rook'), 'a8=R+');
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => !document.querySelector('#line .current'));
    await tap(page, 'a7', 'a8');
    await page.waitForSelector('.promotion');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('.promotion'));
    assert.equal(await page.locator('cg-board piece.white.pawn').count(), 1, 'the pawn is back');
    await close(page);
  },

  async 'finds an opening by name'() {
    const page = await open('/', { width: 390, height: 844 });
    await page.fill('#find', 'sicilian najdorf');
    await page.waitForSelector('#found li[role=option] .code');
    assert.deepEqual(await page.evaluate(measure), []);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => /Najdorf/.test(document.querySelector('#opening h1').textContent));
    await close(page);
  },

  async 'browses the openings'() {
    const page = await open('/', { width: 390, height: 844 });
    await page.click('#find');
    await page.waitForSelector('#found li[role=option] .games');
    assert.match(await page.locator('#found li').first().innerText(), /Sicilian Defense/);
    assert.deepEqual(await page.evaluate(measure), []);
    await page.locator('#found li .below').first().click();
    await page.getByText('Najdorf Variation').first().waitFor();
    await page.keyboard.press('ArrowLeft');
    await page.waitForFunction(() => !document.querySelector('#found li[role=presentation]'));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.getByText('Najdorf Variation').first().click();
    await page.waitForFunction(() => /Najdorf/.test(document.querySelector('#opening h1').textContent));
    await close(page);
  },

  async 'marks what the repertoire has, and what it lacks'() {
    const page = await open('/?play=d2d4,f7f5');
    const mark = (uci) => page.locator(`#moves tr[data-uci=${uci}] .mark`);
    await mark('g2g3').waitFor();
    assert.equal(await mark('g2g3').innerText(), 'prepared !');
    assert.match(await page.locator('#books').innerText(), /The bishop belongs on g2/);
    assert.equal(await page.locator('.cg-shapes line, .cg-shapes path').count() > 0, true, 'an arrow');
    await plays(page, page.click('#moves tr[data-uci=g2g3] a'), 'g3');
    await mark('e7e6').waitFor();
    assert.equal(await mark('e7e6').innerText(), 'no answer');
    assert.equal(await mark('g8f6').innerText(), 'answered');
    await page.selectOption('#repertoire', '-');
    await page.waitForFunction(() => !document.querySelector('.mark'));
    await close(page);
  },

  async 'edits a repertoire, by mouse, touch and keyboard, and takes it back'() {
    const page = await open('/?play=d2d4,f7f5,g2g3,g8f6,f1g2', { touch: true });
    const panel = page.locator('#editing');
    const says = (text) => page.waitForFunction((wanted) => document.querySelector('#editing').innerText.includes(wanted), text);
    await says('3. Bg2 is the main move');
    // A gap is opened, answered on the board, saved, and gone.
    await page.tap('#editing summary');
    await says('% of games meet none');
    const gaps = await page.locator('.gap').allInnerTexts();
    const gap = gaps.findIndex((text) => /2\. g3 e6$/.test(text));
    assert.notEqual(gap, -1, gaps.join('; '));
    await page.tap(`.gaps li:nth-child(${gap + 1}) .gap`);
    await says('is not prepared');
    await drag(page, 'f1', 'g2');
    await says('3. Bg2 is not prepared');
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('a');
    await says('3. Bg2 is the main move');
    await page.waitForFunction((had) => document.querySelectorAll('.gap').length < had, gaps.length);
    assert.equal((await page.locator('.gap').allInnerTexts()).includes(gaps[gap]), false, 'the gap is gone');
    // A comment with an arrow, by keyboard but for the arrow.
    await drag(page, 'g1', 'f3', { button: 'right' });
    await page.locator('#editing .first').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.type('Gains <b>space</b>.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await says('comment set');
    await page.waitForFunction(() => document.querySelector('#books').innerText.includes('Gains <b>space</b>.'));
    await page.waitForFunction(() => document.querySelectorAll('.cg-shapes line').length >= 1);
    await page.click('text=Mistake');
    await says('3. Bg2 is a mistake');
    await page.screenshot({ path: `${folder}/edit.png`, fullPage: true });
    for (const last of ['glyph ? set', 'comment set', 'added']) {
      await page.click('#editing >> text=Undo');
      await says(`undone: 1. d4`);
      await page.waitForFunction((wanted) => document.querySelector('#editing').innerText.includes(wanted), last);
    }
    await says('3. Bg2 is not prepared');
    assert.match(await panel.innerText(), /% of games meet none/);
    await close(page);
  },

  async 'trains a repertoire, by mouse, typing and keyboard'() {
    const page = await open('/?play=e2e4');
    const panel = page.locator('#training');
    const says = (text) => page.waitForFunction((wanted) => document.querySelector('#training').innerText.includes(wanted), text);
    await page.click('#train');
    assert.equal(await page.locator('#moves').isVisible(), false, 'the explorer gives nothing away');
    page.asked.length = 0;
    await page.keyboard.press('Enter');
    await says('Learn: 1. d4');
    assert.match(await panel.innerText(), /Nothing is due; 5 new/);
    assert.equal(await page.locator('.cg-shapes line, .cg-shapes path').count(), 0, 'no arrow');
    await page.keyboard.press('Enter');
    await says('The first move');
    assert.match(await panel.innerText(), /10 left/);
    await drag(page, 'd2', 'd4');
    await says('Right: 1. d4');
    assert.match(await panel.innerText(), /Asked once more at the end/);
    assert.match(await page.locator('#said').innerText(), /^Right: 1\. d4/);
    await page.keyboard.press('Enter');
    await says('Learn: 2. g3');
    await says('The bishop belongs on g2.');
    await page.keyboard.press('Enter');
    await says('1. d4 f5');
    assert.match(await page.locator('#said').innerText(), /^New\. 1\. Black: f5\. Your move, White$/);
    // A slip is taken back, and asked again.
    await drag(page, 'a2', 'a3');
    await says('Wrong: 2. a3');
    await page.keyboard.press('u');
    await says('Learn: 2. g3');
    await page.keyboard.press('Enter');
    await says('Your move, White');
    await page.keyboard.press('m');
    await page.keyboard.type('Qh9');
    await page.keyboard.press('Enter');
    await slips(page, 'Qh9 cannot be played: ');
    await page.fill('#typed', 'g4');
    await page.keyboard.press('Enter');
    await says('Wrong: 2. g4; the book has 2. g3');
    assert.match(await panel.innerText(), /The bishop belongs on g2\./);
    assert.equal((await page.locator('.cg-shapes line, .cg-shapes path').count()) >= 2, true, 'what was played, and the book');
    await page.keyboard.press('Enter');
    await says('Learn: 3. Bg2');
    await page.click('text=Ask me');
    await says('1. d4 f5 2. g3 Nf6');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'typed', 'the focus is where it was');
    await page.click('text=Show the answer');
    await says('The book has 3. Bg2');
    await page.keyboard.press('f');
    await page.keyboard.press('ArrowLeft');
    await says('The book has 3. Bg2');
    assert.deepEqual([...new Set(page.asked.map((url) => new URL(url).pathname))], ['/eco/train', '/eco/line']);
    await page.click('text=Stop');
    await heading(page, "B00 King's Pawn Game");
    assert.equal(await line(page), '1. e4', 'as it was before');
    // What was answered is there, and what was wrong is asked first.
    await page.click('#train');
    await page.fill('#train-new', '0');
    await page.check('#train-line');
    await page.click('text=Begin');
    await says('3 left'); // The first move is on the way.
    assert.match(await panel.innerText(), /On the way/);
    // Suspended by its button, and resumed with what follows from the position on the board.
    await page.click('text=Suspend');
    await says('1 suspended');
    await page.click('text=Stop');
    await page.fill('#typed', 'd4');
    await page.keyboard.press('Enter');
    await page.click('#train');
    await page.fill('#train-new', '0');
    await page.check('#train-here');
    await page.click('text=Begin');
    await says('Nothing is due.');
    await page.click('text=Train more');
    await page.check('#train-resume');
    await page.fill('#train-chapter', 'dutch');
    await page.fill('#train-new', '0');
    await page.click('text=Begin');
    await page.waitForFunction(() => !document.querySelector('#training').innerText.includes('suspended'));
    await close(page);
  },

  async 'gives nothing away in training when answers come late, and goes back from it'() {
    const page = await open('/?play=d2d4', {
      late: ['**/eco/repertoires*', 1500],
    });
    await page.click('#train');
    await page.click('text=Begin');
    await page.waitForSelector('text=Show the answer');
    await page.waitForTimeout(2000);
    assert.equal(await page.locator('.cg-shapes line, .cg-shapes path').count(), 0, 'no arrow');
    await page.screenshot({ path: `${folder}/train-late.png` });
    await page.goBack();
    await heading(page, "A40 Queen's Pawn Game");
    assert.equal(await page.locator('#training').isVisible(), false);
    await page.goForward();
    await page.waitForSelector('#train-new');
    await page.click('text=Stop');
    await heading(page, "A40 Queen's Pawn Game");
    assert.equal(await line(page), '1. d4');
    await close(page);
  },

  async 'leaves a training that the server has forgotten'() {
    const page = await open('/');
    await page.click('#train');
    await page.route('**/eco/train', (route) => route.fulfill({ status: 409, contentType: 'text/plain', body: 'this question is no longer open' }));
    await page.click('text=Begin');
    await page.waitForSelector('#training .error');
    page.wrong.length = 0; // Chromium notes every answer that is an error.
    assert.match(await page.locator('#training').innerText(), /this question is no longer open/);
    await page.click('#training .main');
    await page.waitForSelector('#train-new');
    await page.click('#paste');
    await page.fill('#pasted', '1. e4');
    await page.click('#paste-dialog .main');
    await heading(page, "B00 King's Pawn Game");
    assert.equal(await page.locator('#training').isVisible(), false, 'what is pasted is shown');
    await close(page);
  },

  async 'shows its keys, and closes them'() {
    const page = await open('/');
    await page.keyboard.press('?');
    assert.match(await page.locator('#help-dialog').innerText(), /type a move, such as Nf3/);
    await page.click('#help-dialog .main');
    await page.waitForFunction(() => !document.querySelector('dialog[open]'));
    await page.click('#help');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('dialog[open]'));
    await close(page);
  },

  async 'turns the board'() {
    const page = await open('/');
    const [, before] = await centre(page, 'e2');
    await page.keyboard.press('f');
    const [, after] = await centre(page, 'e2');
    assert.equal(after < before, true);
    assert.equal(search(page), '?side=black');
    await plays(page, drag(page, 'e2', 'e4'), 'e4');
    await close(page);
  },

  async 'says that a slow server is awaited, and lets go of what is outdated'() {
    const page = await open('/');
    await page.route('**/eco/position?*', async (route) => {
      await new Promise((done) => setTimeout(done, 900));
      await route.continue().catch(() => undefined);
    });
    const dropped = page.waitForEvent('requestfailed');
    await plays(page, tap(page, 'd2', 'd4'), 'd4');
    await page.waitForSelector('#right[aria-busy]');
    await plays(page, tap(page, 'f7', 'f5'), 'f5');
    assert.match((await dropped).url(), /play=d2d4&|play=d2d4$/);
    await heading(page, 'A80 Dutch Defense');
    await settled(page);
    await close(page);
  },

  async 'asks little while a key is held down'() {
    const page = await open(`${HERE},g8f6,f1g2,g7g6,g1f3,f8g7,e1g1,e8g8,c2c4,d7d6,b1c3,d8e8,f1e1,e8f7`);
    page.asked.length = 0;
    await page.evaluate(() => {
      for (let key = 0; key < 14; key++) document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true }));
    });
    await heading(page, 'A80 Dutch Defense');
    await settled(page);
    assert.equal(page.asked.filter((url) => url.includes('/eco/position')).length <= 5, true, 'of 14');
    await page.goBack();
    await page.waitForFunction(() => document.querySelector('#line .current').textContent === 'Qf7', null, { timeout: 5000 });
    await close(page);
  },

  async 'shows what the server says is wrong, and asks again'() {
    const page = await open('/');
    await page.route('**/eco/position?*', (route) => route.fulfill({ status: 503, contentType: 'text/plain', body: 'the database is <b>locked</b>' }));
    await plays(page, tap(page, 'd2', 'd4'), 'd4');
    await page.waitForSelector('.failure');
    assert.match(await page.locator('.failure').innerText(), /the database is <b>locked<\/b>/);
    await page.unroute('**/eco/position?*');
    await page.click('.failure button');
    await heading(page, "A40 Queen's Pawn Game");
    page.wrong = page.wrong.filter((text) => !text.includes('503'));
    await page.goto(`${origin}/?play=e2e5`);
    await settled(page);
    assert.match(await page.locator('#slip').innerText(), /e2e5 cannot be played/);
    await close(page);
  },

  async 'weighs little'() {
    const page = await open('/');
    const files = [...new Set(page.asked)].filter((url) => !url.includes('/eco/'));
    let sum = 0;
    for (const url of files) sum += gzipSync(Buffer.from(await (await fetch(url)).arrayBuffer()), { level: 9 }).length;
    console.log(`  ${files.length} files, ${sum} bytes compressed`);
    assert.equal(sum <= PAGE_LIMIT, true);
    await close(page);
  },

  async 'trains on every screen, light and dark'() {
    for (const width of WIDTHS) for (const scheme of ['light', 'dark']) {
      const page = await open('/', { width, height: width < 500 ? 844 : 900, scheme });
      const look = async (name) => {
        await page.waitForTimeout(350);
        await page.screenshot({ path: `${folder}/train-${name}-${width}-${scheme}.png`, fullPage: true });
        assert.deepEqual(await page.evaluate(measure), [], `${name} at ${width} pixels, ${scheme}`);
      };
      await page.click('#train');
      await look('offer');
      await page.click('#training .main');
      await page.waitForSelector('text=Undo');
      await look('begun');
      const isShown = page.locator('text=Ask me');
      if (await isShown.isVisible()) await isShown.click();
      await page.waitForSelector('text=Show the answer');
      await look('asked');
      await tap(page, 'a2', 'a3');
      await page.waitForSelector('#training .verdict.wrong');
      await look('wrong');
      await close(page);
    }
  },

  async 'shows a report on every screen, light and dark'() {
    for (const width of WIDTHS) for (const scheme of ['light', 'dark']) for (const [name, query] of [['archive', ''], ['player', '?player=Berg,+Lena']]) {
      const page = await open(`/eco/report${query}`, { width, scheme });
      await page.screenshot({ path: `${folder}/report-${name}-${width}-${scheme}.png`, fullPage: true });
      assert.deepEqual((await page.evaluate(measureReport)).wrong, [], `${name} at ${width} pixels, ${scheme}`);
      await close(page);
    }
  },

  async 'leads from a report to the games that it counts'() {
    const page = await open('/?player=Berg,+Lena');
    await page.click('#report');
    await page.waitForSelector('nav a');
    const links = await page.locator('svg.wide a:has(title)').evaluateAll((all) => all.map((link) => [link.getAttribute('href'), link.querySelector('title').textContent]));
    assert.equal(links.length > 4, true, 'boxes and moves lead to games');
    // A position is reached by other moves too.
    for (const [href, text] of links.filter(([href]) => !href.includes('play='))) {
      await page.goto(origin + href);
      await settled(page);
      assert.equal((await games(page)).match(/^\d+/)[0], text.match(/: (\d+)/)[1], `${text} at ${href}`);
    }
    await close(page);
  },

  async 'fits on every screen, light and dark'() {
    const views = { start: '/', dutch: '/?play=d2d4,f7f5', filter: `${HERE}&player=Berg,+Lena&color=white`, game: HERE };
    for (const width of WIDTHS) for (const scheme of ['light', 'dark']) for (const [name, path] of Object.entries(views)) {
      const page = await open(path, { width, height: width < 500 ? 844 : 900, scheme });
      if (name === 'filter') await page.click('#filter');
      if (name === 'game') {
        await page.click('.games a:has-text("Silva, Rui")');
        await page.waitForSelector('.card');
        await settled(page);
      }
      await page.waitForTimeout(350);
      await page.screenshot({ path: `${folder}/${name}-${width}-${scheme}.png`, fullPage: true });
      assert.deepEqual(await page.evaluate(measure), [], `${name} at ${width} pixels, ${scheme}`);
      await close(page);
    }
  },
};

mkdirSync(folder, { recursive: true });
let failed = 0;
const wanted = process.env.SCENE;
for (const [name, scene] of Object.entries(scenes).filter(([name]) => !wanted || name.includes(wanted))) {
  try {
    await scene();
    console.log(`ok: ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`FAILED: ${name}\n${error.stack}`);
    await Promise.all(browser.contexts().map((context) => context.close()));
  }
}
await browser.close();
process.exit(failed > 0 ? 1 : 0);
