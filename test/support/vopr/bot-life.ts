/** One process of the bot, whole: gateway, journal, strategies and the engine, before whatever exchange it is connected to. */

import { type Observable, of, Subscription } from 'rxjs';
import { defined } from '../../../src/core/checks/assert.ts';
import type { Random } from '../../../src/core/number/random.ts';
import { instant } from '../../../src/core/number/units.ts';
import type { JournalRecord } from '../../../src/core/run/journal.ts';
import type { RunState } from '../../../src/core/run/run-state.ts';
import type { HeartbeatState, TradingState } from '../../../src/core/run/trading-state.ts';
import type { Ledger } from '../../../src/engine/ledger/ledger.ts';
import { newInstance } from '../../../src/engine/ledger/strategy-in-market.ts';
import { Bot } from '../../../src/engine/live/bot.ts';
import type { BotStatus, Phase } from '../../../src/engine/live/bot-status.ts';
import type { LiveGateway } from '../../../src/exchange/live-gateway.ts';
import type { RunJournal } from '../../../src/journal/run-journal.ts';
import { parseLimits } from '../../../src/risk/limits/parse-limits.ts';
import type { StrategyPlugin } from '../../../src/strategy/contract.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { BotProcess } from './bot-process.ts';
import { defaultsOf, type Hush, hushed, STRATEGY_MAKERS } from './bot-strategies.ts';
import type { ExchangeWorld } from './exchange-world.ts';
import { type JournalTap, KeptJournal } from './kept-journal.ts';
import type { KillPoint, Scenario } from './scenario.ts';
import type { Story } from './story.ts';

/** What connects a process to its exchange. */
export interface Connected {
  readonly gateway: LiveGateway & { readonly notices$: Observable<{ readonly kind: string }> };
  /** Absent where nobody can tell whether another run keeps it: then it is free. */
  readonly heartbeat$?: Observable<{ readonly kind: 'free' | 'owned' | 'unknown' }>;
  /** The process is dead. */
  readonly close?: () => void;
}

export interface Connecting {
  readonly process: BotProcess;
  readonly restored: RunState | undefined;
  readonly random: Random;
}

export interface LifeParts {
  readonly number: number;
  readonly run: string;
  readonly time: SimulatedClock;
  readonly scenario: Pick<Scenario, 'seed' | 'strategies' | 'limits' | 'bot'>;
  readonly exchange: ExchangeWorld;
  readonly connect: (connecting: Connecting) => Connected;
  readonly story: Story;
  readonly random: Random;
  readonly hush: Hush;
  readonly journal: RunJournal;
  readonly kill: KillPoint | undefined;
  readonly skewMs: number;
  readonly tap: JournalTap;
  /** As a daemon looks at its clocks. */
  readonly beforeInput?: () => void;
  /** What the strategies want, as the exchange takes it. */
  readonly fitted?: (plugin: StrategyPlugin) => StrategyPlugin;
  /** As the configuration names them. */
  readonly walletIds: readonly string[];
}

/** What an order rests on when it leaves. */
export interface Standing {
  readonly phase: Phase;
  readonly trading: TradingState;
  /** Undefined where none is needed. */
  readonly heartbeat: HeartbeatState | undefined;
  /** Whether risk counts on the exchange to cancel our orders if we die, or none is needed for that. */
  readonly isProtected: boolean;
  readonly marketsOff: ReadonlySet<string>;
}

export class BotLife {
  readonly process: BotProcess;
  readonly bot: Bot;
  /** Undefined while it goes on; how the run ended, if it did by itself. */
  outcome: 'ended' | 'refused' | { readonly error: unknown } | undefined;
  /** Whether the heartbeat was found to be free for it: until then it looks, and has sent nothing. */
  isRunning = false;
  readonly #parts: LifeParts;
  readonly #running = new Subscription();
  readonly #begin: () => void;
  readonly #connected: Connected;

  constructor(parts: LifeParts) {
    const { scenario, time, story, tap, run, random } = parts;
    this.#parts = parts;
    this.process = new BotProcess({ number: parts.number, time, skewMs: parts.skewMs });
    const { process } = this;
    const { clock } = process;
    const journal = new KeptJournal({ ...{ process, story, tap }, journal: parts.journal, kill: parts.kill });
    const { restored } = parts.journal;
    this.#connected = parts.connect({ process, restored, random });
    const { gateway } = this.#connected;
    gateway.notices$.subscribe((notice) => {
      story.count(`notice ${notice.kind}`);
      story.tell(() => `!! ${parts.number} ${JSON.stringify(notice)}`);
    });
    this.bot = new Bot({
      ...{ clock, gateway, journal, restored, run, settings: scenario.bot },
      ...{ instances: seatsOf(parts), names: namesOf(parts), limits: limitsOf(scenario), onRecord: () => undefined },
      ...(parts.beforeInput && { beforeInput: parts.beforeInput }),
    });
    this.#begin = () => {
      journal.append(clock.now(), startedOf(parts));
      if (restored !== undefined) journal.append(clock.now(), { kind: 'checkpoint', state: restored });
      journal.commit();
    };
  }

  /** Like a daemon (src/app/live/bot/daemon.ts): it begins where no other run of the app keeps the heartbeat. */
  start(): void {
    const { heartbeat$ = of({ kind: 'free' } as const) } = this.#connected;
    const looking = heartbeat$.subscribe(({ kind }) => {
      if (kind === 'free') this.#run();
      else this.outcome = 'refused';
    });
    this.#running.add(looking);
  }

  #run(): void {
    this.isRunning = true;
    this.#begin();
    const running = this.bot.run$.subscribe({
      error: (error: unknown) => {
        this.outcome = { error };
      },
      complete: () => {
        this.outcome = 'ended';
      },
    });
    this.#running.add(running);
  }

  get ledger(): Ledger {
    return this.bot.ledger;
  }

  status(): BotStatus {
    return this.bot.status();
  }

  standing(): Standing {
    const { phase, trading, heartbeat } = this.status();
    const { risk } = this.ledger;
    const hasHeartbeat = this.#parts.scenario.bot.heartbeat !== undefined;
    const off = new Set<string>();
    for (const { state } of this.ledger.marketEntries()) if (risk.marketsOff.has(state.index)) off.add(state.facts.id);
    return {
      ...{ phase, trading, marketsOff: off },
      heartbeat: hasHeartbeat ? heartbeat : undefined,
      isProtected: !hasHeartbeat || risk.isHeartbeatActive(instant(this.process.clock.now())),
    };
  }

  /** Orders of an earlier process in that market wait until the market is received: nothing is placed before. */
  isWaitingFor(market: number): boolean {
    return this.ledger.restored.markets.includes(this.#parts.exchange.marketIdOf(market));
  }

  /** Nothing of the dead is kept in memory. */
  bury(): void {
    this.process.kill();
    this.#connected.close?.();
    this.#running.unsubscribe();
  }
}

function seatsOf({ scenario, random, hush, fitted = (plugin) => plugin }: LifeParts) {
  return scenario.strategies.map(({ name, wallet }, index) => {
    const make = defined(STRATEGY_MAKERS[name], `there is a strategy ${name}`);
    const plugin = hushed(fitted(make(random.fork())), hush);
    return newInstance({ index, plugin, params: defaultsOf(plugin), wallet, signals: new Map() });
  });
}

function namesOf({ scenario, walletIds }: LifeParts) {
  return { strategies: scenario.strategies.map(({ name }) => name), wallets: walletIds };
}

export function limitsOf({ limits }: Pick<Scenario, 'limits'>) {
  const parsed = parseLimits(limits);
  if (parsed.kind === 'fault') throw new Error(`${parsed.key}: ${parsed.expected}`);
  return parsed.limits;
}

function startedOf({ run, scenario }: LifeParts): JournalRecord {
  const strategies = scenario.strategies.map(({ name }) => ({ name, sha256: name }));
  return { kind: 'started', run, version: '0.0.0', mode: 'live', config: String(scenario.seed), strategies };
}
