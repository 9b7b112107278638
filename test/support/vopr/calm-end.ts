/** The end of a simulated life, when all faults are over: the bot trades again, knows everything, and ends when it is told to. */

import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import type { BotLife } from './bot-life.ts';
import type { Hush } from './bot-strategies.ts';
import { inWords, tradesAgain } from './convergence.ts';
import type { ExchangeWorld } from './exchange-world.ts';
import { LATE_MS } from './fault-plan.ts';
import { isOn } from './hardships.ts';
import type { LawBook } from './law-book.ts';
import type { MarketLife } from './market-life.ts';
import { REQUEST_MS, type Scenario } from './scenario.ts';
import type { Story } from './story.ts';

/** From the end of all faults until the bot trades again; a stall or an outage may reach into it. */
const TRADES_AGAIN_MS = 60_000;
/** And then until everything is known of everything. */
const AT_REST_MS = 25_000;
/** From the end of all faults until the orders of what is halted are gone: the heartbeat's lapse would end them later. */
const HALTED_ENDS_MS = 9_000;

export interface EndedLife {
  readonly time: SimulatedClock;
  readonly scenario: Pick<Scenario, 'bot' | 'client' | 'stops'>;
  readonly exchange: ExchangeWorld;
  readonly markets: MarketLife;
  readonly laws: LawBook;
  readonly story: Story;
  readonly hush: Hush;
  /** What is not at rest, in words; the first few. */
  readonly differences: () => readonly string[];
  /** What is wrong with a run that was to end. */
  readonly brokenEnd: (life: BotLife) => string | undefined;
  /** How long the bot may wait for the exchange by itself, on top of all else. */
  readonly waitsMs?: number;
  /** The bot trades again: what is still spoilt is mended. */
  readonly heal?: () => void;
  readonly life: () => BotLife | undefined;
  /** What an operator says. */
  readonly resume: () => void;
  /** Lets time pass, until it is done or a law is broken. */
  readonly runUntil: (limit: number, isDone?: () => boolean) => void;
  /** From now on the bot may end. */
  readonly stopping: () => void;
}

/** The bot must find back to trading, and then know everything. */
export function playEnd(parts: EndedLife): void {
  const { time, scenario, exchange, markets, laws, story, hush, life, runUntil, differences, waitsMs = 0 } = parts;
  const begun = time.now();
  const isTrading = (): boolean => tradesAgain(life(), exchange, time.now());
  haltedEnd(parts);
  if (laws.first !== undefined) return;
  time.at(time.now() + 1_000, () => resume(parts));
  runUntil(time.now() + waitsMs + TRADES_AGAIN_MS, isTrading);
  if (laws.first !== undefined) return;
  if (!isTrading()) return laws.fail('it trades again', inWords(life()));
  parts.heal?.();
  // What a request of the storm was late by is over too: a late arming would come after the clearing at the end, and one
  // that hangs would keep the end from asking what is live.
  const { requestMs = 0 } = scenario.client.timeouts ?? {};
  runUntil(Math.max(time.now() + 1_500, begun + Math.max(2 * LATE_MS, requestMs)));
  hush.isOn = true;
  markets.isStill = true;
  story.tell(() => '## everybody falls silent');
  const silent = time.now();
  runUntil(silent + waitsMs + AT_REST_MS, () => differences().length === 0);
  if (laws.first !== undefined) return;
  const [difference] = differences();
  if (difference !== undefined) return laws.fail('ledger and exchange agree', `${difference}; ${inWords(life())}`);
  laws.lookAtAll(life());
  if (scenario.stops) stop(parts);
}

/** What is halted has no orders where they can be cancelled, soon after a process is there that can do it. */
function haltedEnd({ time, scenario, laws, story, life, runUntil, waitsMs = 0 }: EndedLife): void {
  if (!isOn('halting')) return;
  const isThere = (): boolean => {
    const living = life();
    return living?.isRunning === true && living.process.isAlive && time.now() >= living.process.stalledUntil;
  };
  if (!isThere()) runUntil(time.now() + TRADES_AGAIN_MS, isThere);
  const { requestMs = 0 } = scenario.client.timeouts ?? {};
  const isEnded = (): boolean => laws.liveThoughHalted().length === 0;
  if (!isEnded()) story.count('halted with live orders');
  runUntil(time.now() + waitsMs + HALTED_ENDS_MS + requestMs, isEnded);
  const [order] = laws.liveThoughHalted();
  if (order !== undefined && laws.first === undefined)
    laws.fail('what is halted ends', `order ${order} lives on; ${inWords(life())}`);
}

function resume(parts: EndedLife): void {
  const { time, life } = parts;
  const living = life();
  if (living?.isRunning !== true) return time.at(time.now() + 1_000, () => resume(parts));
  if (living.status().trading !== 'running') parts.resume();
}

/** The run ends in order. */
function stop({ time, scenario, laws, story, runUntil, stopping, brokenEnd, ...parts }: EndedLife): void {
  const life = parts.life();
  if (life === undefined) return;
  stopping();
  story.tell(() => '## the run is to end');
  life.bot.stop('command', 'the simulation is over');
  runUntil(time.now() + scenario.bot.end.deadlineMs + REQUEST_MS, () => life.outcome !== undefined);
  if (laws.first !== undefined) return;
  story.count('run ended');
  const broken = brokenEnd(life);
  if (broken !== undefined) laws.fail('it ends when it is told to', `${broken}; ${inWords(life)}`);
}
