/** Finds what an address or a body of the control surface names, or gives the problem that says so. */

import type { Desk } from '../context/desk.ts';
import { countOfId } from '../world/ids.ts';
import type { AppRecord, EventRecord, MarketRecord, WalletRecord } from '../world/records.ts';
import { type ControlProblem, refused, unknownId } from './control-endpoint.ts';

export type Found<T> = T | ControlProblem;

export function isControlProblem(found: object): found is ControlProblem {
  return 'kind' in found && found.kind === 'problem';
}

export function foundApp(desk: Desk, id: string): Found<AppRecord> {
  return desk.world.holders.appById(id) ?? unknownId(`app ${id}`);
}

/** The app that something is to belong to; the System app where none is named, as with what the exchange lists itself. */
export function foundOwner(desk: Desk, id: string | undefined): Found<AppRecord> {
  return id === undefined ? desk.world.holders.app(0) : foundApp(desk, id);
}

export function foundWallet(desk: Desk, id: string): Found<WalletRecord> {
  return desk.world.holders.walletById(id) ?? unknownId(`wallet ${id}`);
}

export function foundCurrency(desk: Desk, id: string): Found<{ readonly currency: number }> {
  return desk.world.catalogue.currencies.get(id) ?? unknownId(`currency ${id}`);
}

export function foundEvent(desk: Desk, id: string): Found<EventRecord> {
  const event = countOfId(id);
  return (event === undefined ? undefined : desk.world.catalogue.events.get(event)) ?? unknownId(`event ${id}`);
}

export function foundMarket(desk: Desk, id: string): Found<MarketRecord> {
  const market = countOfId(id);
  return (market === undefined ? undefined : desk.world.catalogue.markets.get(market)) ?? unknownId(`market ${id}`);
}

/** The machine's index of one of the market's outcomes. */
export function foundOutcomes(desk: Desk, market: MarketRecord, ids: readonly string[]): Found<readonly number[]> {
  const indexes: number[] = [];
  for (const id of ids) {
    const found = desk.world.catalogue.outcomes.get(id);
    if (found?.market !== market.market) return refused(400, `market ${market.id} has no outcome ${id}`);
    if (indexes.includes(found.outcome)) return refused(400, `outcome ${id} is named twice`);
    indexes.push(found.outcome);
  }
  return indexes;
}
