/** `--prove` on the sample recording: honest strategies pass, one with chance of its own is named. */

import { beforeAll, describe, expect, it, vi } from 'vitest';
import { DecisionRecorder } from '../../src/backtest/prove/decision-recorder.ts';
import { ALTERED_PARTS, type AlteredPart } from '../../src/backtest/prove/futures/alteration.ts';
import { AlteredSource } from '../../src/backtest/prove/futures/altered-source.ts';
import { announcedUpTo, CutSource } from '../../src/backtest/prove/futures/cut-source.ts';
import { VeiledSource } from '../../src/backtest/prove/futures/veiled-source.ts';
import type { UpdateSource } from '../../src/backtest/simulation/backtest-source.ts';
import { OddsmithError } from '../../src/core/checks/oddsmith-error.ts';
import type { Instant } from '../../src/core/number/units.ts';
import type { PendingUpdate, UpdateColumns } from '../../src/recording/segment/update.ts';
import { UpdateBuffer } from '../../src/recording/segment/update-buffer.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import type { RecordedMarket } from '../../src/simulator/replay/played-market.ts';
import { ReplayExchange } from '../../src/simulator/replay/replay-exchange.ts';
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
  const AT = START + 1_999;
  const [active, unlisted] = [{ status: 'Active' }, { status: 'Hidden', isUnlisted: true }] as const;
  const loser = { status: 'Loser' } as const;

  /** The update of the instant brings stake on the first outcome; a third outcome is listed by it. */
  function script(): Script {
    const made = new Script();
    made
      .market({ outcomes: 3, first: { outcomes: [active, active, unlisted] } })
      .at(1_000, { level: [0, 'Against', 2, 50] }, { level: [1, 'Against', 3, 50] })
      .at(2_000, { define: { outcomes: [active, active, active] } }, { level: [0, 'Against', 2.1, 50] })
      .at(2_500, { define: { suspended: true } })
      .at(3_000, { define: { status: 'Settled', outcomes: [{ status: 'Winner', startingPrice: 2.5 }, loser, loser] } });
    return made;
  }

  /** Backs the first outcome when what it must not know says so. */
  async function decided(source: UpdateSource, knows: (source: PeekedSource) => boolean): Promise<DecisionRecorder> {
    const peeked = new PeekedSource(source);
    const seen = new DecisionRecorder([AT], { keeps: 100 });
    const plugin: StrategyPlugin = {
      name: 'knowing',
      decide: ({ market, orders }) =>
        orders.length === 0 && market.tradable && knows(peeked)
          ? [{ kind: 'place', market: market.id, outcome: 'o0', side: 'For', price: 2, stake: 5 }]
          : [],
    };
    await runOver(peeked, [plugin], { secondLog: seen.log });
    return seen;
  }

  const future = () => ({ source: script().source(), instant: AT, announced: announcedUpTo(script().source(), AT) });
  const altered = (alters: Iterable<AlteredPart>) =>
    new AlteredSource({ ...future(), alters: new Set(alters), seed: 1 });
  const isSame = (one: DecisionRecorder, other: DecisionRecorder) => one.firstDifferent(other) === undefined;

  it.each([
    ['the next update', ({ peeked }: PeekedSource) => peeked?.outcome[1] === 0 && peeked.amount[1] === 50e6],
    [
      'a name that is announced later',
      (source: PeekedSource) => source.recorded(0).facts.outcomes.some(({ title }) => title === 'Outcome 2'),
    ],
    ['a winner', (source: PeekedSource) => source.recorded(0).definitions.at(-1)?.outcomes[0]?.status === 'Winner'],
  ])('%s is found out, with the future removed and with it altered', async (_what, knows) => {
    const whole = await decided(script().source(), knows);
    expect(isSame(whole, await decided(script().source(), knows))).toBe(true);
    expect(isSame(whole, await decided(new CutSource(future()), knows))).toBe(false);
    expect(isSame(whole, await decided(altered(ALTERED_PARTS), knows))).toBe(false);
  });

  const STATUS = (source: PeekedSource) => source.recorded(0).definitions.at(-1)?.status === 'Settled';
  const PRICE = (source: PeekedSource) => source.recorded(0).definitions[3]?.outcomes[0]?.startingPrice === 2.5;
  const START_MOVED = ({ peeked }: PeekedSource) => peeked?.publishedAt === AT + 1;
  it.each<[string, readonly AlteredPart[], (source: PeekedSource) => boolean]>([
    ['the next price', ['prices'], ({ peeked }) => peeked?.outcome[1] === 0 && peeked.amount[1] === 50e6],
    ['the winner', ['winner'], (source) => source.recorded(0).definitions[3]?.outcomes[0]?.status === 'Winner'],
    ['the starting price', ['startingPrices'], PRICE],
    ['when the next update comes', ['times'], START_MOVED],
    [
      'that the market will be suspended',
      ['statuses'],
      (source) => source.recorded(0).definitions[2]?.suspended === true,
    ],
  ])('%s is found by that part alone', async (_what, alters, knows) => {
    const whole = await decided(script().source(), knows);
    expect(whole.steps.some(({ did }) => did.length > 0)).toBe(true);
    expect(isSame(whole, await decided(altered(alters), knows))).toBe(false);
    const others = ALTERED_PARTS.filter((part) => !alters.includes(part));
    expect(isSame(whole, await decided(altered(others), knows))).toBe(true);
  });

  it('a winner, and a name, are not there before they are published', async () => {
    for (const knows of [
      STATUS,
      (source: PeekedSource) => source.recorded(0).facts.outcomes[2]?.title === 'Outcome 2',
    ]) {
      const whole = await decided(script().source(), knows);
      expect(isSame(whole, await decided(new VeiledSource(script().source()), knows))).toBe(false);
    }
  });

  it('a strategy that knows no more than that decides the same', async () => {
    const whole = await decided(script().source(), () => true);
    for (const source of [new CutSource(future()), altered(ALTERED_PARTS), new VeiledSource(script().source())])
      expect(isSame(whole, await decided(source, () => true))).toBe(true);
  });
});

describe('the proof against lookahead', () => {
  it('holds for a sample strategy, over more and more steps', async () => {
    const { proof } = await prove(sampleStrategy('passive-quoter'));
    const steps = proof?.instants.map((instant) => instant.steps) ?? [];
    expect(steps).toHaveLength(20);
    expect(steps[0]).toBeGreaterThan(20);
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
  });

  const isSettled = ({ status }: RecordedMarket['definitions'][number]): boolean => status === 'Settled';
  const winners = ({ definitions }: RecordedMarket) =>
    definitions.flatMap(({ outcomes }) => outcomes.map(({ status }) => status));
  it.each<[string, string, (recorded: RecordedMarket) => boolean]>([
    ['the winner', 'a replaced winner', (recorded) => winners(recorded).indexOf('Winner') % 2 === 0],
    [
      'when it will be suspended',
      'replaced statuses',
      ({ definitions }) => definitions.at(-2)?.suspended === true && definitions.at(-2)?.inPlayStatus === 'InPlay',
    ],
    [
      'when it will start after all',
      'another start',
      ({ definitions }) => (definitions.find(isSettled)?.expectedStartTime ?? 1) % 120_000 === 0,
    ],
  ])(
    'says what a fault of ours gave away: %s',
    async (_what, words, isWanted) => {
      let given: RecordedMarket | undefined;
      const open = ReplayExchange.prototype.open;
      vi.spyOn(ReplayExchange.prototype, 'open').mockImplementation(function (this: ReplayExchange, played, terms, at) {
        given = played.recorded;
        return open.call(this, played, terms, at);
      });
      const plugin: StrategyPlugin = {
        name: 'given',
        decide: ({ market, orders }) =>
          market.tradable && orders.length === 0 && given !== undefined && isWanted(given)
            ? [
                {
                  kind: 'place',
                  market: market.id,
                  outcome: market.outcomes[0]?.id ?? '',
                  side: 'For',
                  price: 2,
                  stake: 5,
                },
              ]
            : [],
      };
      const strategies = [{ file: '', params: {}, wallet: 'main', plugin }];
      const failure: unknown = await backtestOf([], { strategies, markets: onlyMarkets(ids[1] ?? ''), prove: 8 }).catch(
        (error: unknown) => error,
      );
      vi.restoreAllMocks();
      if (!(failure instanceof OddsmithError)) expect.fail(`it passed: ${String(failure)}`);
      expect(failure.code).toBe('LOOKAHEAD');
      expect(failure.why).toContain(words);
    },
    60_000,
  );

  it('names the first decision of a strategy that decides by the clock', async () => {
    const file = temporaryFile(
      'clock.ts',
      `import { back, defineStrategy, favourites } from 'oddsmith';
export default defineStrategy({
  name: 'clock',
  decide({ market }) {
    const [favourite] = favourites(market);
    return favourite !== undefined && market.tradable && Date.now() % 2 === 0 ? [back(favourite, { stake: 2 })] : [];
  },
});
`,
    );
    const failure = await prove(file).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OddsmithError);
    if (!(failure instanceof OddsmithError)) return;
    expect(failure.parts.code).toBe('LOOKAHEAD');
    expect(failure.parts.where).toMatch(/clock\.ts:4:\d+, strategy .clock., market 990001\d\d, 2026-/);
  });
});
