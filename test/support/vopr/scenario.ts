/** What one seed stands for: the bot and its settings, the markets, the faults, and when it is killed. */

import type { RestClientOptions } from '../../../src/betdex/client/rest-options.ts';
import type { GatewaySettings } from '../../../src/betdex/gateway/base/gateway-settings.ts';
import type { Random } from '../../../src/core/number/random.ts';
import type { JournalKind } from '../../../src/core/run/journal.ts';
import type { BotSettings } from '../../../src/engine/live/bot-settings.ts';
import type { FeedChoice, PricesChoice } from '../../../src/exchange-live/settings.ts';
import type { LimitsConfig } from '../../../src/risk/limits/limits.ts';
import { DARK_FRESHNESS, DARK_LIFE_MS, type DarkPlan, darkPlan } from './dark-plan.ts';
import { type FaultPlan, faultPlan, NO_FAULTS } from './fault-plan.ts';
import { GUESTS } from './guest-strategies.ts';
import { isOn } from './hardships.ts';
import type { LifePlan } from './market-life.ts';
import { type OddPlan, oddPlan } from './odd-plan.ts';
import { SISTERS_MS, type SisterPlan, sisterPlan } from './sister-plan.ts';

/** When a process dies. Of a record or a sending, at the how many-th of its kind in this process. */
export type KillPoint =
  | { readonly kind: 'time'; readonly afterMs: number }
  /** Just after it was appended and before anything is durable; or after its commit returned. */
  | { readonly kind: 'record'; readonly record: JournalKind; readonly nth: number; readonly when: 'lost' | 'kept' }
  /** Just before the bytes of a request leave, or just after. */
  | { readonly kind: 'sending'; readonly nth: number; readonly when: 'before' | 'after' };

export interface OperatorAct {
  readonly afterMs: number;
  readonly kind: 'halt' | 'reduceOnly' | 'resume';
  /** What keeps a halt from ending orders at once: markets that are not open, or cancellations without effect. */
  readonly meets?: 'shut' | 'ignored' | undefined;
}

export interface Scenario {
  readonly seed: number;
  readonly chaosMs: number;
  readonly faults: FaultPlan;
  readonly life: LifePlan;
  readonly wallets: number;
  readonly balance: number;
  readonly accessTokenMs: number;
  /** Of the bot: each in one of the wallets. */
  readonly strategies: readonly { readonly name: string; readonly wallet: number }[];
  readonly limits: LimitsConfig;
  readonly bot: BotSettings;
  readonly client: Pick<RestClientOptions, 'timeouts' | 'budget' | 'retry'>;
  readonly feeds: GatewaySettings['feeds'];
  readonly kills: readonly KillPoint[];
  readonly acts: readonly OperatorAct[];
  /** For so long no reading succeeds, and everything else does. */
  readonly deafMs: number | undefined;
  /** Towards the end of the faults every strategy cancels all it has, while no cancellation is answered. */
  readonly flattens: boolean;
  /** At the end of the simulation the run is asked to end. */
  readonly stops: boolean;
  /** By how much the bot's clock is wrong from the start. */
  readonly skewMs: number;
  /** Another run of the same app; undefined where there is none. */
  readonly sister: SisterPlan | undefined;
  /** A feed that goes dark; undefined where none does. */
  readonly dark: DarkPlan | undefined;
  /** A document of several that cannot be read; undefined where all can. */
  readonly odd: OddPlan | undefined;
}

/** How long the client waits for the answer to new orders, on top of the in-play delay. */
export const PLACE_TIMEOUT_MS = 1_500;
export const REQUEST_MS = 2_000;
export const HASTY = { requestMs: REQUEST_MS, attemptMs: 700 };
/** Waits for answers that are seconds late. */
export const PATIENT = { requestMs: 14_000, attemptMs: 10_000 };
export const WAIT_MS = 1_200;
const CONNECT_MS = 500;
/** Longer than a request is ever late and an answer ever old (fault-plan.ts), together. */
export const MARGINS = {
  placeTimeoutMs: PLACE_TIMEOUT_MS,
  absenceMs: 3_400,
  lookUpEveryMs: 1_000,
  absentEveryMs: 4_000,
  resultEveryMs: 3_000,
  commissionMs: 1_000,
};

const SAMPLES = ['dutch-book', 'favourite-scalp', 'passive-quoter'] as const;
const NASTY = ['placer', 'churner', 'flooder', 'sweeper'] as const;

/** Each as often as it stands here. */
const COMMON: readonly JournalKind[] = [
  ...([
    'started',
    'started',
    'decided',
    'refused',
    'sent',
    'cancelSent',
    'requested',
    'replied',
    'rejected',
    'unknown',
  ] as const),
  ...(['reported', 'wallet', 'heartbeat', 'phase', 'sent', 'requested', 'replied', 'reported', 'phase'] as const),
];
/** Seldom met: the first of its kind will do. Results come late in a life, if at all, and are to be met all the same. */
const RARE = [
  ...(['checkpoint', 'adopted', 'settled', 'settled', 'marketDone', 'trading', 'freshness', 'difference'] as const),
  ...(['settled', 'rejected', 'adopted'] as const),
];
/** Every kind at which processes are killed. */
export const KILLED_AT: ReadonlySet<JournalKind> = new Set([...COMMON, ...RARE]);

export function scenario(seed: number, random: Random): Scenario {
  const plain = plainScenario(seed, random);
  const isDark = isOn('dark') && plain.sister === undefined && random.chance(0.12);
  if (isDark) return withDarkness(plain, random);
  const odd = plain.sister === undefined ? oddPlan(seed) : undefined;
  return odd === undefined ? plain : withOddity(plain, odd);
}

/** One document is odd in a world that is even, so that what depends on it, and nothing else, must stop in time. */
function withOddity(scenario: Scenario, odd: OddPlan): Scenario {
  const { suspensionStorm, streamCut } = scenario.faults.world;
  const wire = { ...scenario.faults.wire, duplicatedFirst: 0, duplicatedSecond: 0, cancelIgnored: 0 };
  const isWallet = odd.kind === 'wallet';
  return {
    ...scenario,
    ...{ odd, chaosMs: DARK_LIFE_MS, deafMs: undefined, skewMs: 0, flattens: false },
    faults: { ...scenario.faults, world: { ...NO_FAULTS.world, suspensionStorm, streamCut }, wire },
    kills: isWallet ? [] : [{ kind: 'time', afterMs: odd.afterMs }],
    client: { ...scenario.client, timeouts: { ...HASTY, waitMs: WAIT_MS, connectMs: CONNECT_MS } },
    bot: { ...scenario.bot, freshness: DARK_FRESHNESS, dark: { afterMs: DARK_FRESHNESS, orders: 'cancel' } },
    ...(isWallet && { wallets: 2, strategies: inEachWallet(scenario.strategies) }),
  };
}

function inEachWallet(strategies: Scenario['strategies']): Scenario['strategies'] {
  const names = new Set([...strategies.map(({ name }) => name), 'placer', 'churner']);
  return [...names].map((name, index) => ({ name, wallet: index % 2 }));
}

/** A feed goes dark, and the bot's time runs evenly, so that ages are what they seem. */
function withDarkness(scenario: Scenario, random: Random): Scenario {
  const even = { clockForward: 0, clockBack: 0, stall: 0, sleep: 0 };
  const world = { ...scenario.faults.world, ...even, falseEndings: 0, outageAll: 0, outageCancels: 0 };
  // What was told falsely is found out by comparing all books, which cannot be read without orders or wallets.
  const wire = { ...scenario.faults.wire, duplicatedFirst: 0, duplicatedSecond: 0, cancelIgnored: 0 };
  return {
    ...scenario,
    ...{ dark: darkPlan(random), chaosMs: DARK_LIFE_MS, deafMs: undefined, skewMs: 0, flattens: false },
    faults: { ...scenario.faults, world, wire },
    // A process that begins in the dark finds no market to trade in.
    kills: random.chance(0.6) ? [] : scenario.kills,
    bot: { ...scenario.bot, freshness: DARK_FRESHNESS, dark: { afterMs: DARK_FRESHNESS, orders: 'cancel' } },
  };
}

function plainScenario(seed: number, random: Random): Scenario {
  const faults = faultPlan(random.fork());
  const wallets = random.chance(0.3) ? 2 : 1;
  const isPatient = faults.world.slowReplies > 0;
  const isDeaf = faults.world.outageReads > 0 && random.chance(0.4);
  const sister = isOn('sisters') && random.chance(0.05) ? sisterPlan(random.fork()) : undefined;
  const shortMs = isDeaf ? 34_000 : 10_000 + random.below(15_000);
  const chaosMs = sister === undefined ? shortMs : SISTERS_MS;
  const everyMs = 700 + random.below(700);
  const poll = { kind: 'poll', everyMs } as const;
  const isStreamed = random.chance(0.3);
  const told = isStreamed ? ({ kind: 'stream', rereadMs: everyMs * 2 } as const) : poll;
  return {
    ...{ seed, faults, wallets, chaosMs, sister, dark: undefined, odd: undefined },
    life: {
      events: 1 + random.below(2),
      markets: 1 + random.below(4),
      marketsMax: 8,
      crowdMs: 350 + random.below(700),
      changeMs: 2_500 + random.below(9_000),
    },
    balance: random.chance(0.2) ? 40 + random.below(60) : 1_000,
    accessTokenMs: random.chance(0.3) ? 6_000 + random.below(10_000) : 1_800_000,
    strategies: strategies(random, wallets),
    limits: limits(random),
    bot: botSettings(random, isDeaf ? 400 : everyMs),
    client: {
      timeouts: { ...(isPatient ? PATIENT : HASTY), waitMs: WAIT_MS, connectMs: CONNECT_MS },
      budget: random.chance(0.2) ? { perSecond: 9 + random.below(8), burst: 12 } : { perSecond: 100, burst: 100 },
      retry: { attemptsMax: 3, delayMs: 80, delayMaxMs: 400, pauseMaxMs: 3_000 },
    },
    feeds: {
      markets: isStreamed ? told : { kind: 'poll', everyMs: everyMs * 2 },
      prices: pricesOf({ ...{ random, told, poll, everyMs }, isStreamed: isStreamed && seed % 3 !== 0 }),
      orders: told,
      wallets: { kind: 'poll', everyMs: everyMs * 2 },
    },
    kills: Array.from({ length: faults.world.kill }, () => killPoint(random)),
    acts: acts(random, chaosMs),
    deafMs: isDeaf ? 29_000 : undefined,
    flattens: random.chance(0.25),
    stops: random.chance(0.5),
    skewMs: random.chance(0.15) ? random.below(8_000) - 4_000 : 0,
  };
}

function pricesOf(parts: {
  readonly random: Random;
  readonly isStreamed: boolean;
  readonly told: FeedChoice;
  readonly poll: FeedChoice;
  readonly everyMs: number;
}): PricesChoice {
  const { random, isStreamed, told, poll, everyMs } = parts;
  const isAdaptive = random.chance(0.3);
  if (isStreamed) return told;
  return isAdaptive ? { kind: 'adaptive', everyMs, urgentMs: Math.ceil(everyMs / 2), nearOffMs: 0 } : poll;
}

export function strategies(random: Random, wallets: number): Scenario['strategies'] {
  const names = new Set<string>();
  const count = 1 + random.below(3);
  while (names.size < count) {
    const list: readonly string[] = random.chance(0.45) ? SAMPLES : NASTY;
    names.add(list[random.below(list.length)] ?? 'placer');
  }
  if (isOn('guests') && random.chance(0.25)) names.add(GUESTS[random.below(GUESTS.length)] ?? 'guest-throws');
  return [...names].map((name) => ({ name, wallet: random.below(wallets) }));
}

/** Tight, so that they are met. */
export function limits(random: Random): LimitsConfig {
  const some = (low: number, high: number) => (random.chance(0.6) ? low + random.below(high - low) : undefined);
  const stop = random.chance(0.5) ? ('halted' as const) : ('reduceOnly' as const);
  const config = {
    ...{ order: some(5, 30), outcome: some(20, 80), market: some(25, 100), event: some(40, 150) },
    ...{ strategy: some(30, 120), wallet: some(40, 150), dailyLoss: some(10, 60) },
    ordersPerSecond: random.chance(0.4) ? 3 + random.below(30) : undefined,
    ordersPerMarket: random.chance(0.3) ? 3 + random.below(20) : undefined,
    selfMatch: random.chance(0.3) ? ('refuse' as const) : undefined,
    drawdown: random.chance(0.2) ? { amount: 3 + random.below(20), action: stop } : undefined,
    cooldown: random.chance(0.1) ? { losses: 1 + random.below(3), minutes: 1 } : undefined,
    rollingLoss: random.chance(0.15) ? { amount: 3 + random.below(30), hours: 1 } : undefined,
    staleMs: random.chance(0.4) ? 3_000 + random.below(3_000) : undefined,
    ticksFromBook: random.chance(0.2) ? 4 + random.below(20) : undefined,
    heartbeat: true,
  };
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

export function botSettings(random: Random, everyMs: number): BotSettings {
  const budgetMs = 5 * everyMs + 1_500 + random.below(2_500);
  const freshness = { markets: 2 * budgetMs, prices: budgetMs, orders: budgetMs, wallets: 2 * budgetMs };
  return {
    tickMs: 100 + random.below(300),
    heartbeat: {
      timeoutMs: 10_000 + random.below(2_000),
      pollBudgetMs: budgetMs,
      atEnd: random.chance(0.5) ? 'clear' : 'keep',
    },
    reconcile: {
      everyMs: 1_500 + random.below(4_000),
      lastingAfter: 2 + random.below(2),
      foreignOrders: random.chance(0.5) ? 'adopt' : 'cancel',
    },
    freshness,
    dark: { afterMs: freshness, orders: 'cancel' },
    end: { orders: random.chance(0.6) ? 'cancel' : 'keep', deadlineMs: 5_000 },
    intentsMax: 60,
  };
}

export function killPoint(random: Random): KillPoint {
  const luck = random.uniform();
  if (luck < 0.28) return { kind: 'time', afterMs: random.below(random.chance(0.4) ? 2_500 : 15_000) };
  if (luck < 0.55) return { kind: 'sending', nth: 1 + random.below(12), when: random.chance(0.5) ? 'before' : 'after' };
  const when = random.chance(0.5) ? 'lost' : 'kept';
  if (luck < 0.74) return { kind: 'record', record: RARE[random.below(RARE.length)] ?? 'settled', nth: 1, when };
  const record = COMMON[random.below(COMMON.length)] ?? 'sent';
  return { kind: 'record', record, nth: record === 'started' ? 1 : 1 + random.below(4), when };
}

export function acts(random: Random, chaosMs: number): readonly OperatorAct[] {
  if (random.chance(0.7)) return [];
  const kind = random.chance(0.75) ? 'halt' : 'reduceOnly';
  const afterMs = random.below(chaosMs);
  const luck = random.uniform();
  const meets = !isOn('halting') || luck < 0.4 ? undefined : luck < 0.75 ? 'shut' : 'ignored';
  const halting = { afterMs, kind, meets } as const;
  return random.chance(0.5) ? [halting] : [halting, { afterMs: afterMs + 2_000 + random.below(6_000), kind: 'resume' }];
}
