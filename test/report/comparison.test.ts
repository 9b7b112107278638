import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { reportData } from '../../src/pages/report/report-data.ts';
import { comparisonInWords, comparisonOf } from '../../src/report/comparison.ts';
import { packedReport } from '../../src/report/html/html.ts';
import type { BacktestResult, MarketResult } from '../../src/result/result.ts';
import { run } from '../app/fake-terminal.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { sampleResult } from './sample-result.ts';

/** A run whose markets have these net profits, each an event of its own; undefined: not settled. */
function runOf(nets: readonly (number | undefined)[], change: Partial<BacktestResult> = {}): BacktestResult {
  const byMarket = sampleResult(nets.length).byMarket.map((market, at): MarketResult => {
    const net = nets[at];
    const profit = { ...market.profit.central, profitNet: net ?? 0, stakeMatched: 10 };
    const { settledAt, ...open } = market;
    const event = { eventId: `event ${at}`, profit: { pessimistic: profit, central: profit, optimistic: profit } };
    return net === undefined
      ? { ...open, ...event }
      : { ...open, ...event, settledAt: settledAt ?? 1, status: 'Settled' };
  });
  return sampleResult(nets.length, { byMarket, ...change });
}

const factsOf = (result: BacktestResult) => reportData(result, { kind: 'backtest', missing: [] }).facts;
const compared = (first: BacktestResult, second: BacktestResult) => comparisonOf(factsOf(first), factsOf(second));

test('compares each market with itself, and each event once', () => {
  const comparison = compared(runOf([1, -2, 3, 4, 5, 6]), runOf([2, -1, 5, 4, 6, 8]));
  expect(comparison).toMatchObject({ difference: 7, onlyFirst: 0, onlySecond: 0 });
  expect(comparison.markets.map(({ difference }) => difference)).toEqual([2, 2, 1, 1, 1, 0]);
  expect(comparison.perEvent).toMatchObject({ kind: 'interval', estimate: 7 / 6, groups: 6 });
  const [money, sureness] = comparisonInWords(comparison, 'EUR');
  expect(money).toBe('The second run brought 7.00 EUR more than the first.');
  expect(sureness).toMatch(/^Per event \+1\.17, 95 % \+0\.\d\d … \+1\.\d\d, from 6 event groups: zero lies outside\.$/);
});

test('a difference that goes both ways may be luck alone', () => {
  const words = comparisonInWords(compared(runOf([0, 0, 0, 0, 0, 0]), runOf([5, -4, 3, -6, 2, -1])), 'EUR');
  expect(words[0]).toBe('The second run brought 1.00 EUR less than the first.');
  expect(words[1]).toMatch(/zero lies within, so the difference may be luck alone\.$/);
});

test('markets that one run alone settled are counted and not compared', () => {
  const comparison = compared(runOf([1, 2, 3, 4, 5, 6, 7]), runOf([1, 2, 3, 4, undefined, 7]));
  expect(comparison).toMatchObject({ difference: 1, onlyFirst: 2, onlySecond: 0 });
  expect(comparisonInWords(comparison, 'EUR').at(-1)).toBe(
    '2 markets settled in the first run alone and not compared.',
  );
  expect(comparisonInWords(compared(runOf([1]), runOf([1])), 'EUR')).toEqual([
    'Both runs brought the same.',
    'How sure that is cannot be said. 1 event group: an interval needs at least 5.',
  ]);
});

/** Directories of two runs, as far as `report` reads them. */
function directoriesOf(...results: readonly BacktestResult[]): readonly string[] {
  const place = temporaryDirectory('compared');
  return results.map((result, at) => {
    const directory = join(place, `run-${at}`);
    mkdirSync(directory);
    writeFileSync(join(directory, 'report-data.gz'), packedReport(result).packed);
    return directory;
  });
}

test('`report A B` writes the page beside the second run, says the sentence, and escapes names', async () => {
  const hostile = '<img src=x onerror=alert(1)>';
  const strategies = [{ name: hostile, file: 's.ts', params: { stake: 2 }, timerCalls: 0 }];
  const [first = '', second = ''] = directoriesOf(runOf([1, 2, 3, 4, 5]), runOf([2, 4, 6, 8, 9], { strategies }));
  const { code, out } = await run('report', first, second);
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringMatching(/^The second run brought 14\.00 USDC more than the first\.\nPer event \+2\.80, /),
  });
  const page = readFileSync(join(second, 'comparison.html'), 'utf8');
  expect(page).not.toContain('<img');
  expect(page).toContain('The second run brought 14.00 USDC more than the first.');
  expect(page).toMatch(/<tr><td>strategies<\/td><td>favourite-scalp<\/td><td>&lt;img/);
  expect(page).not.toMatch(/<td>seed<\/td>/);
  const json = JSON.parse((await run('report', first, second, '--json')).out);
  expect(json).toMatchObject({ kind: 'comparison', difference: 14, perEvent: { kind: 'interval', groups: 5 } });
});

test('runs in two currencies are not compared, and nothing is written', async () => {
  const [first = '', second = ''] = directoriesOf(runOf([1]), runOf([1], { currency: 'AUD' }));
  const { code, note } = await run('report', first, second, '--out', join(second, 'x.html'));
  expect(code).toBe(2);
  expect(note).toContain('The first is in USDC, the second in AUD.');
  expect(() => readFileSync(join(second, 'x.html'))).toThrow('ENOENT');
});
