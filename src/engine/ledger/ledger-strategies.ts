/** The strategies of a run: which markets each watches, which ids it may name, and which version of it runs. */

import { assert, defined } from '../../core/checks/assert.ts';
import type { MarketFacts } from '../../core/market.ts';
import type { ExposureBook } from '../../risk/exposure/exposure-book.ts';
import type { IntentScope } from '../../strategy/decision/check-intent.ts';
import type { ViewGate } from '../../strategy/views/view-gate.ts';
import { beginCall, type DecisionMark, endCall } from '../guest/decision-mark.ts';
import { checkComesBack } from '../guest/stuck-call.ts';
import type { LedgerMarkets } from './ledger-markets.ts';
import type { LedgerWallets } from './ledger-wallets.ts';
import { LedgerPosition } from './position-view.ts';
import {
  type MarketEntry,
  type OnPlotted,
  StrategyInMarket,
  type StrategyInstance,
  type StrategyVersion,
  watchedMarkets,
} from './strategy-in-market.ts';

export interface LedgerStrategiesParts {
  readonly instances: readonly StrategyInstance[];
  readonly markets: LedgerMarkets;
  readonly wallets: LedgerWallets;
  readonly exposure: ExposureBook;
  readonly gate: ViewGate;
  readonly onPlotted: OnPlotted;
  /** Where calls of strategies are marked, for a thread that watches for one that hangs. */
  readonly mark: DecisionMark;
}

/** Called with a strategy that throws when it is asked whether it watches a market. */
export type OnThrow = (instance: StrategyInstance, error: unknown) => void;

export class LedgerStrategies {
  readonly instances: readonly StrategyInstance[];
  readonly #parts: LedgerStrategiesParts;
  readonly #scopes: readonly IntentScope[];

  constructor(parts: LedgerStrategiesParts) {
    const { instances, markets } = parts;
    this.instances = instances;
    this.#parts = parts;
    this.#scopes = instances.map((instance) => ({
      marketIndex: (id) => {
        const market = markets.indexOf(id);
        return instance.inMarkets.has(market) ? market : -1;
      },
      outcomeIndex: (market, id) => markets.at(market)?.outcomeById.get(id) ?? -1,
    }));
  }

  /** Which ids a strategy may name: those of the markets it watches. */
  scopeOf(instance: StrategyInstance): IntentScope {
    return defined(this.#scopes[instance.index], 'every strategy has its scope');
  }

  /** Asks every strategy that is not halted whether it watches the market. */
  offerMarket(entry: MarketEntry, onThrow: OnThrow): void {
    for (const instance of this.instances) this.#offer(instance, entry, onThrow);
  }

  /** Offers a strategy all markets that it does not watch: some came while it was halted. */
  offerMarkets(instance: StrategyInstance, onThrow: OnThrow): void {
    for (const entry of this.#parts.markets.all)
      if (!instance.inMarkets.has(entry.state.index)) this.#offer(instance, entry, onThrow);
  }

  /** Puts another version in place of a strategy, which must be flat; it watches nothing until markets are offered to it. */
  replace(instance: StrategyInstance, version: StrategyVersion): void {
    assert(this.isFlat(instance), 'a strategy is replaced while it is flat');
    instance.plugin = version.plugin;
    instance.params = version.params;
    instance.signals = version.signals;
    instance.guest = version.guest;
    instance.inputs$?.complete();
    instance.inputs$ = undefined;
    instance.failure = undefined;
    for (const inMarket of instance.inMarkets.values()) {
      const { watchers } = inMarket.entry;
      if (watchers.includes(inMarket)) watchers.splice(watchers.indexOf(inMarket), 1);
    }
    instance.inMarkets.clear();
    instance.groups.clear();
  }

  /** Whether a strategy has no live order, and no position in any open market. */
  isFlat(instance: StrategyInstance): boolean {
    const { exposure } = this.#parts;
    for (const { entry, live } of instance.inMarkets.values()) {
      const { index } = entry.state;
      if (live.length > 0 || (exposure.isOpen(index) && !exposure.isFlat(index, instance.index))) return false;
    }
    return true;
  }

  /** No strategy watches the market any more, and none is woken in it. */
  dropMarket(entry: MarketEntry): void {
    for (const inMarket of [...entry.watchers, ...entry.formerWatchers]) {
      inMarket.forgetAlarm();
      inMarket.instance.inMarkets.delete(entry.state.index);
      inMarket.instance.groups.remove(inMarket);
    }
  }

  #offer(instance: StrategyInstance, entry: MarketEntry, onThrow: OnThrow): void {
    if (instance.halted) return;
    const { mark } = this.#parts;
    beginCall(mark, instance, entry.state.index);
    try {
      checkComesBack(mark, instance.stuckCall);
      const facts = instance.guest.windows.facts(entry.shownFacts);
      if (instance.plugin.watches?.(facts) ?? true) entry.watchers.push(this.#watch(instance, entry, facts));
    } catch (error) {
      onThrow(instance, error);
    }
    endCall(mark);
  }

  #watch(instance: StrategyInstance, entry: MarketEntry, facts: MarketFacts): StrategyInMarket {
    const { exposure, wallets, markets: followed, gate, onPlotted } = this.#parts;
    const position = new LedgerPosition(exposure, entry, instance.index);
    const wallet = wallets.at(instance.wallet);
    const markets = watchedMarkets(instance, followed.ids);
    const inMarket = new StrategyInMarket({ instance, entry, facts, position, wallet, markets, gate, onPlotted });
    instance.inMarkets.set(entry.state.index, inMarket);
    instance.groups.add(inMarket);
    return inMarket;
  }
}
