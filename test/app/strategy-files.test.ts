/** A strategy reads no file but those that its configuration grants, in every kind of run. */

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startStrategies } from '../../src/app/run/strategy-instances.ts';
import { type LoadChoice, loadStrategy } from '../../src/loader/strategy-loader.ts';
import { decideOnce, testMarket } from '../../src/testing.ts';
import { SAMPLE_TAPE } from '../support/places.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { run } from './fake-terminal.ts';

let dir = '';
let strategy = '';
let data = '';

beforeAll(() => {
  dir = temporaryDirectory('files');
  data = join(dir, 'data');
  mkdirSync(data);
  writeFileSync(join(data, 'model.csv'), 'a,0.5\n');
  writeFileSync(join(dir, 'secret.csv'), 'winner\n');
  symlinkSync(join(dir, 'secret.csv'), join(data, 'link.csv'));
  strategy = write("readFileSync(join(DATA, 'model.csv'), 'utf8')");
});

let made = 0;
function write(read: string): string {
  made += 1;
  const path = join(dir, `reader-${made}.ts`);
  writeFileSync(
    path,
    `import * as fs from 'node:fs';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'fs';
import { join } from 'node:path';
const DIR = ${JSON.stringify(dir)};
const DATA = join(DIR, 'data');
const seen: unknown = ${read};
export default { name: 'reader', state: () => seen, decide: () => [] };
`,
  );
  return path;
}

const market = testMarket({ outcomes: [{ id: 'a' }] });

async function seen(read: string, files: LoadChoice['files'] = { paths: [data] }): Promise<unknown> {
  const loaded = await loadStrategy(write(read), {}, { files });
  return loaded.kind === 'loaded' ? decideOnce(loaded.plugin, { market }).state : loaded.fault.why;
}

describe('without a grant', () => {
  it.each(["import { readFileSync } from 'node:fs';\nreadFileSync;", "const fs = require('fs');\nfs;"])(
    'no file is read, and it says how one may be: %s',
    async (text) => {
      const path = join(dir, 'ungranted.ts');
      writeFileSync(path, text);
      const loaded = await loadStrategy(path);
      expect(loaded.kind === 'fault' ? loaded.fault : undefined).toMatchObject({
        code: 'STRATEGY_IMPORT',
        what: expect.stringMatching(/^'(node:)?fs' reads files, and none are granted to this strategy\.$/),
        next: expect.stringMatching(/files: \[PATH\].*--grant-files PATH/),
        file: path,
        line: 1,
      });
    },
  );

  it.each(["import { readFile } from 'node:fs/promises';\nreadFile;", "import { hostname } from 'os';\nhostname;"])(
    'and with one, what does not read at once is refused: %s',
    async (text) => {
      const path = join(dir, 'other.ts');
      writeFileSync(path, text);
      const loaded = await loadStrategy(path, {}, { files: { paths: [data] } });
      expect(loaded.kind === 'fault' ? loaded.fault : undefined).toMatchObject({
        code: 'STRATEGY_IMPORT',
        what: expect.stringContaining('is no module for a strategy'),
      });
    },
  );
});

describe('with a grant', () => {
  it('reads what is granted: a directory with all in it, or a file', async () => {
    expect(await seen("readFileSync(join(DATA, 'model.csv'), 'utf8')")).toBe('a,0.5\n');
    expect(await seen('readdirSync(DATA)')).toEqual(['link.csv', 'model.csv']);
    expect(await seen("fs.statSync(join(DATA, 'model.csv')).size")).toBe(6);
    expect(await seen("existsSync(join(DATA, 'none'))")).toBe(false);
    const one = { paths: [join(data, 'model.csv')] };
    expect(await seen("readFileSync(join(DATA, 'model.csv'), 'utf8')", one)).toBe('a,0.5\n');
  });

  it.each([
    ['a file beside it', "readFileSync(join(DIR, 'secret.csv'))"],
    ['a way out of it', "readFileSync(DATA + '/../secret.csv')"],
    ['a link out of it', "readFileSync(join(DATA, 'link.csv'))"],
    ['a file descriptor', 'readFileSync(0 as never)'],
    ['whether something is elsewhere', "existsSync('/')"],
  ])('reads nothing else: %s', async (_what, read) => {
    expect(await seen(read)).toContain(`is not among the files granted to this strategy: ${data}.`);
  });

  it('writes nothing, and can put nothing else in the place of reading', async () => {
    expect(await seen("writeFileSync(join(DATA, 'new'), '')")).toContain('fs.writeFileSync is not for strategies');
    expect(await seen("Reflect.set(fs, 'readFileSync', 0)")).toBe(false);
  });

  it('that is withheld, nothing is there', async () => {
    const files = { paths: [data], isWithheld: true };
    expect(await seen("existsSync(join(DATA, 'model.csv'))", files)).toBe(false);
    expect(await seen("readFileSync(join(DATA, 'model.csv'))", files)).toContain('ENOENT');
  });
});

describe('it is granted', () => {
  const args = (...more: readonly string[]) => ['backtest', '--tape', SAMPLE_TAPE, '--out', dir, '--json', ...more];

  it('by --grant-files, for a backtest from the command line', async () => {
    const refused = await run(...args('--strategy', strategy));
    expect(refused.code).toBe(2);
    expect(JSON.parse(refused.out).error).toMatchObject({ code: 'STRATEGY_IMPORT' });
    expect((await run(...args('--strategy', strategy, '--grant-files', data))).code).toBe(0);
  });

  it('by its key in the configuration', async () => {
    const config = (files: string): string => {
      const path = join(dir, 'backtest.yaml');
      writeFileSync(path, `strategies:\n  - file: ${strategy}\n    files: ${files}\n`);
      return path;
    };
    expect((await run(...args(config('[]')))).code).toBe(2);
    expect((await run(...args(config(`[${data}]`)))).code).toBe(0);
    const wrong = JSON.parse((await run(...args(config('data')))).out).error;
    expect(wrong).toMatchObject({ code: 'CONFIG_INVALID', where: expect.stringContaining('backtest.yaml:3') });
  });

  it('live and on paper, where strategies are seated by the same choice', async () => {
    const choice = { file: strategy, params: {}, wallet: 'main' };
    await expect(startStrategies([choice], ['main'])).rejects.toMatchObject({ parts: { code: 'STRATEGY_IMPORT' } });
    expect(await startStrategies([{ ...choice, files: [data] }], ['main'])).toHaveLength(1);
  });
});
