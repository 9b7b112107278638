/** A transcript does not depend on where strategy, project and package lie, nor on what surrounds them there. */

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { backtestOf, onlyMarkets } from '../support/backtest-of.ts';
import { ROOT, SAMPLE_TAPE } from '../support/places.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary-directory.ts';

const work = temporaryDirectory('place');

type Files = Readonly<Record<string, string>>;

function write(directory: string, files: Files): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(work, directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Draws its stakes by chance, which begins with the identity of the code, and imports files of every kind and a package. */
const IMPORTING: Files = {
  'drawing.ts': `import { back, defineStrategy, favourites } from 'oddsmith';
import whole from 'whole';
import { least } from './lib/least.ts';
import model from './lib/model.json';
import old from './lib/old.cjs';
class Most {
  most = model.more;
}
export default defineStrategy({ name: 'drawing', decide({ market, orders }) {
  const [favourite] = favourites(market);
  if (!market.tradable || favourite === undefined || orders.length > 0) return [];
  const stake = Math.floor(least + new Most().most * Math.random()) + old.none + (typeof whole === 'function' ? 1 : 2);
  return [back(favourite, { stake })];
} });
`,
  'lib/least.ts': 'export const least: number = 2;\n',
  'lib/model.json': '{ "more": 4 }\n',
  'lib/old.cjs': 'exports.none = 0;\n',
};
const PACKAGE: Files = {
  'node_modules/whole/index.js':
    "Object.defineProperty(exports, '__esModule', { value: true });\nexports.default = function whole() {};\n",
  'node_modules/whole/package.json': '{ "name": "whole", "version": "1.0.0", "main": "index.js" }\n',
};

/** Throws in its third market, and once before that it tries to write where strict code may not. */
const THROWING: Files = {
  'throwing.ts': `import { back, defineStrategy, favourites } from 'oddsmith';
let markets = 0;
export default defineStrategy({ name: 'throwing', state: () => { markets += 1; return markets; },
  decide({ market, orders, state }) {
    const [favourite] = favourites(market);
    if (!market.tradable || favourite === undefined || orders.length > 0) return [];
    if (state === 3) throw new Error('at ' + new Error('here').stack);
    const level = favourite.bestAgainst;
    if (state === 2 && level !== undefined) (level as { price: number }).price = 2;
    return [back(favourite, { stake: 2 })];
  } });
`,
};

async function transcriptOf(file: string) {
  const markets = onlyMarkets('99000101', '99000102', '99000103');
  const { orders, halts, transcriptSha256 } = await backtestOf([join(work, file)], { markets, fills: 'central' });
  return { sent: orders.sent, halts: halts.map(({ code, at }) => [code, at]), transcriptSha256 };
}

describe.each([
  ['that imports files and a package', IMPORTING, 'drawing.ts'],
  ['that throws', THROWING, 'throwing.ts'],
])('a strategy %s', (_, files, name) => {
  const bare = `bare-${name}`;
  write(bare, { ...files, ...PACKAGE });

  it.each<[string, string, Files]>([
    ['deeper, its packages above it', 'a/b/', {}],
    ['in a project of strict TypeScript', '', { 'tsconfig.json': '{ "compilerOptions": { "strict": true } }' }],
    [
      'in a project with other rules for classes and unused imports',
      '',
      { 'tsconfig.json': '{ "compilerOptions": { "useDefineForClassFields": false, "verbatimModuleSyntax": true } }' },
    ],
    ['in a project of ES modules', '', { 'package.json': '{ "type": "module" }' }],
    ['in a project of CommonJS modules', '', { 'package.json': '{ "type": "commonjs" }' }],
    [
      'inside a package',
      'node_modules/theirs/strategies/',
      { 'node_modules/theirs/package.json': '{"type":"module"}' },
    ],
  ])('gives the same transcript %s', async (place, under, around) => {
    const here = await transcriptOf(join(bare, name));
    expect(here.sent).toBeGreaterThan(0);
    const project = `${place}-${name}`.replaceAll(' ', '-');
    const moved = Object.fromEntries(Object.entries(files).map(([file, text]) => [`${under}${file}`, text]));
    write(project, { ...moved, ...PACKAGE, ...around });
    expect(await transcriptOf(join(project, under, name))).toEqual(here);
  });

  it('gives the same transcript under another name', async () => {
    const [first, ...rest] = Object.entries(files);
    write(`renamed-${name}`, { ...Object.fromEntries(rest), ...PACKAGE, 'other-name.ts': first?.[1] ?? '' });
    expect(await transcriptOf(join(`renamed-${name}`, 'other-name.ts'))).toEqual(await transcriptOf(join(bare, name)));
  });
});

it('the command gives the same transcript from another directory, and as another copy of the package', () => {
  write('command', { ...IMPORTING, ...PACKAGE });
  const copy = join(work, 'elsewhere', 'oddsmith');
  mkdirSync(copy, { recursive: true });
  for (const part of ['src', 'package.json']) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const runs = [
    [ROOT, join(work, 'command')],
    [ROOT, work],
    [copy, tmpdir()],
  ].map(([place = '', cwd]) => commandIn(place, cwd ?? ''));
  expect(runs[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(runs).toEqual(runs.map(() => runs[0]));
});

function commandIn(place: string, cwd: string): unknown {
  const [strategy, out] = [join(work, 'command', 'drawing.ts'), join(work, 'runs')];
  const config = temporaryFile(
    'run.yaml',
    `strategies: [{ file: ${JSON.stringify(strategy)} }]\ntapes: [${JSON.stringify(SAMPLE_TAPE)}]\nmarkets: { ids: ["99000101"] }\nout: ${JSON.stringify(out)}\n`,
  );
  const args = ['--conditions=oddsmith-source', join(place, 'src/app/main.ts'), 'backtest', config, '--json'];
  const printed = execFileSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
  return JSON.parse(printed).transcript.sha256;
}
