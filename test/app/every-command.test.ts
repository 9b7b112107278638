/** Each command has what CONTRIBUTING.md asks of a new one: an example, a document, and its place in the tests that try all of them. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { everyCommand } from '../support/every-command.ts';
import { run } from './fake-terminal.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const commands = await everyCommand();
/** Those that do something themselves: `tape` alone only names the commands below it. */
const working = commands
  .filter((words) => !commands.some((other) => other.length > words.length && other[0] === words[0]))
  .map((words) => ({ words, name: words.join(' ') }));
const documents = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]
  .filter((path) => path.endsWith('.md') && path !== 'docs/decisions.md')
  .map(read)
  .join('\n');
const tried = { smoke: read('test/support/node-versions/smoke.ts'), badPaths: read('test/app/bad-paths.test.ts') };

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

test('the list is the command line', () => {
  expect(working.length).toBeGreaterThan(10);
  expect(commands).toContainEqual(['tape', 'export']);
});

test.each([{ words: [], name: 'oddsmith itself' }, ...commands.map((words) => ({ words, name: words.join(' ') }))])(
  'help of $name is on stdout with a worked example',
  async ({ words }) => {
    const { code, out, note } = await run(...words, '--help');
    expect({ code, note }).toEqual({ code: 0, note: '' });
    expect(out).toMatch(/Examples?:\n {2}\$ .*\boddsmith /);
  },
);

test.each(working)('$name is shown in the README or in docs', ({ name }) => {
  // A word alone in code may be anything; two words are a command.
  const before = name.includes(' ') ? '(oddsmith( --)? |`)' : '(oddsmith( --)?|npm run) ';
  expect(new RegExp(`${before}${name}\\b`).test(documents)).toBe(true);
});

test.each(working)('$name is played on every Node and given bad paths', ({ words }) => {
  const written = words.map((word) => `'${word}'`).join(', ');
  expect(tried.smoke, 'test/support/node-versions/smoke.ts').toContain(written);
  expect(tried.badPaths, 'test/app/bad-paths.test.ts').toContain(written);
});
