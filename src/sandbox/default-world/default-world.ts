/**
 * The default world of a sandbox: its creation and its upkeep, so that it stays current for months.
 *
 * Everything is done through changes. Call `seedWorld` and `refreshWorld` within `WorldLog.together`, so that a process
 * that ends meanwhile leaves no half-made market behind.
 */

import { defined } from '../../core/checks/assert.ts';
import type { Random } from '../../core/number/random.ts';
import { type Instant, MONEY_SCALE, money } from '../../core/number/units.ts';
import { applyChange, closeFinished, mainCurrency } from '../traffic/market-maker.ts';
import type { WorldContext } from '../traffic/traffic.ts';
import type { World } from '../world/world.ts';
import { fixturesAt, seriesOf } from './calendar.ts';
import { advanceFixture, createFixture } from './fixture-life.ts';
import { applyCommand, type LiquidityProvider, refill } from './liquidity-provider.ts';
import { CATEGORIES, CURRENCIES, FEED, MARKET_KINDS, participantId, REFERENCE_SOURCES, SPORTS } from './sports.ts';

/** The app whose key is given to the person who starts the sandbox. */
export interface Demo {
  readonly app: number;
  readonly appId: string;
  readonly wallet: number;
  readonly walletId: string;
}

const NOTE = 'default-world';
const PROVIDER_APP_ID = 'House';
const SEED_MONEY = money(10_000 * MONEY_SCALE);
/** Commission rate in parts per million: 1 %, the vendor's rate. */
const RATE_PPM = 10_000;
const HOUR = 3_600_000;
/**
 * How long a finished market stays as it is. Then it is closed, and removed if only apps of the exchange traded in it.
 */
const KEPT_MS = 24 * HOUR;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

interface Note {
  /** Named `house` in the notes of existing worlds. */
  readonly house: LiquidityProvider;
  readonly app: number;
  readonly wallet: number;
}

/**
 * Fills a new world: catalogue, liquidity provider, demo app with a wallet of seed money, and all that `refreshWorld`
 * makes. `currencies` are those of the world, the one of its markets first.
 */
export function seedWorld(
  context: WorldContext,
  { random, currencies = CURRENCIES }: { readonly random: Random; readonly currencies?: readonly string[] },
): Demo {
  for (const id of currencies) applyChange(context, { kind: 'createCurrency', id });
  seedCatalogue(context);
  const provider = seedProvider(context);
  const note: Note = { house: provider, ...seedDemo(context, demoId(random)) };
  applyChange(context, { kind: 'setNote', key: NOTE, value: JSON.stringify(note) });
  refreshWorld(context);
  return defined(demoOf(context.world), 'the demo app was just made');
}

/**
 * Brings the default world to its state for the current time: called at every start and about once a minute. Does
 * nothing in a world that was not seeded.
 */
export function refreshWorld(context: WorldContext): void {
  const provider = noteOf(context.world)?.house;
  if (provider === undefined) return;
  const { catalogue } = context.world;
  refill(context, [provider.maker, provider.taker]);
  const known = new Set([...catalogue.events.values()].map(({ code }) => code));
  for (const fixture of fixturesAt(context.now(), namesCount)) {
    if (!known.has(fixture.code)) createFixture(context, provider, fixture);
  }
  for (const event of catalogue.events.values()) {
    if (event.app !== provider.app || event.actualEndTime !== undefined) continue;
    const series = seriesOf(event.eventGroupId);
    if (series !== undefined) advanceFixture(context, provider, event, series);
  }
  closeOldMarkets(context, provider);
}

/** The demo app of a seeded world; undefined where the world was not seeded. */
export function demoOf(world: World): Demo | undefined {
  const note = noteOf(world);
  if (note === undefined) return undefined;
  const { app, wallet } = note;
  return { app, wallet, appId: world.registry.app(app).id, walletId: world.registry.wallet(wallet).id };
}

/** Creates one more key of the demo app, at every start; returns its name. */
export function giveDemoKey(context: WorldContext, secretHash: string): string {
  const { app, appId } = defined(demoOf(context.world), 'the world was seeded');
  let number = 1;
  while (context.world.registry.keys.has(`${appId}-${number}`)) number += 1;
  const name = `${appId}-${number}`;
  applyChange(context, { kind: 'createKey', app, name, secretHash });
  return name;
}

function seedCatalogue(context: WorldContext): void {
  for (const { code, description } of REFERENCE_SOURCES)
    applyChange(context, { kind: 'createReferenceSource', code, description });
  for (const { id, name } of CATEGORIES) applyChange(context, { kind: 'createCategory', id, name });
  for (const { id, outcomes, types } of Object.values(MARKET_KINDS)) {
    applyChange(context, { kind: 'createMarketType', id, outcomes, winners: types });
  }
  for (const sport of SPORTS) {
    applyChange(context, { kind: 'createSubcategory', id: sport.id, name: sport.name, categoryId: sport.categoryId });
    applyChange(context, { kind: 'addReference', ...reference('sport', sport.id), target: 'subcategory' });
    for (const { id, name } of sport.groups) {
      applyChange(context, { kind: 'createEventGroup', id, name, subcategoryId: sport.id });
      applyChange(context, { kind: 'addReference', ...reference('competition', id), target: 'eventGroup' });
    }
    for (const name of sport.names) {
      const id = participantId(sport.id, name);
      const code = name.replaceAll(/[^A-Z]/g, '');
      applyChange(context, {
        kind: 'createParticipant',
        id,
        code,
        name,
        type: sport.participants,
        subcategoryId: sport.id,
      });
      applyChange(context, { kind: 'addReference', ...reference('participant', id), target: 'participant' });
    }
  }
}

function reference(kind: string, id: string) {
  return { source: FEED, reference: `${kind}-${id.toLowerCase()}`, id };
}

function seedProvider(context: WorldContext): LiquidityProvider {
  applyChange(context, { kind: 'createApp', id: PROVIDER_APP_ID, name: 'The house', isHouse: true });
  const app = defined(context.world.registry.appById(PROVIDER_APP_ID), 'the house was just made').app;
  applyChange(context, { kind: 'createWallet', app, reference: 'maker' });
  applyChange(context, { kind: 'createWallet', app, reference: 'taker' });
  const [maker, taker] = context.world.exchange.app(app)?.wallets ?? [];
  return { app, maker: defined(maker, 'a wallet was made'), taker: defined(taker, 'a wallet was made') };
}

/** Creates the demo app. Its seed money is an ordinary deposit, so that the wallet has a history from the start. */
function seedDemo(context: WorldContext, id: string): { readonly app: number; readonly wallet: number } {
  applyChange(context, { kind: 'createApp', id, name: 'Demo' });
  const app = defined(context.world.registry.appById(id), 'the app was just made').app;
  applyChange(context, {
    kind: 'createWallet',
    app,
    reference: 'demo',
    description: 'Seed money to try things out with',
  });
  const wallet = defined(context.world.exchange.app(app)?.wallets[0], 'a wallet was made');
  const { currency } = mainCurrency(context.world);
  applyCommand(context, { kind: 'deposit', wallet, currency, amount: SEED_MONEY });
  applyChange(context, { kind: 'createCommissionRate', app, ratePpm: RATE_PPM, isDefault: true });
  return { app, wallet };
}

/** A random app id in the exchange's form: `01abcde12345`. */
function demoId(random: Random): string {
  return `01${Array.from({ length: 10 }, () => LETTERS[random.below(LETTERS.length)]).join('')}`;
}

function closeOldMarkets(context: WorldContext, provider: LiquidityProvider): void {
  const { catalogue, exchange } = context.world;
  const now: Instant = context.now();
  for (const { market, app } of [...catalogue.markets.values()]) {
    const view = app === provider.app ? exchange.market(market) : undefined;
    if (view === undefined || (view.status !== 'Settled' && view.status !== 'Voided')) continue;
    if (view.settledAt !== undefined && now - view.settledAt >= KEPT_MS) closeFinished(context, market);
  }
}

function noteOf(world: World): Note | undefined {
  const text = world.catalogue.notes.get(NOTE);
  return text === undefined ? undefined : (JSON.parse(text) as Note);
}

function namesCount(sport: string): number {
  return defined(
    SPORTS.find(({ id }) => id === sport),
    'every series is of a known sport',
  ).names.length;
}
