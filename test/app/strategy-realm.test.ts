/** Each strategy is loaded into a realm of its own: what it has there, what it has not, and what does not get out. */

import { basename as ownBasename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONSOLE_LINES_MAX } from '../../src/loader/realm/strategy-console.ts';
import { type LoadChoice, type LoadedStrategy, loadStrategy } from '../../src/loader/strategy-loader.ts';
import type { StrategyFault } from '../../src/loader/strategy-loader-fault.ts';
import { decideOnce, testMarket } from '../../src/testing.ts';
import { temporaryFile } from '../support/temporary-directory.ts';

let made = 0;
function write(text: string): string {
  made += 1;
  return temporaryFile(`guest-${made}.ts`, text);
}

async function loaded(text: string, choice: LoadChoice = {}): Promise<LoadedStrategy> {
  const result = await loadStrategy(write(text), {}, choice);
  if (result.kind === 'fault') throw new Error(`${result.fault.code}: ${result.fault.what} ${result.fault.why}`);
  return result;
}

async function faultIn(text: string, choice: LoadChoice = {}): Promise<StrategyFault> {
  const result = await loadStrategy(write(text), {}, choice);
  if (result.kind === 'loaded') throw new Error('expected a fault, but the strategy loaded');
  return result.fault;
}

const market = testMarket({ outcomes: [{ id: 'a', against: [[2, 100]], for: [[2.02, 50]] }, { id: 'b' }] });

/** What an expression is in the realm, after some statements. */
async function inRealm(expression: string, statements = ''): Promise<unknown> {
  const { plugin } = await loaded(
    `${statements}\nexport default { name: 'mine', decide: () => ({ state: (${expression}) as unknown }) };`,
  );
  return decideOnce(plugin, { market }).state;
}

describe('in its realm, a strategy', () => {
  it('has no process, no timers, no network and no way to load more', async () => {
    const names = ['process', 'global', 'Buffer', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask'];
    const more = ['fetch', 'WebSocket', 'performance', 'navigator', 'localStorage', 'AbortController', 'Worker'];
    for (const name of [...names, ...more]) expect(await inRealm(`typeof ${name}`), name).toBe('undefined');
    const dynamic = await faultIn("const name = 'node:fs';\nexport default require(name);");
    expect(dynamic).toMatchObject({ code: 'STRATEGY_THROW', line: 2 });
    expect(dynamic.why).toContain("'node:fs' is not imported by name");
  });

  it('has what computes', async () => {
    expect(await inRealm("new URL('x:/a?b=1').searchParams.get('b')")).toBe('1');
    expect(await inRealm("new TextDecoder().decode(new TextEncoder().encode('ö'))")).toBe('ö');
    expect(await inRealm('structuredClone({ a: [1] })')).toEqual({ a: [1] });
    expect(await inRealm('new Intl.NumberFormat("en").format(1234.5)')).toBe('1,234.5');
  });

  it('spoils its own prototypes and no others', async () => {
    const spoil = `
      Array.prototype.push = () => { throw new Error('spoilt'); };
      (Object.prototype as Record<string, unknown>).spoilt = true;
      Math.floor = () => 7;
      JSON.stringify = () => 'spoilt';
      globalThis.Promise = undefined as never;
      delete (globalThis as Record<string, unknown>).Map;`;
    expect(await inRealm('[Math.floor(1.5), JSON.stringify({}), typeof Map]', spoil)).toEqual([
      7,
      'spoilt',
      'undefined',
    ]);
    expect([1].push(2)).toBe(2);
    expect('spoilt' in {}).toBe(false);
    expect(Math.floor(1.5)).toBe(1);
    expect(await inRealm('[Math.floor(1.5), typeof Map]')).toEqual([1, 'function']);
  });

  it('cannot change the modules that the process works with', async () => {
    const change = "import path from 'node:path';\nimport zlib from 'node:zlib';";
    const changed = "Reflect.set(zlib.gzipSync, 'memo', 1) && Reflect.set(path, 'basename', () => 'spoilt')";
    expect(await inRealm(changed, change)).toBe(true);
    expect(ownBasename('/a/b')).toBe('b');
    expect(await inRealm("[path.basename('/a/b'), 'memo' in zlib.gzipSync]", change)).toEqual(['b', false]);
  });

  it('packs and unpacks at once, and not later', async () => {
    const zlib = "import zlib from 'node:zlib';";
    expect(await inRealm("zlib.gunzipSync(zlib.gzipSync('text')).toString()", zlib)).toBe('text');
    const tried = '(() => { try { zlib.createGunzip(); } catch (error) { return String(error); } })()';
    expect(await inRealm(tried, zlib)).toMatch('zlib.createGunzip is not for strategies');
  });

  it('has the same chance each time it is loaded', async () => {
    const path = write('export default { name: "mine", decide: () => ({ state: [Math.random(), Math.random()] }) };');
    const drawn = async (): Promise<unknown> => {
      const result = await loadStrategy(path);
      return result.kind === 'loaded' ? decideOnce(result.plugin, { market }).state : undefined;
    };
    const one = await drawn();
    expect(await drawn()).toEqual(one);
    expect(new Set(one as number[]).size).toBe(2);
  });

  it.each([
    "import process from 'node:process';\nprocess.exit(0);",
    "import { exit } from 'process';\nexit(0);",
    "import { spawn } from 'node:child_process';\nspawn('true');",
    "import { hostname } from 'node:os';\nhostname();",
    "import { Worker } from 'node:worker_threads';\nnew Worker('');",
    "import { setTimeout } from 'node:timers';\nsetTimeout(() => {}, 1);",
    "import { createRequire } from 'node:module';\ncreateRequire('/');",
    "const http = require('node:http');\nhttp.get('http://localhost');",
    "export default await_;\nfunction await_() { return import('node:vm'); }",
  ])('is refused a module that does more than compute: %s', async (text) => {
    const fault = await faultIn(text);
    expect(fault).toMatchObject({
      code: 'STRATEGY_IMPORT',
      what: expect.stringMatching(/is no module for a strategy/),
    });
    expect(fault.line).toBeGreaterThan(0);
    expect(fault.column).toBeGreaterThan(0);
  });

  it('writes to its console within limits: not too much, and no escapes', async () => {
    const lines: string[] = [];
    await loaded(
      `console.log('\\u001b[31mred', { a: 1 }, new Proxy({}, { get() { throw new Error('trap'); } }));
       for (let i = 0; i < 5000; i += 1) console.warn(i);
       export default { name: 'mine', decide: () => [] };`,
      { say: (line) => lines.push(line) },
    );
    expect(lines[0]).toMatch(/^ \[31mred \{ a: 1 \} Proxy/);
    expect(lines).toHaveLength(CONSOLE_LINES_MAX + 1);
    expect(lines.at(-1)).toContain('no more are shown');
  });
});

describe('loading', () => {
  it.each([
    ['its top level', 'for (;;);\nexport default 1;'],
    ['its top level, where it catches all', 'for (;;) try { for (;;); } catch {}\nexport default 1;'],
    ['a getter of its plugin', 'export default { get name() { for (;;); }, decide: () => [] };'],
    [
      'reading a param',
      "export default { name: 'a', decide: () => [], params: { x: { kind: 'text', allowed: '', read() { for (;;); } } } };",
    ],
  ])('ends where %s does not', async (_what, text) => {
    const fault = await faultIn(text, { timeoutMs: 200 });
    expect(fault).toMatchObject({ code: 'STRATEGY_LOAD_TIMEOUT', file: expect.stringContaining('guest-') });
  });

  it.each([
    ['a getter of its plugin', "export default { get name() { throw new Error('no name'); }, decide: () => [] };"],
    [
      'reading a param',
      "export default { name: 'a', decide: () => [], params: { x: { read() { throw new Error('no name'); } } } };",
    ],
  ])('is told where %s throws', async (_what, text) => {
    expect(await faultIn(text)).toMatchObject({ code: 'STRATEGY_THROW', why: 'Error: no name', line: 1 });
  });

  it.each([
    'null',
    'Symbol("up")',
    'Object.create(null)',
    'new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 2; } })',
  ])('is told of %s that it throws', async (thrown) => {
    expect(await faultIn(`throw ${thrown};`)).toMatchObject({
      code: 'STRATEGY_THROW',
      why: expect.stringContaining('The thrown value is'),
    });
  });

  it('takes the plugin as it is: what it does to itself later changes nothing', async () => {
    const { plugin } = await loaded(`
      const plugin = { name: 'mine', decide: () => { plugin.decide = () => [7]; plugin.name = 'other'; return []; } };
      export default plugin;`);
    expect(decideOnce(plugin, { market }).intents).toEqual([]);
    expect(decideOnce(plugin, { market }).intents).toEqual([]);
    expect(plugin.name).toBe('mine');
  });

  it('keeps the methods of a class on their own object', async () => {
    const { plugin } = await loaded(`
      class Mine { #calls = 0; get name() { return 'mine'; } decide() { this.#calls += 1; return { state: this.#calls }; } }
      export default new Mine();`);
    decideOnce(plugin, { market });
    expect(decideOnce(plugin, { market }).state).toBe(2);
  });
});

describe('a failure outside of every call', () => {
  it('is known as the strategy’s: by the realm of its promise, or by its script in the stack', async () => {
    const { plugin, guest } = await loaded(`
      export default { name: 'mine', decide: () => ({ state: { promise: Promise.reject(7), error: new Error('late') } }) };`);
    const other = await loaded(`export default { name: 'other', decide: () => [] };`);
    const { state } = decideOnce(plugin, { market });
    const { promise, error } = state as { promise: Promise<never>; error: unknown };
    promise.catch(() => {});
    expect(guest.isFrom(7, promise)).toBe(true);
    expect(guest.isFrom(error)).toBe(true);
    expect(guest.describe(error)).toMatch(/guest-\d+\.ts:2:/);
    const ours = new Error('ours');
    expect(guest.isFrom(ours, Promise.resolve())).toBe(false);
    expect(other.guest.isFrom(error, promise)).toBe(false);
  });
});
