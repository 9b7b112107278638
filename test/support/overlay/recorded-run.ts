/** One market of a tape, replayed over several fill models with a seeded quoter, following the market's own life. */

import { defined } from '../../../src/core/checks/assert.ts';
import type { Money } from '../../../src/core/number/units.ts';
import { AGAINST } from '../../../src/core/side.ts';
import { DEFINITION, type UpdateColumns } from '../../../src/recording/segment/update.ts';
import type { RecordedDefinition } from '../../../src/recording/tape/definition.ts';
import type { TapeMarket } from '../../../src/recording/tape/tape-schema.ts';
import { fillRulesOf } from '../../../src/simulator/overlay/fill-rules.ts';
import { Random } from '../random.ts';
import type { OwnFill, PlacedOrder } from './minimal-exchange.ts';
import { type ModelAtMarket, OverlayReplay } from './overlay-replay.ts';
import { randomRequest } from './random-quoter.ts';
import { TapeLedger } from './tape-ledger.ts';

const LIVE_MOST = 6;
const HABITS = { crossOwn: false, taking: 0.15, stakeMax: 40_000_000 };
/** From which reduction factor on (ppm) a removal voids resting Against orders on every other outcome. */
const VOIDING_FACTOR_PPM = 25_000;

/**
 * Instances 0 to 2 are pessimistic, central and optimistic, and quote; instance 3 is central and shy: its orders stand
 * deep in the book and are cancelled, so that it is neutral between them unless one was crossed.
 */
export class RecordedRun {
  readonly replay: OverlayReplay;
  readonly bounds: readonly ModelAtMarket[];
  readonly shy: ModelAtMarket;
  readonly ledgers: readonly TapeLedger[];
  /** Whether law 8 must hold now: the market matches, and has applied an update since it resumed. */
  matching = false;
  #ended = false;
  readonly #definitions: readonly RecordedDefinition[];
  readonly #random: Random;
  readonly #removed = new Set<number>();
  readonly #known = [0, 0, 0];
  #inPlay = false;
  #client = 0;

  constructor(
    { facts, depth }: Pick<TapeMarket, 'facts' | 'depth'>,
    definitions: readonly RecordedDefinition[],
    seed: number,
  ) {
    const outcomes = facts.outcomes.length;
    this.#definitions = definitions;
    this.#random = new Random(seed);
    const bounds = ['pessimistic', 'central', 'optimistic', 'central'] as const;
    this.replay = new OverlayReplay(
      outcomes,
      bounds.map((bound) => ({ ...fillRulesOf(bound), levelsOutOfSight: { maxAgeMs: 1_000 } })),
      depth,
    );
    this.bounds = this.replay.instances.slice(0, 3);
    this.shy = defined(this.replay.instances[3], 'the fourth model');
    this.ledgers = this.bounds.map(() => new TapeLedger(outcomes));
    this.replay.do({ kind: 'pause' });
  }

  step(update: UpdateColumns): void {
    for (let i = 0; i < update.count; i += 1) {
      if (update.kind[i] === DEFINITION) this.#define(defined(this.#definitions[update.amount[i]!], 'a definition'));
    }
    for (const ledger of this.ledgers) ledger.read(update);
    this.replay.now = update.publishedAt;
    this.replay.do({ kind: 'update', update });
    this.#auditFills();
    this.matching = !this.replay.paused;
    if (this.matching && !this.#ended) {
      this.#quote();
      this.#quoteShyly();
    }
    this.#auditFills();
  }

  #define(definition: RecordedDefinition): void {
    const matches = definition.status === 'Open' && !definition.suspended;
    if (matches === this.replay.paused) this.replay.do({ kind: matches ? 'resume' : 'pause' });
    const inPlay = definition.inPlayStatus === 'InPlay';
    if (inPlay && !this.#inPlay && definition.eventStartAction !== 'None') this.#cancelWhere(() => true);
    this.#inPlay = inPlay;
    definition.outcomes.forEach((outcome, index) => {
      if (outcome.status !== 'Removed' || this.#removed.has(index)) return;
      this.#removed.add(index);
      const voids = (outcome.factorPpm ?? 0) >= VOIDING_FACTOR_PPM;
      this.#cancelWhere((order) => order.outcome === index || (voids && order.side === AGAINST));
    });
    if (definition.status !== 'Settled' && definition.status !== 'Voided') return;
    this.#ended = true;
    this.#cancelWhere(() => true);
    for (const { model } of this.replay.instances) model.release();
  }

  #quote(): void {
    const live = defined(this.bounds[0], 'the pessimistic model').exchange.resting();
    if (live.length > 0 && this.#random.chance(live.length >= LIVE_MOST ? 0.1 : 0.01)) {
      const { client } = this.#random.pick(live);
      for (const { exchange } of this.bounds) exchange.cancel(client);
    }
    if (live.length >= LIVE_MOST || !this.#random.chance(0.05)) return;
    const request = randomRequest(this.#random, { client: this.#client, book: this.replay.book, live }, HABITS);
    if (request === undefined || this.#removed.has(request.outcome)) return;
    this.#client += 1;
    for (const { exchange } of this.bounds) exchange.place(request);
  }

  #quoteShyly(): void {
    const { exchange } = this.shy;
    const [resting] = exchange.resting();
    if (resting !== undefined) {
      if (this.#random.chance(0.2)) exchange.cancel(resting.client);
      return;
    }
    if (!this.#random.chance(0.2)) return;
    const outcome = this.#random.between(0, this.replay.book.outcomes - 1);
    const side = AGAINST;
    const best = this.replay.book.bestTick(outcome, side);
    const tick = best - this.#random.between(3, 12);
    if (tick < 0 || this.#removed.has(outcome)) return;
    exchange.place({ client: exchange.orders.size, outcome, side, tick, stake: 2_000_000 as Money });
  }

  #cancelWhere(selects: (order: PlacedOrder) => boolean): void {
    for (const { exchange } of this.replay.instances) {
      for (const order of exchange.resting()) if (selects(order)) exchange.cancel(order.client);
    }
  }

  #auditFills(): void {
    this.bounds.forEach(({ exchange }, instance) => {
      const fills: readonly OwnFill[] = exchange.fills;
      const ledger = defined(this.ledgers[instance], 'a ledger for each model');
      for (let at = this.#known[instance]!; at < fills.length; at += 1) {
        const fill = defined(fills[at], 'a fill');
        ledger.fill(fill, defined(exchange.orders.get(fill.client), 'a known order'));
      }
      this.#known[instance] = fills.length;
    });
  }
}
