/** Looks up what a path or a body of a control request names; gives a problem where it does not exist. */

import type { SandboxContext } from '../context/sandbox-context.ts';
import { countOfId } from '../world/ids.ts';
import type { AppRecord, EventRecord, MarketRecord, WalletRecord } from '../world/records.ts';
import { type ControlProblem, type ControlTools, refused, unknownId } from './control-endpoint.ts';

export type Lookup<T> = T | ControlProblem;

export function isControlProblem(found: object): found is ControlProblem {
  return 'kind' in found && found.kind === 'problem';
}

/** What names are looked up with. */
export type Finder = Pick<ControlTools, 'context' | 'names'>;

export function findApp({ context, names }: Finder, id: string): Lookup<AppRecord> {
  return names.app(id, context.world) ?? unknownId(`app ${id}`);
}

/**
 * The app that owns a new event or market. Without an id it is the System app, as for what the exchange lists itself.
 */
export function findOwner(finder: Finder, id: string | undefined): Lookup<AppRecord> {
  return id === undefined ? finder.context.world.registry.app(0) : findApp(finder, id);
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

export function findMarket({ context, names }: Finder, id: string): Lookup<MarketRecord> {
  return names.market(id, context.world) ?? unknownId(`market ${id}`);
}

/** The exchange machine's indexes of outcomes of the market, in the order of the ids. */
export function findOutcomes(
  { context, names }: Finder,
  market: MarketRecord,
  ids: readonly string[],
): Lookup<readonly number[]> {
  const indexes: number[] = [];
  for (const id of ids) {
    const found = names.outcome(market, id, context.world);
    if (found === undefined) return refused(400, `market ${names.marketId(market)} has no outcome ${id}`);
    if (indexes.includes(found)) return refused(400, `outcome ${id} is named twice`);
    indexes.push(found);
  }
  return indexes;
}
