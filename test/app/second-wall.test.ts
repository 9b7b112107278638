/** In a thread of the command no function of ours makes code of text; what is written as a name does. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const WALL = fileURLToPath(new URL('../../src/loader/realm/second-wall.ts', import.meta.url));

/** In a process of its own, since nothing takes it back. */
async function behindTheWall(code: string): Promise<unknown> {
  const script = `import { closeConstructors } from ${JSON.stringify(WALL)}; closeConstructors(); console.log(JSON.stringify(${code}));`;
  const args = ['--conditions=oddsmith-source', '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

const FUNCTIONS = ['() => {}', 'async () => {}', 'function* () {}', 'async function* () {}', 'URL', 'class {}'];

test('each way from a function to code of text throws, and leads to no other', async () => {
  const tried = FUNCTIONS.map(
    (made) =>
      `(() => { try { return typeof (${made}).constructor('return process')(); } catch (error) { return error.message; } })()`,
  );
  const words = await behindTheWall(`[${tried.join(',')}]`);
  expect(words).toEqual(FUNCTIONS.map(() => expect.stringMatching(/Function: no code is made of text here\.$/)));
  const again =
    "(() => { try { Object.defineProperty(Function.prototype, 'constructor', { value: 1 }); } catch (error) { return error.name; } })()";
  expect(await behindTheWall(again)).toBe('TypeError');
});

test('what libraries do goes on: names of constructors, instanceof, and Function by its name', async () => {
  const asked =
    '[(async () => {}).constructor.name, (() => {}) instanceof Function, new Function("return 7")(), (() => {}).constructor.prototype === Function.prototype]';
  expect(await behindTheWall(asked)).toEqual(['AsyncFunction', true, 7, true]);
});
