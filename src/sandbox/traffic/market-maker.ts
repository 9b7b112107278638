/**
 * The app of the exchange behind a traffic driver: created once, found again after a restart, with a wallet that may be
 * far below zero. Also the changes that drivers make.
 */

import { assert, defined, fail } from '../../core/checks/assert.ts';
import type { WinnersRange } from '../../core/market.ts';
import { MONEY_SCALE, money } from '../../core/number/units.ts';
import type { Command } from '../../matching/messages/command.ts';
import type { ExchangeEvent } from '../../matching/messages/event.ts';
import { type Change, type MachineCommand, NAMED_KINDS } from '../world/change.ts';
import { walletIdOf } from '../world/ids.ts';
import type { CurrencyRecord } from '../world/records.ts';
import type { Changed, World } from '../world/world.ts';
import type { WorldContext } from './traffic.ts';

export interface MarketMaker {
  readonly app: number;
  readonly wallet: number;
  readonly currencyId: string;
}

type NewChange = Change extends infer C ? (C extends Change ? Omit<C, 'at'> : never) : never;

const OVERDRAFT = money(500_000_000 * MONEY_SCALE);
/** Created where the world has no currency. */
const FIRST_CURRENCY = 'USDC';

/** Makes a change that cannot be refused, since it depends only on this code and the present world. */
export function applyChange(context: WorldContext, change: NewChange): Changed {
  const changed = context.apply({ at: context.now(), ...change });
  if (changed.kind === 'refused') fail(`the exchange's own ${change.kind} was refused: ${changed.refusal.what}`);
  return changed;
}

/** Makes a command that may be refused, since an operator may have moved the market meanwhile. */
export function tryCommand(context: WorldContext, wanted: MachineCommand): Changed {
  return context.apply({ at: context.now(), kind: 'command', command: wanted });
}

/** The command without its time: the change has one. */
export function withoutTime(command: Command): MachineCommand {
  const { at: _planned, ...wanted } = command;
  assert(isNameless(wanted), 'what drives traffic gives commands that need no name');
  return wanted;
}

export function marketMaker(
  context: WorldContext,
  { id, name }: { readonly id: string; readonly name: string },
): MarketMaker {
  const { catalogue, registry } = context.world;
  if (catalogue.currencies.size === 0) applyChange(context, { kind: 'createCurrency', id: FIRST_CURRENCY });
  const { id: currencyId, currency } = mainCurrency(context.world);
  if (registry.appById(id) === undefined) applyChange(context, { kind: 'createApp', id, name, isHouse: true });
  const { app } = defined(registry.appById(id), 'the app was made');
  const walletId = walletIdOf(id, 'User', 1);
  if (registry.walletById(walletId) === undefined) applyChange(context, { kind: 'createWallet', app });
  const { wallet } = defined(registry.walletById(walletId), 'the wallet was made');
  tryCommand(context, { kind: 'openAccount', wallet, currency });
  // This may be refused where the operator has issued all the money allowed: then the driver trades with what it has.
  tryCommand(context, { kind: 'setOverdraft', wallet, currency, overdraft: OVERDRAFT });
  return { app, wallet, currencyId };
}

/** The currency of markets and wallets: the one that was created first. */
export function mainCurrency({ catalogue }: World): CurrencyRecord {
  return defined([...catalogue.currencies.values()][0], 'there is a currency');
}

/** Creates what is missing of a branch of the catalogue for events; returns the id of its event group. */
export function eventGroup(
  context: WorldContext,
  names: { readonly category: IdAndName; readonly subcategory: IdAndName; readonly group: IdAndName },
): string {
  const { catalogue } = context.world;
  const { category, subcategory, group } = names;
  if (!catalogue.categories.has(category.id)) applyChange(context, { kind: 'createCategory', ...category });
  if (!catalogue.subcategories.has(subcategory.id))
    applyChange(context, { kind: 'createSubcategory', ...subcategory, categoryId: category.id });
  if (!catalogue.eventGroups.has(group.id))
    applyChange(context, { kind: 'createEventGroup', ...group, subcategoryId: subcategory.id });
  return group.id;
}

interface IdAndName {
  readonly id: string;
  readonly name: string;
}

/** The market type with this id if it allows so many outcomes and winners, else one of the driver's own. */
export function marketType(
  context: WorldContext,
  wanted: { readonly id: string; readonly outcomes: number; readonly winners: WinnersRange },
): string {
  const { marketTypes } = context.world.catalogue;
  const { outcomes: count, winners } = wanted;
  for (const id of [wanted.id, `${wanted.id}_${count}_${winners.max}`]) {
    const known = marketTypes.get(id);
    if (known === undefined)
      applyChange(context, { kind: 'createMarketType', id, outcomes: { min: count, max: count }, winners });
    else if (!fits(known.outcomes, count, count) || !fits(known.winners, winners.min, winners.max)) continue;
    return id;
  }
  return defined([...marketTypes.keys()][0], 'both names were tried, so there is a type');
}

function fits(range: WinnersRange, min: number, max: number): boolean {
  return range.min <= min && max <= range.max;
}

/** The first event of a kind among the events of a change. */
export function eventOfKind<K extends ExchangeEvent['kind']>(
  changed: Changed,
  kind: K,
): Extract<ExchangeEvent, { kind: K }> {
  const found = changed.events.find((event): event is Extract<ExchangeEvent, { kind: K }> => event.kind === kind);
  return defined(found, `the machine tells ${kind}`);
}

/** Whether any app that is not the exchange's own ever had an order in the market. */
function hasUserOrders({ exchange, registry }: World, market: number): boolean {
  for (const { app } of exchange.ordersOfMarket(market)) if (!registry.app(app).isHouse) return true;
  return false;
}

/** Closes a finished market, and removes it unless another app traded in it and nothing would be kept of that. */
export function closeFinished(context: WorldContext, market: number): void {
  const { exchange, cleared } = context.world;
  tryCommand(context, { kind: 'close', market });
  if (exchange.market(market)?.status !== 'Closed') return;
  if (cleared !== undefined || !hasUserOrders(context.world, market)) tryCommand(context, { kind: 'forget', market });
}

function isNameless(command: { readonly kind: Command['kind'] }): command is MachineCommand {
  return !NAMED_KINDS.some((kind) => kind === command.kind);
}
