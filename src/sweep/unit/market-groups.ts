/** Which markets of the tapes a trial plays, and which of them make one unit. */

import { createHash } from 'node:crypto';
import type { BacktestOptions } from '../../backtest/options/backtest-options.ts';
import { chooseMarkets, type SourceMarket } from '../../backtest/simulation/backtest-source.ts';
import { defined } from '../../core/checks/assert.ts';
import { canonical } from '../../core/collections/canonical.ts';
import { eventGroupOf } from '../../core/market.ts';
import type { Tape } from '../../recording/tape/tape.ts';
import type { GroupOrder } from '../engine/engine.ts';
import { eventOf } from './unit-event.ts';

export interface UnitGroup extends GroupOrder {
  /** Recorded updates, which are most of the work. */
  readonly updates: number;
}

/** A window changes what is asked in a market, not which group it belongs to. */
export interface MarketChoice extends Pick<BacktestOptions, 'isolate'> {
  readonly markets: Omit<BacktestOptions['markets'], 'window'>;
}

/** Which events are played, by their start, ms UTC: those before an instant, or those at or after it. */
export interface EventScope {
  readonly before?: number | undefined;
  readonly from?: number | undefined;
}

/** Event groups by name, as one part of a fold has them. */
export type EventPart = ReadonlySet<string>;

/** When an event group is under way. */
export interface EventSpan {
  /** The name that `eventGroupOf` gives. */
  readonly name: string;
  /** Scheduled start, ms UTC; where none is given, when its recording begins. */
  readonly startsAt: number;
  /** When the last recording of its markets ends, which is not before they are settled, ms UTC. */
  readonly endsAt: number;
}

/** The groups of open tapes; each choice of markets is made once. What is out of the scope is not there, whatever is asked for. */
export class MarketGroups {
  readonly #tapes: readonly Tape[];
  readonly #scope: EventScope;
  readonly #starts: ReadonlyMap<string, number>;
  readonly #byChoice = new Map<EventPart | undefined, Map<string, readonly UnitGroup[]>>();
  /** The groups by name and contents: the parts of different folds share them. */
  readonly #groups = new Map<string, UnitGroup>();

  constructor(tapes: readonly Tape[], scope: EventScope = {}) {
    this.#tapes = tapes;
    this.#scope = scope;
    this.#starts = startsOf(tapes);
  }

  /** The groups in the order in which the tapes have them; a part has its events alone. Empty where no market is left to replay. */
  of({ markets, isolate }: MarketChoice, part?: EventPart): readonly UnitGroup[] {
    const choice = canonical([markets.types, markets.ids, markets.events, isolate]);
    const byChoice = this.#byChoice.get(part) ?? new Map<string, readonly UnitGroup[]>();
    this.#byChoice.set(part, byChoice);
    const known = byChoice.get(choice);
    if (known !== undefined) return known;
    const byName = new Map<string, SourceMarket[]>();
    for (const market of this.#chosen(markets)) {
      if (part !== undefined && !part.has(eventGroupOf(market.market.facts))) continue;
      const name = groupName(market, isolate);
      const group = byName.get(name);
      if (group === undefined) byName.set(name, [market]);
      else group.push(market);
    }
    const groups = [...byName].map(([name, group]) => this.#shared(groupOf(name, group)));
    byChoice.set(choice, groups);
    return groups;
  }

  /** The events that any of these choices plays, in the order of their start. */
  events(choices: readonly MarketChoice['markets'][]): readonly EventSpan[] {
    const byName = new Map<string, EventSpan>();
    for (const { market } of choices.flatMap((markets) => this.#chosen(markets))) {
      const name = eventGroupOf(market.facts);
      const startsAt = defined(this.#starts.get(name), EACH_STARTS);
      const endsAt = Math.max(byName.get(name)?.endsAt ?? startsAt, market.lastAt);
      byName.set(name, { name, startsAt, endsAt });
    }
    return [...byName.values()].sort((a, b) => a.startsAt - b.startsAt || (a.name < b.name ? -1 : 1));
  }

  #chosen(markets: MarketChoice['markets']): readonly SourceMarket[] {
    return chooseMarkets(this.#tapes, markets).markets.filter((market) => this.#isInScope(market));
  }

  #shared(group: UnitGroup): UnitGroup {
    const name = `${group.name}\n${group.sha256}\n${group.markets.join('\n')}`;
    const known = this.#groups.get(name) ?? group;
    this.#groups.set(name, known);
    return known;
  }

  /** An event is in it or not as a whole, however markets are isolated. */
  #isInScope({ market }: SourceMarket): boolean {
    const { before = Number.POSITIVE_INFINITY, from = Number.NEGATIVE_INFINITY } = this.#scope;
    const start = defined(this.#starts.get(eventGroupOf(market.facts)), EACH_STARTS);
    return start >= from && start < before;
  }
}

/** Events of the tapes that start at an instant or later, named as the rows of units name them. */
export function eventsFrom(tapes: readonly Tape[], instant: number): ReadonlySet<string> {
  const starts = startsOf(tapes);
  const markets = tapes.flatMap((tape) => tape.markets.map(({ facts }) => facts));
  return new Set(
    markets.flatMap((facts) => {
      const startsAt = starts.get(eventGroupOf(facts)) ?? Number.NEGATIVE_INFINITY;
      return startsAt < instant ? [] : [eventOf({ eventId: facts.eventId, startsAt: facts.expectedStartTime })];
    }),
  );
}

const EACH_STARTS = 'each event has a start';

/** The first scheduled start of each event group, over all its markets; where none is given, when its recording begins. */
function startsOf(tapes: readonly Tape[]): ReadonlyMap<string, number> {
  const starts = new Map<string, number>();
  for (const { facts, firstAt, updates } of tapes.flatMap((tape) => tape.markets)) {
    if (updates === 0) continue;
    const event = eventGroupOf(facts);
    const start = facts.expectedStartTime ?? firstAt;
    starts.set(event, Math.min(starts.get(event) ?? start, start));
  }
  return starts;
}

/** Wallets that several markets share make all of them one unit. */
function groupName({ market }: SourceMarket, isolate: BacktestOptions['isolate']): string {
  if (isolate === 'market') return market.facts.id;
  return isolate === 'event' ? eventGroupOf(market.facts) : '';
}

function groupOf(name: string, group: readonly SourceMarket[]): UnitGroup {
  const updates = group.reduce((sum, { market }) => sum + market.updates, 0);
  return { name, markets: group.map(({ market }) => market.facts.id), sha256: groupSha256(group), updates };
}

/** The SHA-256 of what is recorded of these markets. */
export function groupSha256(group: readonly SourceMarket[]): string {
  const hash = createHash('sha256');
  for (const { tape, market, later = [] } of group) {
    const parts = [{ tape, market }, ...later];
    hash.update(`${parts.map((part) => part.tape.marketSha256(part.market.index)).join(' ')}\n`);
  }
  return hash.digest('hex');
}
