/** Looks up what a path or a body of a control request names; gives a problem where it does not exist. */

import type { SandboxContext } from '../context/sandbox-context.ts';
import { countOfId } from '../world/ids.ts';
import type { AppRecord, EventRecord, MarketRecord, WalletRecord } from '../world/records.ts';
import { type ControlProblem, refused, unknownId } from './control-endpoint.ts';

export type Lookup<T> = T | ControlProblem;

export function isControlProblem(found: object): found is ControlProblem {
  return 'kind' in found && found.kind === 'problem';
}

export function findApp(context: SandboxContext, id: string): Lookup<AppRecord> {
  return context.world.registry.appById(id) ?? unknownId(`app ${id}`);
}

/**
 * The app that owns a new event or market. Without an id it is the System app, as for what the exchange lists itself.
 */
export function findOwner(context: SandboxContext, id: string | undefined): Lookup<AppRecord> {
  return id === undefined ? context.world.registry.app(0) : findApp(context, id);
}

export function findWallet(context: SandboxContext, id: string): Lookup<WalletRecord> {
  return context.world.registry.walletById(id) ?? unknownId(`wallet ${id}`);
}

export function findCurrency(context: SandboxContext, id: string): Lookup<{ readonly currency: number }> {
  return context.world.catalogue.currencies.get(id) ?? unknownId(`currency ${id}`);
}

export function findEvent(context: SandboxContext, id: string): Lookup<EventRecord> {
  const event = countOfId(id);
  return (event === undefined ? undefined : context.world.catalogue.events.get(event)) ?? unknownId(`event ${id}`);
}

export function findMarket(context: SandboxContext, id: string): Lookup<MarketRecord> {
  const market = countOfId(id);
  return (market === undefined ? undefined : context.world.catalogue.markets.get(market)) ?? unknownId(`market ${id}`);
}

/** The exchange machine's indexes of outcomes of the market, in the order of the ids. */
export function findOutcomes(
  context: SandboxContext,
  market: MarketRecord,
  ids: readonly string[],
): Lookup<readonly number[]> {
  const indexes: number[] = [];
  for (const id of ids) {
    const found = context.world.catalogue.outcomes.get(id);
    if (found?.market !== market.market) return refused(400, `market ${market.id} has no outcome ${id}`);
    if (indexes.includes(found.outcome)) return refused(400, `outcome ${id} is named twice`);
    indexes.push(found.outcome);
  }
  return indexes;
}
