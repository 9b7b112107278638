/** Fills that were made by a known model name it; too few of them name none. */

import { describe, expect, test } from 'vitest';
import { type FitParts, fitCancellations } from '../../../src/app/parity/fit/fit-cancellations.ts';
import { fitMarketOf } from '../../../src/app/parity/fit/fit-run.ts';
import { chooseMarkets, MergedUpdates } from '../../../src/backtest/simulation/backtest-source.ts';
import type { TimedRecord } from '../../../src/core/run/journal.ts';
import { Tape } from '../../../src/recording/tape/tape.ts';
import type { CancellationFit } from '../../../src/result/cancellation-fit.ts';
import { type CrowdRun, crowdRun } from '../../support/fit/crowd-run.ts';
import { simulatedRun } from '../../support/fit/simulated-run.ts';
import { SAMPLE_TAPE } from '../../support/places.ts';
import { OPTIONS } from '../../support/scripted-run.ts';

function fitted(
  { market, source }: CrowdRun,
  records: readonly TimedRecord[],
  mode: 'live' | 'paper',
): Promise<CancellationFit> {
  return fittedAll({ markets: [market], source: source() }, records, mode);
}

function fittedAll(
  recorded: Pick<FitParts, 'markets' | 'source'>,
  records: readonly TimedRecord[],
  mode: 'live' | 'paper',
): Promise<CancellationFit> {
  const { inPlayDelay, commission, fillRules } = OPTIONS;
  return fitCancellations({
    run: { mode, inPlayDelay, commission, fillRules, fills: 'central', seed: 5 },
    ...{ ...recorded, records, downs: [] },
    ...{ signal: new AbortController().signal, onProgress: () => undefined },
  });
}

function errorsOf({ models }: CancellationFit): ReadonlyMap<string, number> {
  return new Map(models.map(({ model, error }) => [JSON.stringify(model), error]));
}

describe('a run that the simulated exchange filled', () => {
  const crowd = crowdRun({ seed: 4, habit: 'uniform', orders: 300, isAlone: true });

  test.each(['behind', { power: 0.5 }, 'pro-rata', { power: 2 }, 'ahead'] as const)(
    'by %j: that model alone',
    async (model) => {
      const records = await simulatedRun(crowd.source(), model);
      const fit = await fitted(crowd, records, 'paper');
      expect(fit.compared).toBeGreaterThan(100);
      // The same code filled the run, at the same instants.
      expect(errorsOf(fit).get(JSON.stringify(model))).toBe(0);
      expect(fit.verdict).toEqual({ kind: 'told', best: model, alike: [], choose: model });
    },
  );

  test('without any delay: what arrives in the instant of an update comes after it', async () => {
    const none = { kind: 'fixed', ms: 0 } as const;
    const records = await simulatedRun(crowd.source(), 'log', { request: none, response: none });
    const fit = await fitted(crowd, records, 'paper');
    expect(errorsOf(fit).get('"log"')).toBe(0);
  });

  test('in many markets, in play with delays, where orders of the run meet each other', async () => {
    const tape = Tape.open(SAMPLE_TAPE);
    const { markets } = chooseMarkets([tape], OPTIONS.markets);
    const source = () => new MergedUpdates(markets);
    const records = await simulatedRun(source(), { power: 2 });
    const fit = await fittedAll(
      { markets: markets.map((market) => fitMarketOf(market, source())), source: source() },
      records,
      'paper',
    );
    tape.close();
    expect(fit.compared).toBeGreaterThan(500);
    expect(fit.markets).toBe(14);
    expect(errorsOf(fit).get('{"power":2}')).toBe(0);
    expect(errorsOf(fit).get('"pro-rata"')).toBeGreaterThan(0);
  });

  test.each([3, 80])('and sent %i orders: too few for a result', async (sent) => {
    const records = await simulatedRun(crowd.source(), 'behind');
    const few = records.filter(({ record }) => !('client' in record) || record.client <= sent);
    const fit = await fitted(crowd, few, 'paper');
    expect(fit.compared).toBeGreaterThan(0.9 * sent);
    expect(fit.units.telling).toBeLessThan(20);
    expect(fit.verdict).toEqual({ kind: 'tooFew', tellingLeast: 20 });
  });
});

describe('a live run, whose stake is in the prices that it recorded', () => {
  test.each([
    ['newest-first', 'behind'],
    ['oldest-first', 'ahead'],
  ] as const)('among a crowd that cancels %s: %s alone', async (habit, model) => {
    const run = crowdRun({ seed: 1, habit, orders: 250 });
    const fit = await fitted(run, run.records, 'live');
    expect(fit.verdict).toEqual({ kind: 'told', best: model, alike: [], choose: model });
    // Its queues were these: what is left is the order's own size in the way of others.
    expect(errorsOf(fit).get(JSON.stringify(model))).toBeLessThan(0.001);
  });

  test('among a crowd that cancels uniformly: pro-rata is one of those that cannot be distinguished', async () => {
    const run = crowdRun({ seed: 1, habit: 'uniform', orders: 400 });
    const fit = await fitted(run, run.records, 'live');
    if (fit.verdict.kind === 'tooFew') throw new Error('there are enough orders to tell');
    expect([fit.verdict.best, ...fit.verdict.alike]).toContainEqual('pro-rata');
    expect(fit.verdict.choose).toBe('pro-rata');
    expect([fit.verdict.best, ...fit.verdict.alike]).not.toContainEqual('behind');
  });

  test('orders as large as their level are taken out of it as well', async () => {
    const bot = { levelShareMin: 0.8, levelShareMax: 1.2 };
    const run = crowdRun({ seed: 2, habit: 'newest-first', orders: 250, bot });
    const fit = await fitted(run, run.records, 'live');
    expect(fit.verdict).toMatchObject({ kind: 'told', best: 'behind', alike: [] });
    // Left in, it counts as stake of others ahead of the next order and behind this one.
    const left = await fitted(run, run.records, 'paper');
    expect(errorsOf(left).get('"behind"') ?? 0).toBeGreaterThan(3 * (errorsOf(fit).get('"behind"') ?? 1));
  });
});
