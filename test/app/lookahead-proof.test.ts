/** `--prove` on the sample recording: honest strategies pass, one with chance of its own is named. */

import { beforeAll, describe, expect, it } from 'vitest';
import { DecisionRecorder } from '../../src/backtest/prove/lookahead-proof.ts';
import { AlteredSource, announcedBefore, CutSource } from '../../src/backtest/prove/proof-sources.ts';
import type { UpdateSource } from '../../src/backtest/simulation/backtest-source.ts';
import { OddsmithError } from '../../src/core/checks/oddsmith-error.ts';
import type { Instant } from '../../src/core/number/units.ts';
import type { PendingUpdate, UpdateColumns } from '../../src/recording/segment/update.ts';
import { UpdateBuffer } from '../../src/recording/segment/update-buffer.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import type { RecordedMarket } from '../../src/simulator/replay/replay-market.ts';
import type { StrategyPlugin } from '../../src/strategy/contract.ts';
import { backtestOf, onlyMarkets } from '../support/backtest-of.ts';
import { pendingOf } from '../support/pending-update.ts';
import { SAMPLE_TAPE, sampleStrategy } from '../support/places.ts';
import { runOver, Script, START } from '../support/scripted-run.ts';
import { temporaryFile } from '../support/temporary-directory.ts';

let ids: readonly string[] = [];

beforeAll(() => {
  const opened = Tape.open(SAMPLE_TAPE);
  ids = opened.markets.slice(0, 2).map(({ facts }) => facts.id);
  opened.close();
});

function prove(file: string) {
  return backtestOf([file], { markets: onlyMarkets(...ids), fills: 'central', prove: true });
}

/** The updates of a source, with the next one in sight: what no strategy is given. */
class PeekedSource implements UpdateSource {
  readonly startAt: Instant;
  index = 0;
  readonly #source: UpdateSource;
  #next: { readonly index: number; readonly update: UpdateColumns } | undefined;

  constructor(source: UpdateSource) {
    this.#source = source;
    this.startAt = source.startAt;
    this.#advance();
  }

  get peeked(): UpdateColumns | undefined {
    return this.#next?.update;
  }

  next(): PendingUpdate | undefined {
    const given = this.#next;
    if (given === undefined) return undefined;
    this.#advance();
    this.index = given.index;
    return pendingOf(given.update);
  }

  recorded(index: number): RecordedMarket {
    return this.#source.recorded(index);
  }

  #advance(): void {
    const update = this.#source.next();
    const copy = new UpdateBuffer();
    if (update !== undefined) copy.copy(update.columns());
    this.#next = update === undefined ? undefined : { index: this.#source.index, update: copy };
  }
}

describe('did a fault of ours show strategies more than they may see', () => {
  const AT = START + 2_000;
  const [active, unlisted] = [{ status: 'Active' }, { status: 'Hidden', isUnlisted: true }] as const;

  /** The update of the instant brings stake on the first outcome; a third outcome is listed by it. */
  function script(): Script {
    const made = new Script();
    made
      .market({ outcomes: 3, first: { outcomes: [active, active, unlisted] } })
      .at(1_000, { level: [0, 'Against', 2, 50] }, { level: [1, 'Against', 3, 50] })
      .at(2_000, { define: { outcomes: [active, active, active] } }, { level: [0, 'Against', 2.1, 50] })
      .settle(3_000, 0);
    return made;
  }

  /** Backs the first outcome when what it must not know says so. */
  async function decided(source: UpdateSource, knows: (source: PeekedSource) => boolean): Promise<string> {
    const peeked = new PeekedSource(source);
    const seen = new DecisionRecorder(AT);
    const plugin: StrategyPlugin = {
      name: 'knowing',
      decide: ({ market, orders }) =>
        orders.length === 0 && market.tradable && knows(peeked)
          ? [{ kind: 'place', market: market.id, outcome: 'o0', side: 'For', price: 2, stake: 5 }]
          : [],
    };
    await runOver(peeked, [plugin], { bounds: ['central'], secondLog: seen.log });
    return seen.sha256();
  }

  it.each([
    ['the next update', ({ peeked }: PeekedSource) => peeked?.outcome[1] === 0 && peeked.amount[1] === 50e6],
    [
      'a name that is announced later',
      (source: PeekedSource) => source.recorded(0).facts.outcomes.some(({ title }) => title === 'Outcome 2'),
    ],
  ])('%s is found out, with the future removed and with it altered', async (_what, knows) => {
    const change = () => ({ source: script().source(), at: AT, announced: announcedBefore(script().source(), AT) });
    const whole = await decided(script().source(), knows);
    expect(await decided(script().source(), knows)).toBe(whole);
    expect(await decided(new CutSource(change()), knows)).not.toBe(whole);
    expect(await decided(new AlteredSource(change(), 1), knows)).not.toBe(whole);
  });

  it('a strategy that knows no more than that decides the same', async () => {
    const change = () => ({ source: script().source(), at: AT, announced: announcedBefore(script().source(), AT) });
    const whole = await decided(script().source(), () => true);
    expect(await decided(new CutSource(change()), () => true)).toBe(whole);
    expect(await decided(new AlteredSource(change(), 1), () => true)).toBe(whole);
  });
});

describe('the proof against lookahead', () => {
  it('holds for a sample strategy, over more and more steps', async () => {
    const { proof } = await prove(sampleStrategy('passive-quoter'));
    const steps = proof?.instants.map((instant) => instant.steps) ?? [];
    expect(steps).toHaveLength(3);
    expect(steps[0]).toBeGreaterThan(20);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
  });

  it('names the first decision of a strategy that decides by chance', async () => {
    const file = temporaryFile(
      'chance.ts',
      `import { randomInt } from 'node:crypto';
import { back, defineStrategy, favourites } from 'oddsmith';
export default defineStrategy({
  name: 'chance',
  decide({ market }) {
    const [favourite] = favourites(market);
    return favourite !== undefined && market.tradable && randomInt(20) === 0 ? [back(favourite, { stake: 2 })] : [];
  },
});
`,
    );
    const failure = await prove(file).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OddsmithError);
    if (!(failure instanceof OddsmithError)) return;
    expect(failure.parts.code).toBe('LOOKAHEAD');
    expect(failure.parts.where).toMatch(/^strategy .chance., market 990001\d\d, 2026-/);
  });
});
