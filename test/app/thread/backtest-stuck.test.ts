/** A strategy that does not come back from a call is halted there, in its world alone; what it was doing is named, and the run goes on to its end. */

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { SAMPLE_TAPE, sampleStrategy } from '../../support/places.ts';
import { builtCommand, type RunningCommand, startProcess } from '../../support/running-command.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { HOSTILE } from '../../support/thread/hostile.ts';
import { animalFile } from '../../support/zoo/zoo.ts';

const QUOTER = sampleStrategy('passive-quoter');
const folder = temporaryDirectory('stuck');
let command: RunningCommand | undefined;
afterEach(() => command?.kill());

interface Halt {
  readonly strategy: string;
  readonly code: string;
  readonly market: string;
  readonly at: number;
  readonly what: string;
  readonly worlds: readonly string[];
}

interface Run {
  readonly flow: string;
  readonly transcriptSha256: string;
}

const strategiesOf = (files: readonly string[]): string =>
  files.map((file) => `  - { file: ${file}, params: {}, wallet: main }`).join('\n');

async function backtest(name: string, files: readonly string[], args: readonly string[], more = '') {
  const config = `strategies:\n${strategiesOf(files)}\ntapes: [${SAMPLE_TAPE}]\nstrategyTimeoutMs: 2000\nout: runs-${name}\n${more}`;
  writeFileSync(join(folder, `${name}.yaml`), config);
  command = startProcess(builtCommand(['backtest', `${name}.yaml`, ...args]), { cwd: folder });
  return await command.ended;
}

/** The others hang beside a good one and in one world, since each halt takes the whole patience. */
test.each(Object.entries({ ...HOSTILE, 'endless-generator': undefined }))(
  'a strategy that hangs (%s) is named with its file, line and calls, the run goes on to its end; the exit code is 2',
  async (name, source) => {
    const isAlone = name === 'loop';
    const file = source === undefined ? animalFile(name) : `${name}.ts`;
    if (source !== undefined) writeFileSync(join(folder, file), source);
    const files = isAlone ? [file] : [animalFile('good'), file];
    const { code, out } = await backtest(name, files, ['--json', ...(isAlone ? [] : ['--fills', 'central'])]);
    expect(code).toBe(2);
    const { halts, interrupted, strategies } = JSON.parse(out);
    expect(interrupted).toBe(false);
    expect(halts).toHaveLength(1);
    expect(halts[0]).toMatchObject({ strategy: name, code: 'STRATEGY_STUCK' });
    expect(halts[0].what).toContain(`Strategy '${name}' did not come back within 2 s. It was halted on market 99000`);
    expect(halts[0].worlds).toEqual(isAlone ? ['central', 'pessimistic', 'optimistic'] : ['central']);
    expect(halts[0].where).toMatch(new RegExp(`/${name}\\.ts:\\d+:\\d+$`));
    expect(halts[0].why).toContain(`${name}.ts:`);
    expect(strategies.map((strategy: { readonly name: string }) => strategy.name)).toEqual(
      isAlone ? [name] : ['good', name],
    );
  },
);

/** Backs a favourite, and does not come back when it is filled: at an instant of its own in each world. */
const WHEN_FILLED = `import { back, defineStrategy, favourites } from 'oddsmith';
let calls = 0;
export default defineStrategy({
  name: 'when-filled',
  decide({ market, orders, position }) {
    calls += 1;
    if (calls % 10 === 0) console.log(market.id + ' ' + calls);
    if (!position.isFlat) for (;;);
    const [favourite] = favourites(market);
    if (!market.tradable || orders.length > 0 || favourite?.bestFor === undefined) return [];
    return [back(favourite, { stake: 5, price: favourite.bestFor.price })];
  },
});
`;

/** Does not come back when an order is filled and still there: in some worlds at other instants, in some never. */
const PARTLY = WHEN_FILLED.replace('!position.isFlat', 'orders.some(({ stakeMatched }) => stakeMatched > 0)');
/** The same, but that it throws there. */
const THROWS = PARTLY.replace('for (;;);', "throw new Error('filled');");

const TWO = "markets: { ids: ['99000301', '99000501'] }\n";

const hashes = (runs: readonly Run[]) =>
  Object.fromEntries(runs.map(({ flow, transcriptSha256 }) => [flow, transcriptSha256]));

test('it is halted in the world in which it hangs, as one that throws there, and what it says is said once', async () => {
  writeFileSync(join(folder, 'when-filled.ts'), PARTLY);
  const both = [QUOTER, 'when-filled.ts'];
  const every = ['--json', '--fills', 'all'];
  const apart = await backtest('apart', both, every, TWO);
  writeFileSync(join(folder, 'when-filled.ts'), THROWS);
  const thrown = await backtest('thrown', both, every, TWO);
  expect([apart.code, thrown.code]).toEqual([2, 2]);
  const [result, throwing] = [apart, thrown].map(({ out }) => JSON.parse(out));
  expect(result.halts.length).toBeGreaterThan(1);
  const placesOf = ({ halts }: { halts: readonly Halt[] }) =>
    halts.map(({ market, at, worlds }) => [market, at, worlds]);
  expect(placesOf(result)).toEqual(placesOf(throwing));
  for (const { what, worlds } of result.halts) {
    expect(what).toMatch(/ in the (\w+ world|worlds [\w, ]+) and its orders were cancelled; the others went on\.$/);
    expect(what).toContain(worlds.join(', '));
  }
  for (const key of ['updates', 'decisions', 'orders', 'result', 'byMarket'])
    expect(result[key], key).toEqual(throwing[key]);
  expect(apart.note.match(/^when-filled: .*$/gm)).toEqual(thrown.note.match(/^when-filled: .*$/gm));
  expect(apart.note.match(/^when-filled: .*$/gm)?.length).toBeGreaterThan(1);
});

test('a world in which it hangs is what it is alone', async () => {
  writeFileSync(join(folder, 'when-filled.ts'), WHEN_FILLED);
  const of = async (fills: string) =>
    JSON.parse((await backtest(fills, ['when-filled.ts'], ['--json', '--fills', fills], TWO)).out);
  const [central, three] = [await of('central'), await of('bounds')];
  expect(hashes(three.runs)['central']).toBe(hashes(central.runs)['central']);
  expect(three.halts.flatMap(({ worlds }: Halt) => worlds)).toContain('central');
  expect(new Set(Object.values(hashes(three.runs))).size).toBe(3);
});

test('in a proof it ends the run, which has nothing yet', async () => {
  writeFileSync(join(folder, 'when-filled.ts'), WHEN_FILLED);
  const { code, out } = await backtest('proof', ['when-filled.ts'], ['--json', '--prove'], TWO);
  expect(code).toBe(2);
  const { halts, interrupted, updates } = JSON.parse(out);
  expect({ interrupted, updates }).toEqual({ interrupted: true, updates: 0 });
  expect(halts).toMatchObject([{ code: 'STRATEGY_STUCK', what: expect.stringContaining('The run ended there.') }]);
});

test('the table, the block and whole files of the whole run are left', async () => {
  writeFileSync(join(folder, 'words.ts'), HOSTILE.loop);
  const { code, out, note } = await backtest('words', [QUOTER, 'words.ts'], []);
  expect(code).toBe(2);
  expect(out).not.toContain('interrupted');
  expect(out).toContain("Strategy 'loop' did not come back within 2 s. It was halted on market 99000");
  expect(note).toContain('error STRATEGY_STUCK');
  expect(note).toMatch(/where {2}\S+words\.ts:8:\d+/);
  const [run = ''] = readdirSync(join(folder, 'runs-words'));
  const files = ['result.json', 'report.html', 'report-data.gz', 'orders.csv', 'fills.csv', 'refusals.csv'];
  expect(readdirSync(join(folder, 'runs-words', run)).sort()).toEqual([...files].sort());
  expect(JSON.parse(readFileSync(join(folder, 'runs-words', run, 'result.json'), 'utf8')).halts).toHaveLength(1);
  expect(existsSync(join(folder, 'runs-words', run, 'orders.csv.new'))).toBe(false);
});
