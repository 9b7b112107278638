/** Finds the markets of which too little is known for orders of ours to rest there, and has those orders withdrawn. */

import { foldUnseen } from '../fold.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { OwnOrder } from '../ledger/own-order.ts';
import type { Step } from '../ledger/step.ts';
import type { MarketEntry } from '../ledger/strategy-in-market.ts';
import type { JournalLog } from '../log/journal-log.ts';
import type { Withdrawal } from '../withdrawal.ts';
import type { DarkFeed, DarkSettings } from './bot-settings.ts';
import type { FeedAges } from './feed-ages.ts';
import { ownAgeMs, takesMatches } from './stale-parts.ts';

export interface DarkParts {
  readonly ledger: Ledger;
  readonly log: JournalLog;
  readonly feeds: FeedAges;
  readonly withdrawal: Withdrawal;
  readonly settings: DarkSettings;
  readonly startedAt: number;
}

interface Darkness {
  readonly cause: string;
  /** It lasts less than it may, but the market's start has come: orders that are to stay in play stay. */
  readonly sparesInPlay: boolean;
}

/** The order in which the cause is looked for. Wallets have no say: what they hold decides nothing about orders that rest. */
const WHAT: readonly (readonly [feed: DarkFeed, what: string])[] = [
  ['markets', 'its status was'],
  ['orders', 'our orders were'],
  ['prices', 'its prices were'],
];

export class DarkMarkets {
  readonly #parts: DarkParts;
  readonly #dark = new Map<MarketEntry, Darkness>();
  /** What the journal says of each dark market. */
  readonly #noted = new Map<MarketEntry, Darkness>();
  /** Orders that are to end, whether or not there is light again. */
  readonly #toEnd = new Set<OwnOrder>();

  constructor(parts: DarkParts) {
    this.#parts = parts;
  }

  /** Why our orders must be left to the exchange, which cancels them where no heartbeat comes; undefined where all is proven. */
  unproven(): string | undefined {
    const { ledger, withdrawal } = this.#parts;
    let count = 0;
    // In the light it is known how an order stands that cannot be cancelled, as in a market that is locked.
    for (const order of this.#toEnd) {
      const entry = ledger.entryById(order.marketId);
      if (entry?.dark !== undefined && withdrawal.isLeft(order)) count += 1;
    }
    return count > 0 ? `${count} orders in dark markets are not proven to have ended` : undefined;
  }

  /** Looks at each market. `keepsOrders`: the run ends and leaves its orders where they are, seen or not. */
  watch(step: Step, keepsOrders: boolean): void {
    const { ledger, settings, withdrawal } = this.#parts;
    this.#forget();
    this.#standIn(step);
    for (const entry of ledger.marketEntries()) this.#look(entry, step);
    if (this.#dark.size > 0)
      for (const order of ledger.liveOrders()) {
        const isDark = this.#isDark(order, step);
        if (isDark && settings.orders === 'cancel' && !keepsOrders) this.#toEnd.add(order);
      }
    for (const order of this.#toEnd) withdrawal.end(order);
  }

  /** Markets that do not come, and in which the run has orders, are dark as others are: the orders count, and end. */
  #standIn(step: Step): void {
    const { ledger, log, settings, startedAt } = this.#parts;
    if (step.at - startedAt <= settings.afterMs.markets) return;
    for (const id of ledger.restored.markets) foldUnseen({ ledger, log }, id, step);
  }

  #forget(): void {
    const { ledger } = this.#parts;
    for (const order of this.#toEnd) if (!ledger.isLive(order)) this.#toEnd.delete(order);
    for (const entry of this.#dark.keys()) {
      if (ledger.entryAt(entry.state.index) === entry) continue;
      this.#dark.delete(entry);
      this.#noted.delete(entry);
    }
  }

  #look(entry: MarketEntry, step: Step): void {
    const was = this.#dark.get(entry);
    const dark = takesMatches(entry) ? this.#darkness(entry, step.at) : undefined;
    entry.dark = dark?.cause;
    if (dark !== undefined) this.#dark.set(entry, dark);
    else this.#dark.delete(entry);
    if (dark !== undefined && was === undefined) {
      for (const inMarket of entry.watchers) step.call(inMarket, 'stale');
      // Where a market is dark by itself, nothing else says that its status is not known.
      if (entry.stale.has('markets')) this.#note(entry, dark, step);
    } else if (dark === undefined && was !== undefined) {
      if (this.#noted.delete(entry)) this.#noteLight(entry, was, step);
      for (const inMarket of entry.watchers) step.call(inMarket, 'status');
    }
  }

  #darkness(entry: MarketEntry, now: number): Darkness | undefined {
    const { settings, feeds } = this.#parts;
    const ageMs = {
      markets: Math.max(feeds.ageMs('markets', now), ownAgeMs(entry, 'markets', now)),
      orders: feeds.ageMs('orders', now),
      prices: ownAgeMs(entry, 'prices', now),
    };
    for (const [feed, what] of WHAT) {
      if (ageMs[feed] > settings.afterMs[feed])
        return { cause: `${what} last known ${ageMs[feed]} ms ago`, sparesInPlay: false };
    }
    const lateMs = now - startOf(entry);
    if (lateMs < 0 || entry.state.inPlayStatus === 'InPlay' || ageMs.markets <= feeds.budgetMs('markets'))
      return undefined;
    const cause = `its status was last known ${ageMs.markets} ms ago, and its start was due ${lateMs} ms ago`;
    return { cause, sparesInPlay: true };
  }

  /** Whether the order rests in a dark market; the first that does has that journalled. */
  #isDark({ marketId, terms }: OwnOrder, step: Step): boolean {
    const entry = this.#parts.ledger.entryById(marketId);
    const dark = entry && this.#dark.get(entry);
    if (entry === undefined || dark === undefined || (dark.sparesInPlay && terms.keepWhenInPlay)) return false;
    if (this.#noted.get(entry)?.sparesInPlay !== dark.sparesInPlay) this.#note(entry, dark, step);
    return true;
  }

  #note(entry: MarketEntry, dark: Darkness, { at }: Step): void {
    const { log, settings } = this.#parts;
    this.#noted.set(entry, dark);
    const { cause, sparesInPlay } = dark;
    const market = entry.state.facts.id;
    log.noted(at, { kind: 'marketRisk', market, isOff: true, cause, dark: { orders: settings.orders, sparesInPlay } });
  }

  #noteLight(entry: MarketEntry, { sparesInPlay }: Darkness, { at }: Step): void {
    const { log, settings } = this.#parts;
    const market = entry.state.facts.id;
    const dark = { orders: settings.orders, sparesInPlay };
    log.noted(at, { kind: 'marketRisk', market, isOff: false, cause: 'it is known again', dark });
  }
}

/** When the market goes in play or is locked, as far as it says; never, where it does not. */
function startOf({ state }: MarketEntry): number {
  const { expectedStartTime: startsAt = Number.POSITIVE_INFINITY } = state.facts;
  return Math.min(startsAt, state.lockAt ?? Number.POSITIVE_INFINITY);
}

/** Why nothing is placed on a market; undefined where orders may go. */
export function whyOff({ risk }: Ledger, { state, dark, stale }: MarketEntry): string | undefined {
  const cause = risk.marketsOff.get(state.index);
  if (cause !== undefined) return cause;
  if (dark !== undefined) return `dark: ${dark}`;
  if (stale.has('markets')) return 'its status is late';
  return stale.has('prices') ? 'its prices are late' : undefined;
}
