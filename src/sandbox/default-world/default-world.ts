/**
 * The world of a sandbox started without options, and how it stays fresh for months.
 *
 * - `seedWorld(desk, { random }): Demo` fills a new world: catalogue, house, a demo app with a wallet of seed money, and
 *   all that `refreshWorld` makes. Once, where the world is new.
 * - `refreshWorld(desk): void` brings the default world to where it ought to be now: at every start and about once a
 *   minute. It does nothing in a world that was not seeded.
 * - `demoOf(world): Demo | undefined` finds the demo app again after a restart.
 * - `giveDemoKey(desk, secretHash): string` makes one more key of the demo app, at every start; returns its name.
 *
 * `desk` needs `world`, `now()` and `apply(change)` only. All of it is made through changes; the first two are called
 * within `WorldLog.together`, so that a process that ends meanwhile leaves no half-made market behind.
 */

import { present } from '../../core/checks/assert.ts';
import type { Random } from '../../core/number/random.ts';
import { type Instant, MONEY_SCALE, money } from '../../core/number/units.ts';
import type { World } from '../world/world.ts';
import { fixturesAt, seriesOf } from './calendar.ts';
import { announce, carryOn, isOldBy } from './fixture-life.ts';
import { command, fillUp, type LiquidityProvider, made, type WorldContext } from './liquidity-provider.ts';
import {
  CATEGORIES,
  CURRENCIES,
  CURRENCY,
  FEED,
  MARKET_KINDS,
  participantId,
  REFERENCE_SOURCES,
  SPORTS,
} from './sports.ts';

/** The app that whoever starts the sandbox is given a key of. */
export interface Demo {
  readonly app: number;
  readonly appId: string;
  readonly wallet: number;
  readonly walletId: string;
}

const NOTE = 'default-world';
const HOUSE_ID = 'LiquidityProvider';
const SEED_MONEY = money(10_000 * MONEY_SCALE);
/** The vendor's rate: 1 %. */
const RATE_PPM = 10_000;
const HOUR = 3_600_000;
/** How long a market that is over stays as it is; then it is closed, and forgotten if no one but the house was in it. */
const KEPT_MS = 24 * HOUR;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

interface Note {
  readonly house: LiquidityProvider;
  readonly app: number;
  readonly wallet: number;
}

export function seedWorld(context: WorldContext, { random }: { readonly random: Random }): Demo {
  for (const id of CURRENCIES) made(context, { kind: 'createCurrency', id });
  seedCatalogue(context);
  const house = seedHouse(context);
  const note: Note = { house, ...seedDemo(context, demoId(random)) };
  made(context, { kind: 'setNote', key: NOTE, value: JSON.stringify(note) });
  refreshWorld(context);
  return present(demoOf(context.world), 'the demo app was just made');
}

export function refreshWorld(context: WorldContext): void {
  const house = noteOf(context.world)?.house;
  if (house === undefined) return;
  const { catalogue } = context.world;
  fillUp(context, [house.maker, house.taker]);
  const known = new Set([...catalogue.events.values()].map(({ code }) => code));
  for (const fixture of fixturesAt(context.now(), namesCount)) {
    if (!known.has(fixture.code)) announce(context, house, fixture);
  }
  for (const event of catalogue.events.values()) {
    if (event.app !== house.app || event.actualEndTime !== undefined) continue;
    const series = seriesOf(event.eventGroupId);
    if (series !== undefined) carryOn(context, house, event, series);
  }
  clearAway(context, house);
}

export function demoOf(world: World): Demo | undefined {
  const note = noteOf(world);
  if (note === undefined) return undefined;
  const { app, wallet } = note;
  return { app, wallet, appId: world.holders.app(app).id, walletId: world.holders.wallet(wallet).id };
}

export function giveDemoKey(context: WorldContext, secretHash: string): string {
  const { app, appId } = present(demoOf(context.world), 'the world was seeded');
  let number = 1;
  while (context.world.holders.keys.has(`${appId}-${number}`)) number += 1;
  const name = `${appId}-${number}`;
  made(context, { kind: 'createKey', app, name, secretHash });
  return name;
}

function seedCatalogue(context: WorldContext): void {
  for (const { code, description } of REFERENCE_SOURCES)
    made(context, { kind: 'createReferenceSource', code, description });
  for (const { id, name } of CATEGORIES) made(context, { kind: 'createCategory', id, name });
  for (const { id, outcomes, types } of Object.values(MARKET_KINDS)) {
    made(context, { kind: 'createMarketType', id, outcomes, winners: types });
  }
  for (const sport of SPORTS) {
    made(context, { kind: 'createSubcategory', id: sport.id, name: sport.name, categoryId: sport.categoryId });
    made(context, { kind: 'addReference', ...reference('sport', sport.id), target: 'subcategory' });
    for (const { id, name } of sport.groups) {
      made(context, { kind: 'createEventGroup', id, name, subcategoryId: sport.id });
      made(context, { kind: 'addReference', ...reference('competition', id), target: 'eventGroup' });
    }
    for (const name of sport.names) {
      const id = participantId(sport.id, name);
      const code = name.replaceAll(/[^A-Z]/g, '');
      made(context, { kind: 'createParticipant', id, code, name, type: sport.participants, subcategoryId: sport.id });
      made(context, { kind: 'addReference', ...reference('participant', id), target: 'participant' });
    }
  }
}

function reference(kind: string, id: string) {
  return { source: FEED, reference: `${kind}-${id.toLowerCase()}`, id };
}

function seedHouse(context: WorldContext): LiquidityProvider {
  made(context, { kind: 'createApp', id: HOUSE_ID, name: 'The house', isHouse: true });
  const app = present(context.world.holders.appById(HOUSE_ID), 'the house was just made').app;
  made(context, { kind: 'createWallet', app, reference: 'maker' });
  made(context, { kind: 'createWallet', app, reference: 'taker' });
  const [maker, taker] = context.world.exchange.app(app)?.wallets ?? [];
  return { app, maker: present(maker, 'a wallet was made'), taker: present(taker, 'a wallet was made') };
}

/** The seed money is booked like any deposit, so that the wallet has a history from the start. */
function seedDemo(context: WorldContext, id: string): { readonly app: number; readonly wallet: number } {
  made(context, { kind: 'createApp', id, name: 'Demo' });
  const app = present(context.world.holders.appById(id), 'the app was just made').app;
  made(context, { kind: 'createWallet', app, reference: 'demo', description: 'Seed money to try things out with' });
  const wallet = present(context.world.exchange.app(app)?.wallets[0], 'a wallet was made');
  const currency = present(context.world.catalogue.currencies.get(CURRENCY), 'the currency was made').currency;
  command(context, { kind: 'deposit', wallet, currency, amount: SEED_MONEY });
  made(context, { kind: 'createCommissionRate', app, ratePpm: RATE_PPM, isDefault: true });
  return { app, wallet };
}

/** In the form of the exchange's own: `01abcde12345`. */
function demoId(random: Random): string {
  return `01${Array.from({ length: 10 }, () => LETTERS[random.below(LETTERS.length)]).join('')}`;
}

function clearAway(context: WorldContext, house: LiquidityProvider): void {
  const { catalogue, exchange } = context.world;
  const now: Instant = context.now();
  for (const { market, app } of [...catalogue.markets.values()]) {
    const view = app === house.app ? exchange.market(market) : undefined;
    if (view === undefined || (view.status !== 'Settled' && view.status !== 'Voided')) continue;
    if (!isOldBy(view.settledAt, KEPT_MS, now)) continue;
    command(context, { kind: 'close', market });
    if (!hasStrangers(context.world, market)) command(context, { kind: 'forget', market });
  }
}

function hasStrangers({ exchange, holders }: World, market: number): boolean {
  for (const { app } of exchange.ordersOfMarket(market)) if (!holders.app(app).isHouse) return true;
  return false;
}

function noteOf(world: World): Note | undefined {
  const text = world.catalogue.notes.get(NOTE);
  return text === undefined ? undefined : (JSON.parse(text) as Note);
}

function namesCount(sport: string): number {
  return SPORTS.find(({ id }) => id === sport)?.names.length ?? 0;
}
