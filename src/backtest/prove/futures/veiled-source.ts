/** A recording of which, at every moment of its replay, nothing is known that comes later. */

import type { OutcomeFacts } from '../../../core/market.ts';
import type { Instant } from '../../../core/number/units.ts';
import { DEFINITION, type PendingUpdate } from '../../../recording/segment/update.ts';
import type { RecordedDefinition } from '../../../recording/tape/definition.ts';
import type { RecordedMarket } from '../../../simulator/replay/played-market.ts';
import type { UpdateSource } from '../../simulation/backtest-source.ts';
import { listedIn, unlisted } from './known-facts.ts';

/**
 * Hands out the updates as they are. The definition of a market, with its statuses, winners and starting prices, and the names of its
 * outcomes are there only when the update that brings them is handed out. One replay shows by that for every instant what a removed
 * future shows for one. Two facts an exchange cannot change later and gets at once, as in every backtest: how many outcomes there
 * are, and how many may win.
 */
export class VeiledSource implements UpdateSource {
  readonly startAt: Instant;
  readonly #source: UpdateSource;
  readonly #markets = new Map<number, VeiledMarket>();

  constructor(source: UpdateSource) {
    this.#source = source;
    this.startAt = source.startAt;
  }

  get index(): number {
    return this.#source.index;
  }

  nextPrices(): PendingUpdate | undefined {
    return this.#source.nextPrices?.();
  }

  next(): PendingUpdate | undefined {
    const update = this.#source.next();
    if (update === undefined) return undefined;
    if (update.isDefinition) this.#announce(update);
    return update;
  }

  recorded(index: number): RecordedMarket {
    const { veiled } = this.#market(index);
    return veiled;
  }

  #announce(update: PendingUpdate): void {
    const { index } = this.#source;
    const market = this.#market(index);
    market.announce(update);
    // A replay keeps what was recorded of a market as long as the market goes on.
    if (update.sequence + 1 === market.veiled.updates) this.#markets.delete(index);
  }

  #market(index: number): VeiledMarket {
    let market = this.#markets.get(index);
    if (market === undefined) {
      market = new VeiledMarket(this.#source.recorded(index));
      this.#markets.set(index, market);
    }
    return market;
  }
}

class VeiledMarket {
  readonly veiled: RecordedMarket;
  readonly #whole: RecordedMarket;
  readonly #definitions: RecordedDefinition[];
  readonly #outcomes: OutcomeFacts[];

  constructor(whole: RecordedMarket) {
    this.#whole = whole;
    const [first] = whole.definitions;
    this.#definitions = whole.definitions.map((definition, at) =>
      at === 0 || first === undefined ? definition : veil(definition, first),
    );
    const listed = listedIn(whole.definitions.slice(0, 1));
    this.#outcomes = whole.facts.outcomes.map((outcome, at) => (at < listed ? outcome : unlisted(outcome, at)));
    this.veiled = { ...whole, definitions: this.#definitions, facts: { ...whole.facts, outcomes: this.#outcomes } };
  }

  announce(update: PendingUpdate): void {
    const { count, kind, amount } = update.columns();
    for (let i = 0; i < count && kind[i] === DEFINITION; i += 1) {
      const number = amount[i] ?? 0;
      const definition = this.#whole.definitions[number];
      if (definition === undefined) continue;
      this.#definitions[number] = definition;
      const listed = listedIn([definition]);
      for (const [at, outcome] of this.#whole.facts.outcomes.entries()) if (at < listed) this.#outcomes[at] = outcome;
    }
  }
}

/** The market's first definition in place of a later one, but for what an exchange has to know from the beginning. */
function veil({ winnerCount, crossMatching }: RecordedDefinition, first: RecordedDefinition): RecordedDefinition {
  return { ...first, winnerCount, crossMatching: crossMatching === true };
}
