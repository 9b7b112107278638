/** The commands of a sweep: what they print, what they write, and what they refuse. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { run } from '../app/fake-terminal.ts';
import { tablesIn } from '../support/page-tables.ts';
import { raceTape, SweepStage } from '../support/sweep/sweep-stage.ts';

const stage = new SweepStage({ trials: 4, races: 5 });
const directory = join(stage.out, 'small');

beforeAll(async () => {
  stage.writeConfig();
  expect(await run('sweep', stage.config, '--jobs', '1')).toMatchObject({ code: 0 });
});

afterEach(() => stage.writeStrategy());

test('a dry run counts and measures, and keeps nothing', async () => {
  const other = new SweepStage({ trials: 4, races: 5 });
  other.writeConfig();
  const { code, out } = await run('sweep', other.config, '--dry-run', '--json', '--jobs', '1');
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ dryRun: true, trials: 4, units: 20, known: 0, left: 20, isWhole: true });
  expect(JSON.parse(out).expectedMs).toBeGreaterThanOrEqual(0);
  await expect(run('sweep', 'show', join(other.out, 'small'), '--json')).resolves.toMatchObject({ code: 2 });
  const known = await run('sweep', stage.config, '--dry-run');
  expect(known.out).toMatch(/units +20, of which 20 are known\nleft +0\ntime +none/);
});

test('what was played is found again, and the best trials are printed', async () => {
  const { code, out, note } = await run('sweep', stage.config, '--jobs', '1');
  expect(code).toBe(0);
  expect(out).toMatch(
    /^Best: trial \d, profitNet .*Luck: seldom\senough to explain it, with a best as good in 3 of 100 cases\.\n/s,
  );
  expect(out).toMatch(
    /\n\nHighest profitNet, pessimistic bound\ntrial +profitNet .* strategies\[0\]\.params\.stake +strategies\[0\]\.params\.ticks\n/,
  );
  // What several figures lack is said once.
  expect(out).toMatch(/\nnot known +.*Reality check, deflated Sharpe: 5 events are too few/);
  expect(note).toMatch(/^Plays 4 trials with 20 units\. Units that are known already are not played again\.\n/);
  expect(note).toMatch(/4 trials, 20 units: 0 computed, 20 known before, 0 failed\nHash of trials: [0-9a-f]{64}\n/);
});

test('report draws each trial with its value, and says in words how much of the best is luck', async () => {
  const file = join(stage.out, 'sweep.html');
  const { code, out } = await run('report', directory, '--out', file, '--json');
  expect(code, out).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ kind: 'sweep', file });
  const page = readFileSync(file, 'utf8');
  const { tables, facts } = tablesIn(page);
  const { trials } = JSON.parse((await run('sweep', 'top', directory, '--count', '4', '--json')).out);
  const numbers = tables.get('trials')?.numbers;
  expect([...(numbers?.get('trial') ?? [])]).toEqual(trials.map(({ trial }: { trial: number }) => trial));
  expect([...(numbers?.get('value') ?? [])]).toEqual(trials.map(({ value }: { value: number }) => value));
  expect(facts).toMatchObject({
    keys: ['strategies[0].params.stake', 'strategies[0].params.ticks'],
    trials: 4,
    goal: 'maximize',
  });
  expect(page).toMatch(/<p class="headline">Best: trial \d, profitNet .* Luck: seldom enough to explain it/);
  expect(facts).toMatchObject({ value: 'profitNet' });
  expect((facts as { units: object }).units).not.toHaveProperty('profitNet');
});

test('top lists trials by any figure', async () => {
  const { out } = await run('sweep', 'top', directory, '--by', 'stakeMatched', '--count', '2', '--json');
  const { trials, objective } = JSON.parse(out);
  expect(objective).toMatchObject({ figure: 'stakeMatched', goal: 'maximize' });
  expect(trials).toHaveLength(2);
  expect(trials[0].value).toBeGreaterThan(trials[1].value);
  const wrong = await run('sweep', 'top', directory, '--by', 'luck');
  expect(wrong).toMatchObject({ code: 2, note: expect.stringMatching(/profitNet/) });
});

test('show says what is kept, and of one trial each figure at the bound of the objective, in whose world alone it was played', async () => {
  const { out } = await run('sweep', 'show', directory);
  expect(out).toMatch(/trials +4 played\n/);
  const shown = JSON.parse((await run('sweep', 'show', directory, '--trial', '2', '--json')).out);
  expect(shown).toMatchObject({ trial: 2, state: 'played', units: 5, played: 5 });
  expect(Object.keys(shown.figures.profitNet)).toEqual(['pessimistic']);
  const none = await run('sweep', 'show', directory, '--trial', '4', '--json');
  expect(none.code).toBe(2);
  expect(JSON.parse(none.out).error).toMatchObject({
    code: 'TRIAL_NOT_FOUND',
    why: expect.stringMatching(/last one is 3/),
  });
});

test.each([
  { rows: 'trials', count: 4 },
  { rows: 'markets', count: 20 },
])('export writes $rows as CSV and as Parquet alike', async ({ rows, count }) => {
  const [csv, parquet] = [join(stage.directory, `${rows}.csv`), join(stage.directory, `${rows}.parquet`)];
  const args = ['sweep', 'export', directory, '--rows', rows, '--csv', csv, '--parquet', parquet];
  expect(await run(...args)).toMatchObject({ code: 0 });
  const [heading = '', ...lines] = readFileSync(csv, 'utf8').trimEnd().split('\r\n');
  const names = heading.split(',');
  const objects = await parquetReadObjects({ file: await asyncBufferFromFile(parquet) });
  expect(lines).toHaveLength(count);
  expect(objects.map((object) => names.map((name) => textOf(object[name])).join(','))).toEqual(lines);
});

function textOf(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  const text = cell instanceof Date ? cell.toISOString() : String(cell);
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

test('export asks for a file, and says which one it cannot write', async () => {
  const none = await run('sweep', 'export', directory);
  expect(none).toMatchObject({ code: 2, note: expect.stringMatching(/--csv FILE, --parquet FILE/) });
  for (const flag of ['--csv', '--parquet']) {
    const { code, note } = await run('sweep', 'export', directory, flag, join(stage.config, 'x'));
    expect({ flag, code, note }).toMatchObject({ code: 2, note: expect.stringMatching(/FILE_NOT_WRITABLE/) });
  }
});

test('rerun plays a trial whole, with its files, and its figures are those that were kept', async () => {
  const { code, note, out } = await run('sweep', 'rerun', directory, '--trial', '3');
  expect({ code, note }).toEqual({
    code: 0,
    note: expect.stringMatching(/Equal to the figures that the sweep has kept of its 5 units\./),
  });
  expect(out).toMatch(/net profit/);
  const [, written = ''] = /Orders and fills: (.+)/.exec(note) ?? [];
  expect(readFileSync(join(written, 'orders.csv'), 'utf8')).toMatch(/win-0/);
});

test('rerun refuses a trial that would be played otherwise by now', async () => {
  stage.writeStrategy('if (!market.id) return [];');
  const { code, out } = await run('sweep', 'rerun', directory, '--trial', '0', '--json');
  expect(code).toBe(2);
  expect(JSON.parse(out).error).toMatchObject({ code: 'TRIAL_CHANGED' });
});

test('a directory of another program is named', async () => {
  const other = new SweepStage({ trials: 2, races: 1 });
  writeFileSync(join(other.directory, 'trials.sqlite'), 'dear diary');
  const { code, out } = await run('sweep', 'top', other.directory, '--json');
  expect({ code, error: JSON.parse(out).error.code }).toEqual({ code: 2, error: 'NOT_A_SWEEP' });
});

test('a sweep over no market at all says so', async () => {
  const other = new SweepStage({ trials: 2, races: 1 });
  other.set({ markets: { ids: ['none'] } });
  other.writeConfig();
  const { code, out } = await run('sweep', other.config, '--json', '--jobs', '1');
  expect({ code, error: JSON.parse(out).error?.code }).toEqual({ code: 2, error: 'NO_MARKETS' });
});

test('a tape that is gone is named', async () => {
  const other = new SweepStage({ trials: 2, races: 1 });
  other.tapes = [`${raceTape(0, 1)}.gone`];
  other.writeConfig();
  const { code, out } = await run('sweep', other.config, '--json');
  expect({ code, error: JSON.parse(out).error.code }).toEqual({ code: 5, error: 'TAPE_NOT_FOUND' });
});
