/** Random sequences of definitions, the absurd ones included: the exchange takes each command, and pays what a slow model says. */

import { expect, test } from 'vitest';
import { RECORDED_RULES } from '../../src/matching/messages/rules.ts';
import type { RecordedDefinition, RecordedOutcome } from '../../src/recording/tape/definition.ts';
import { isEnded, lifeCommands, termsOf } from '../../src/simulator/fill-model/market-life.ts';
import { CURRENCY, START, Stage } from '../matching/stage.ts';
import { budget } from '../support/budget.ts';
import { Random } from '../support/random.ts';

const SEEDS = budget({ each: 2_000, deep: 20_000 });
const HANG_MS = budget({ each: 60_000, deep: 1_800_000 });
const BALANCE = 100_000;
const PRICES = [1.01, 1.5, 2.24, 3, 8.4] as const;
const FACTORS = [0, 1, 24_999, 25_000, 163_300, 999_999, 1_000_000, 1_200_000, -30_000] as const;
/** Of each payment less than a millionth is lost by rounding. */
const ROUNDING = 1e-4;
const RULES = { crossMatching: false } as const;

interface Bet {
  readonly outcome: number;
  readonly stake: number;
  price: number;
}

function drawOutcome(random: Random, last: RecordedOutcome | undefined, status: RecordedDefinition['status']) {
  if (last !== undefined && random.chance(0.6) && (status !== 'Settled' || last.status !== 'Active')) return last;
  const ended = { Winner: 2, Loser: 4, Removed: 1, Active: 0.3, Hidden: 0.2 } as const;
  const open = { Active: 8, Removed: 2, Hidden: 0.5, Winner: 0.2, Loser: 0.2 } as const;
  const drawn = random.weighted(status === 'Settled' || status === 'Voided' ? ended : open);
  return drawn === 'Removed' ? { status: drawn, factorPpm: random.pick(FACTORS) } : { status: drawn };
}

function drawDefinitions(random: Random): readonly RecordedDefinition[] {
  const outcomes = random.between(2, 5);
  const definitions: RecordedDefinition[] = [];
  const winnerCount = random.pick([1, 1, 1, 2, 3, 0]);
  for (let left = random.between(2, 9); left > 0; left -= 1) {
    const last = definitions.at(-1);
    const status = random.weighted({ Initializing: 1, Open: 8, Settled: definitions.length, Voided: 1 });
    definitions.push({
      status,
      suspended: random.chance(0.3),
      inPlayStatus: random.pick(['PrePlay', 'PrePlay', 'InPlay', 'NotApplicable']),
      inPlayDelayMs: 0,
      winnerCount: random.chance(0.9) ? winnerCount : random.between(0, outcomes + 1),
      eventStartAction: random.pick(['None', 'CancelUnmatchedLiquidity']),
      commissionPpm: 0,
      outcomes: Array.from({ length: outcomes }, (_, index) => drawOutcome(random, last?.outcomes[index], status)),
    });
  }
  return definitions;
}

/** What all bets have won by now, by the definitions seen so far; undefined while they are open. */
class SlowModel {
  readonly bets: Bet[] = [];
  readonly #removed = new Set<number>();
  #result: RecordedDefinition | undefined;
  #seen = 0;
  #isInPlay = false;
  /** How many bets were matched before the market last turned in play. */
  #before = 0;

  define(definition: RecordedDefinition): void {
    const isFirst = this.#seen === 0;
    this.#seen += 1;
    const isOver = this.#result !== undefined;
    if (isEnded(definition)) this.#result = definition;
    if (definition.status !== 'Voided' && (!isOver || definition.status === 'Settled'))
      this.#remove(definition, isFirst);
    if (this.#result !== undefined) return;
    const isInPlay = definition.inPlayStatus === 'InPlay';
    if (isInPlay && !this.#isInPlay) this.#before = this.bets.length;
    this.#isInPlay = isInPlay;
  }

  #remove(definition: RecordedDefinition, isFirst: boolean): void {
    for (const [outcome, { status, factorPpm = 0 }] of definition.outcomes.entries()) {
      if (status !== 'Removed' || this.#removed.has(outcome)) continue;
      this.#removed.add(outcome);
      if (!isFirst && factorPpm < 1_000_000) this.#reduce(factorPpm, definition.winnerCount > 1);
    }
  }

  isOpenFor(outcome: number): boolean {
    return this.#result === undefined && !this.#removed.has(outcome);
  }

  /** Betfair's rule: by the factor, or in a place market the odds without the stake, to two decimals, from 2.5 % on. */
  #reduce(factorPpm: number, isPlace: boolean): void {
    if (factorPpm <= 0 || (!isPlace && factorPpm < 25_000)) return;
    // What is told while the market is in play reduces what was matched before the off alone.
    for (const bet of this.bets.slice(0, this.#isInPlay ? this.#before : undefined)) {
      if (this.#removed.has(bet.outcome)) continue;
      const millis = Math.round(bet.price * 1_000);
      const kept = 1_000_000 - factorPpm;
      const exact = isPlace ? 1_000 * 1_000_000 + (millis - 1_000) * kept : millis * kept;
      const reduced = Math.max(1.01, Math.floor(exact / 10_000_000 + 0.5) / 100);
      bet.price = Math.min(bet.price, reduced);
    }
  }

  won(): number | undefined {
    const result = this.#result;
    if (result === undefined) return undefined;
    if (result.status === 'Voided') return 0;
    const winners = [...result.outcomes.keys()].filter(
      (outcome) => result.outcomes[outcome]?.status === 'Winner' && !this.#removed.has(outcome),
    );
    const { winnerCount } = result;
    const share = winnerCount === 0 ? 1 : Math.min(1, winnerCount / winners.length);
    return this.bets.reduce((sum, { outcome, stake, price }) => {
      if (this.#removed.has(outcome)) return sum;
      return sum + (winners.includes(outcome) ? share * stake * price - stake : -stake);
    }, 0);
  }
}

function play(seed: number): Readonly<Record<'bets' | 'ended' | 'removedLate' | 'revived' | 'noWinner', boolean>> {
  const random = new Random(seed);
  const definitions = drawDefinitions(random);
  const stage = new Stage({ rules: RECORDED_RULES });
  const [backer, layer] = [stage.wallet(BALANCE), stage.wallet(BALANCE)];
  const [event] = stage.do({ kind: 'createEvent', app: stage.app });
  if (event?.kind !== 'eventCreated') throw new Error('an event was created');
  const terms = { ...termsOf(definitions, RULES), app: stage.app, event: event.event, currency: CURRENCY };
  const created = stage.do({ kind: 'createMarket', ...terms }).find(({ kind }) => kind === 'marketCreated');
  if (created?.kind !== 'marketCreated') throw new Error('a market was created');
  const { market } = created;
  const model = new SlowModel();
  const removed = new Set<number>();
  const met = { bets: false, ended: false, removedLate: false, revived: false, noWinner: false };
  let ending: RecordedDefinition | undefined;
  for (const [index, after] of definitions.entries()) {
    stage.now = START + index * 1_000;
    const change = { before: definitions[index - 1], after, ending, removed, rules: RULES };
    const commands = lifeCommands(market, stage.now as never, change);
    for (const command of commands) {
      expect([command, stage.do(command).filter(({ kind }) => kind === 'refused')]).toEqual([command, []]);
      if (command.kind === 'removeOutcome') removed.add(command.outcome);
      met.removedLate ||= command.kind === 'removeOutcome' && ending !== undefined;
      met.noWinner ||= command.kind === 'settle' && command.winners.length === 0;
    }
    met.revived ||= after.outcomes.some(({ status }, outcome) => status === 'Winner' && removed.has(outcome));
    if (isEnded(after)) ending = after;
    model.define(after);
    const won = model.won();
    const what = `seed ${seed}, definition ${index}`;
    expect([what, stage.exchange.market(market)?.status]).toEqual([what, (ending ?? after).status]);
    if (won !== undefined) {
      met.ended = true;
      met.bets ||= won !== 0;
      expect(Math.abs(stage.balance(backer) - BALANCE - won), what).toBeLessThan(ROUNDING);
      expect(Math.abs(stage.balance(layer) - BALANCE + won), what).toBeLessThan(ROUNDING);
    } else if (after.status === 'Open' && !after.suspended) betAll({ stage, market, random, model, backer, layer });
  }
  return met;
}

interface Betting {
  readonly stage: Stage;
  readonly market: number;
  readonly random: Random;
  readonly model: SlowModel;
  readonly backer: number;
  readonly layer: number;
}

function betAll({ stage, market, random, model, backer, layer }: Betting): void {
  const outcomes = stage.exchange.market(market)?.outcomes ?? 0;
  for (let outcome = 0; outcome < outcomes; outcome += 1) {
    if (!model.isOpenFor(outcome) || random.chance(0.3)) continue;
    const [stake, price] = [random.between(1, 50), random.pick(PRICES)];
    stage.order(market, [layer, 'Against', outcome, stake, price]);
    stage.order(market, [backer, 'For', outcome, stake, price]);
    model.bets.push({ outcome, stake, price });
  }
}

test('any sequence is taken by the exchange without a refusal, and pays what a slow model says', {
  timeout: HANG_MS,
}, () => {
  const met = { bets: 0, ended: 0, removedLate: 0, revived: 0, noWinner: 0 };
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    for (const [what, isMet] of Object.entries(play(seed))) if (isMet) met[what as keyof typeof met] += 1;
  }
  for (const [what, times] of Object.entries(met)) expect([what, times > SEEDS / 100]).toEqual([what, true]);
});
