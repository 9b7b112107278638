/** Runs against a real sandbox with a busy crowd, and `parity` of what they left. */

import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { exitCodeOf } from '../../src/app/commands/parity-command.ts';
import { runParity } from '../../src/app/parity/parity-run.ts';
import { writeRunFile } from '../../src/app/run/run-file.ts';
import type { JournalRecord } from '../../src/core/run/journal.ts';
import { readJournal } from '../../src/journal/read-journal.ts';
import { verifyTape } from '../../src/recording/verify.ts';
import { parityTable } from '../../src/report/text/parity-table.ts';
import { tablesIn } from '../support/page-tables.ts';
import { recordedRun, strategyFile } from '../support/paper/recorded-run.ts';
import { RecordingStage } from '../support/record/recording-stage.ts';
import { run } from './fake-terminal.ts';

const LENGTH_MS = 10_000;
const STRATEGIES = [
  { name: 'favourite-scalp', params: { lean: 0.4 } },
  { name: 'passive-quoter', params: {} },
  // It reads the traded ladder: on paper and in the replay it is the same.
  { name: 'market-maker', params: { until: '0s' } },
];

let stage: RecordingStage;
beforeEach(async () => {
  stage = await RecordingStage.open({ pace: 30 });
});

function recordsIn(directory: string): readonly JournalRecord[] {
  const reader = readJournal(join(directory, 'journal.sqlite'));
  const records = [...reader.records()].map(({ record }) => record);
  reader.close();
  return records;
}

/** Its report has each order of the journal, fills that add up to what the journal has matched, and prices from the tapes. */
async function expectReport(directory: string, kind: 'paper' | 'live'): Promise<void> {
  const file = join(directory, 'drawn.html');
  const { code, out } = await run('report', directory, '--out', file, '--json');
  expect(code, out).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ command: 'report', kind, file });
  const html = readFileSync(file, 'utf8');
  expect(/<code>([^<]*edge = [^<]*)/.exec(html)?.[1], 'given or by default').toBe(
    'stake = 5 · outcomes = 2 · edge = 2 · inventory = 15 · calm = 6 · until = 0ms',
  );
  const { facts, tables } = tablesIn(html);
  const records = recordsIn(directory);
  const sent = records.flatMap((record) => (record.kind === 'sent' ? [record.client] : []));
  expect([...(tables.get('orders')?.numbers.get('order') ?? [])]).toEqual(sent);
  const matched = new Map(
    records.flatMap((each) => (each.kind === 'reported' ? [[each.client, each.stakeMatched]] : [])),
  );
  const stakes = tables.get('fills')?.numbers.get('stake') ?? new Float64Array();
  expect(stakes.reduce((sum, stake) => sum + stake, 0)).toBeCloseTo(
    [...matched.values()].reduce((a, b) => a + b, 0) / 1e6,
  );
  expect(stakes.length).toBeGreaterThan(0);
  expect(facts).toMatchObject({ kind, result: { orders: { sent: sent.length } } });
  expect(tables.get('prices')?.rows).toBeGreaterThan(5);
}

/** Of decisions that were lost, the span is named, and nothing is called a difference for it. */
async function expectUnexplained(directory: string): Promise<void> {
  const folder = join(directory, 'journal.sqlite.explain');
  const [name = ''] = readdirSync(folder);
  const whole = readFileSync(join(folder, name), 'utf8');
  const lines = whole.split('\n');
  const atOf = (line: number): number => Number(lines[line]?.split(' ')[2]);
  const lost = lines.findIndex((_, line) => line > lines.length / 2 && atOf(line - 1) < atOf(line + 1));
  writeFileSync(join(folder, name), lines.with(lost, 'damaged').join('\n'));
  const result = await runParity(directory, hooks);
  const why = 'lines are damaged, or could not be written';
  expect(result.notExplained).toEqual([{ from: atOf(lost - 1), to: atOf(lost + 1), why }]);
  expect(result.differences).toEqual([]);
  expect(exitCodeOf(result)).toBe(0);
  expect(result.notCompared).toBeGreaterThan(0);
  expect(parityTable(result)).toMatch(/decisions from .* to .* are not compared: lines are damaged/);
  writeFileSync(join(folder, name), whole);

  renameSync(folder, `${folder}.away`);
  const gone = await runParity(directory, hooks);
  renameSync(`${folder}.away`, folder);
  const [all] = gone.notExplained;
  expect(all?.why).toBe('files of explanations were removed');
  expect(all?.from).toBeLessThanOrEqual(atOf(0));
  expect(all?.to).toBeGreaterThanOrEqual(atOf(lines.length - 2) - 1_000);
  expect(gone.differences).toEqual([]);
  expect(gone.counts.decision.same).toBe(0);
  expect(gone.counts.order.same).toBe(result.counts.order.same);
}

const hooks = { signal: new AbortController().signal, onProgress: () => undefined };

test('a paper run and the replay of its recording do the same; a changed strategy and another latency are named', async () => {
  const directory = join(stage.directory, 'run');
  const made = await recordedRun({ stage, directory, mode: 'paper', lengthMs: LENGTH_MS, strategies: STRATEGIES });
  const result = await runParity(directory, hooks);
  expect(result.differences).toEqual([]);
  expect(exitCodeOf(result)).toBe(0);
  const { code, out } = await run('parity', directory);
  expect(code).toBe(0);
  const [headline = ''] = out.split('\n');
  expect(headline).toMatch(/^Same decisions 100 %, same orders 100 %; profit .*; no difference$/);
  expect(out).toMatch(/\npaper run against its replay · /);
  for (const { run: ours, replay } of result.profit) expect(ours).toBe(replay);
  // The simulated exchange's books, read each second, were the ledger's.
  expect(recordsIn(directory).filter((record) => record.kind === 'difference' && record.verdict === 'lasting')).toEqual(
    [],
  );
  for (const name of readdirSync(join(directory, 'tapes')))
    expect(verifyTape(join(directory, 'tapes', name))).toEqual([]);
  expect(result.counts.decision.same).toBeGreaterThan(20);
  expect(result.counts.order.same).toBeGreaterThan(20);
  expect(result.counts.reply.same).toBeGreaterThan(20);
  const makers = recordsIn(directory).filter(
    ({ kind, ...of }) => kind === 'sent' && 'strategy' in of && of.strategy === 'market-maker',
  );
  expect(makers.length).toBeGreaterThan(3);

  await expectReport(directory, 'paper');
  await expectUnexplained(directory);

  const file = join(directory, 'moody.ts');
  writeFileSync(
    file,
    `${readFileSync(strategyFile('passive-quoter'), 'utf8')}\n// Another one.\n`.replace(
      'stake: params.stake',
      'stake: params.stake + 1',
    ),
  );
  const [scalper, quoter, maker] = made.strategies;
  writeRunFile(directory, {
    ...made,
    strategies: [scalper, quoter && { ...quoter, file }, maker].flatMap((each) => each ?? []),
  });
  const changed = await runParity(directory, hooks);
  expect(changed.differences[0]).toMatchObject({ cause: 'strategyChanged', strategy: 'passive-quoter' });
  expect(changed.causes.unexplained.causes).toBe(0);

  writeRunFile(directory, { ...made, latency: { ...made.latency, response: { kind: 'fixed', ms: 250 } } });
  const later = await runParity(directory, hooks);
  expect(later.differences[0]).toMatchObject({ cause: 'latency', step: 'reply' });
  expect(later.causes.unexplained.causes).toBe(0);
});

test('a live run and the replay of its recording: every difference has a name', async () => {
  const directory = join(stage.directory, 'run');
  await recordedRun({ stage, directory, mode: 'live', lengthMs: LENGTH_MS, strategies: STRATEGIES });
  const result = await runParity(directory, hooks);
  expect(result.counts.decision.same).toBeGreaterThan(result.counts.decision.run / 4);
  expect(result.counts.order.same).toBeGreaterThan(20);
  expect(result.differences.filter(({ cause }) => cause === 'unexplained')).toEqual([]);
  for (const { number, follows = 0 } of result.differences) expect(follows).toBeLessThan(number);
  expect(parityTable(result)).toContain(`decisions`);
  await expectReport(directory, 'live');
});
