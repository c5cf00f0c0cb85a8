// Makes the page that `eco serve` embeds: node build.mjs writes src/web/page/, --check compares it with what the sources make.

import { build } from 'esbuild';
import { existsSync, readFileSync, readdirSync, writeFileSync, mkdirSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const here = new URL('./', import.meta.url);
const target = new URL('../src/web/page/', here);
/** What a browser loads, compressed. */
const LIMIT = 150 * 1024;
/** What may be part of a program under GPL-3.0-or-later. */
const LICENCES = ['MIT', 'GPL-3.0-or-later'];

const read = (file) => readFileSync(new URL(file, here));

async function bundle() {
  const { outputFiles, metafile } = await build({
    absWorkingDir: new URL('.', here).pathname,
    entryPoints: ['src/main.ts', 'src/page.css'],
    outdir: 'out',
    entryNames: 'page',
    bundle: true,
    minify: true,
    format: 'esm',
    target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
    external: ['*.svg'],
    legalComments: 'none',
    banner: { js: BANNER, css: BANNER },
    metafile: true,
    write: false,
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [path.split('/').at(-1), Buffer.from(contents)]));
  for (const name of readdirSync(new URL('static/', here))) files.set(name, read(`static/${name}`));
  return files.set('third-party.txt', Buffer.from(thirdParty(metafile)));
}

const BANNER = '/* The page of eco serve, GPL-3.0-or-later. Made from web/; other people\'s work in it: third-party.txt */';

/** The packages of which something is in the bundle, with their licences. */
function thirdParty(metafile) {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs));
  const names = [...new Set(inputs.map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]).filter(Boolean))].sort();
  const head = 'The page of eco serve holds work of others. The text of GPL-3.0 is in the file LICENSE of eco, whose\n'
    + 'sources are at https://crates.io/crates/eco-openings and hold the sources of the page, in web/.\n';
  return [head, ...names.map(notice)].join('\n');
}

function notice(name) {
  const about = JSON.parse(read(`node_modules/${name}/package.json`));
  if (!LICENCES.includes(about.license)) throw new Error(`${name}: licence ${about.license}: not among ${LICENCES.join(', ')}`);
  const repository = typeof about.repository === 'string' ? about.repository : about.repository?.url;
  const author = typeof about.author === 'string' ? about.author : about.author?.name;
  const title = `${name} ${about.version}: ${about.license}${author ? `, ${author}` : ''}\nhttps://www.npmjs.com/package/${name}, ${repository ?? ''}\n`;
  const rule = '-'.repeat(72);
  if (about.license === 'GPL-3.0-or-later') return `${rule}\n${title}`;
  const file = readdirSync(new URL(`node_modules/${name}/`, here)).find((each) => /^licen[cs]e/i.test(each));
  if (!file) throw new Error(`${name}: no text of its licence`);
  return `${rule}\n${title}\n${read(`node_modules/${name}/${file}`).toString().trim()}\n`;
}

/** What the files weigh as a server would send them. */
function weigh(files) {
  const sizes = [...files].filter(([name]) => !name.endsWith('.txt')).map(([name, bytes]) => [name, gzipSync(bytes, { level: 9 }).length]);
  const sum = sizes.reduce((all, [, size]) => all + size, 0);
  console.log(`${sizes.map(([name, size]) => `${name} ${size}`).join(', ')}: ${sum} bytes compressed, of ${LIMIT}`);
  if (sum > LIMIT) throw new Error('the page is too large');
}

function check(files) {
  const committed = existsSync(target) ? readdirSync(target) : [];
  const wrong = [...new Set([...files.keys(), ...committed])].filter((name) => !committed.includes(name) || !files.get(name)?.equals(readFileSync(new URL(name, target))));
  if (wrong.length === 0) return console.log('src/web/page is what web/ makes');
  throw new Error(`src/web/page is not what web/ makes: ${wrong.join(', ')}; run npm run build in web/ and commit`);
}

try {
  const files = await bundle();
  weigh(files);
  if (process.argv.includes('--check')) check(files);
  else {
    mkdirSync(target, { recursive: true });
    for (const [name, bytes] of files) writeFileSync(new URL(name, target), bytes);
  }
} catch (error) {
  console.error(`web: ${error.message}`);
  process.exit(1);
}
