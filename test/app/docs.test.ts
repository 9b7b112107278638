/** The documents are true: the complete example runs, and links lead somewhere. `test/docs/` tries every block of code. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { documents } from '../support/docs/blocks.ts';
import { anchorsOf } from '../support/docs/headings.ts';
import { ROOT, SAMPLE_TAPE } from '../support/places.ts';
import { temporaryDirectory, temporaryFile } from '../support/temporary-directory.ts';
import { run } from './fake-terminal.ts';

const DOCUMENTS = documents();
const directory = temporaryDirectory('docs');

function read(document: string): string {
  return readFileSync(join(ROOT, document), 'utf8');
}

/** The first block of code in TypeScript, as a file of its own outside the project. */
function firstExample(document: string): string {
  const code = /```ts\n([\s\S]*?)```/.exec(read(document))?.[1] ?? expect.fail(`${document} shows no TypeScript`);
  return temporaryFile(`${document.replaceAll(/\W/g, '-')}.ts`, code);
}

describe('documents', () => {
  test.each(DOCUMENTS)('%s links to files that are there', (document) => {
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]+)/g)].map((match) => match[1] ?? '');
    const missing = links.filter((link) => !existsSync(join(ROOT, dirname(document), link)));
    expect(missing).toEqual([]);
  });

  test.each(DOCUMENTS)('%s links to headings that are there', (document) => {
    const links = [...read(document).matchAll(/\]\((?!https?:)([^)#]*)#([^)]+)\)/g)];
    const lost = links.filter(([, path = '', anchor = '']) => {
      const target = path === '' ? document : join(dirname(document), path);
      return target.endsWith('.md') && !anchorsOf(target).has(anchor);
    });
    expect(lost.map(([link]) => link)).toEqual([]);
  });

  test('the index names every document beside it', () => {
    const index = read('docs/README.md');
    for (const document of DOCUMENTS.filter((name) => /^docs\/[\w-]+\.md$/.test(name) && name !== 'docs/README.md'))
      expect(index).toContain(`(${document.replace('docs/', '')})`);
  });

  test.each(['README.md', 'docs/strategies.md', 'docs/from-flumine.md'])(
    'the strategy in %s runs over the sample',
    async (document) => {
      const quoted = [firstExample(document), SAMPLE_TAPE, directory].map((path) => JSON.stringify(path));
      const config = temporaryFile(
        'run.yaml',
        `strategies: [{ file: ${quoted[0]} }]\ntapes: [${quoted[1]}]\nout: ${quoted[2]}\nmarkets: { ids: ['99000401'] }\n`,
      );
      const { code, out } = await run('backtest', config, '--json');
      expect(code).toBe(0);
      const result = JSON.parse(out);
      expect(result.halts).toEqual([]);
      expect(result.orders.accepted).toBeGreaterThan(0);
    },
  );
});

test('each command of the README finds the Node of the project: it is an npm script, or npx', () => {
  const blocks = [...read('README.md').matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, text = '']) =>
    text.trim().split('\n'),
  );
  const commands = blocks.flatMap((line) => line.split('&&')).map((command) => command.trim());
  expect(commands.length).toBeGreaterThan(5);
  for (const command of commands) expect(command).toMatch(/^(npm (ci|install|test|run) ?|npx |cd \.\.\/my-bot$)/);
});

test('no package is compiled where the project is installed: the two that run a script fetch what was built', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: true }>>;
  };
  const scripted = Object.keys(packages).filter((name) => packages[name]?.hasInstallScript === true);
  const { allowScripts } = JSON.parse(read('package.json')) as {
    readonly allowScripts: Readonly<Record<string, boolean>>;
  };
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name] === true);
  expect(allowed).toEqual(['esbuild', 'node']);
  const others = scripted
    .map((name) => name.replace(/^.*node_modules\//, ''))
    .filter((name) => !allowed.includes(name));
  // The second is an optional codec of the optional engine BullMQ, which works without it.
  expect(others).toEqual(['better-sqlite3', 'msgpackr-extract']);
  // It brings its sources, which npm would build by itself.
  expect(JSON.parse(read('node_modules/better-sqlite3/package.json'))).toMatchObject({ gypfile: false });
  expect(JSON.parse(read('node_modules/better-sqlite3/package.json')).scripts).not.toHaveProperty('install');
});

test('the README says before its first command which exchange is traded, and what is not', () => {
  const [first = ''] = read('README.md').split('```');
  expect(first).toContain('BetDEX Exchange API');
  expect(first).toMatch(
    /^\| Betfair \| yes, its stream recordings are imported \|.*\| \*\*not yet: tried on that sandbox, never with real money\*\* \|$/m,
  );
  for (const text of [first, read('docs/backtest.md')])
    expect(text.replaceAll('\n', ' ')).toMatch(/orders at the starting price\*{0,2} are not supported/i);
});
