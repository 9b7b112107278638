/** What goes wrong outside the wire: the machine's clock and its pauses, outages, storms, and programs beside the bot. */

import type { Random } from '../../../src/core/number/random.ts';
import type { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import type { BotProcess } from './bot-process.ts';
import { WORLD_FAULTS, type WorldFault } from './fault-plan.ts';
import type { OutageKind, Weather } from './faulty-wire.ts';
import type { MarketLife } from './market-life.ts';
import type { Scenario } from './scenario.ts';
import type { SimulatedLink } from './simulated-link.ts';
import type { Story } from './story.ts';

export interface WorldFaultParts {
  readonly time: SimulatedClock;
  readonly random: Random;
  readonly scenario: Scenario;
  readonly weather: Weather;
  readonly life: MarketLife;
  readonly story: Story;
  readonly run: string;
  /** The process that lives now. */
  readonly process: () => BotProcess | undefined;
  readonly stream: () => SimulatedLink | undefined;
  /** A process that compares the system's clock with the steady one sees that it was set, or that the machine slept. */
  readonly resyncRequired: (process: BotProcess) => void;
  readonly setClock: (byMs: number) => void;
}

/** Sets a timer for each; what was begun ends by itself. Kills are not among them. */
export function scheduleWorldFaults(parts: WorldFaultParts): void {
  const { time, random, scenario, weather } = parts;
  for (const fault of WORLD_FAULTS) {
    if (fault === 'kill') continue;
    for (let i = 0; i < scenario.faults.world[fault]; i += 1) {
      const own = random.fork();
      time.at(time.now() + random.below(scenario.chaosMs), () => befall(parts, fault, own));
    }
  }
  for (const spell of weather.stream.spells) time.at(time.now() + spell.afterMs, () => parts.stream()?.befall(spell));
  if (scenario.deafMs !== undefined) {
    const { deafMs } = scenario;
    time.at(time.now() + 4_000, () => weather.outages.set('reads', time.now() + deafMs));
  }
  const { dark } = scenario;
  if (dark !== undefined)
    time.at(time.now() + dark.afterMs, () => {
      const until = time.now() + dark.forMs;
      weather.dark = { ...dark, until };
      if (dark.losesCancels) weather.outages.set('cancels', until);
      parts.story.count(`dark ${dark.operation} ${dark.fault}`);
      parts.life.allInPlay();
    });
  if (scenario.flattens) {
    const { chaosMs } = scenario;
    time.at(time.now() + chaosMs - 1_500, () => weather.outages.set('cancels', time.now() + 1_400));
  }
  if (random.chance(0.3)) {
    const from = random.below(scenario.chaosMs);
    const storm = 2 + random.below(6);
    time.at(time.now() + from, () => {
      weather.storm = storm;
    });
    time.at(time.now() + from + 3_000, () => {
      weather.storm = 1;
    });
  }
}

export const OUTAGES: Partial<Readonly<Record<string, OutageKind>>> = {
  outageAll: 'all',
  outageReads: 'reads',
  outageHeartbeat: 'heartbeat',
  outageOrders: 'orders',
  outageCancels: 'cancels',
};

function befall(parts: WorldFaultParts, fault: WorldFault, random: Random): void {
  const { time, weather, story, life } = parts;
  const process = parts.process();
  const outage = OUTAGES[fault];
  if (outage !== undefined) {
    // Longer than any heartbeat, or short.
    const ms = random.chance(0.4) ? 12_000 + random.below(5_000) : 500 + random.below(6_000);
    weather.outages.set(outage, time.now() + ms);
    story.tell(() => `## ${fault} for ${ms} ms`);
  } else if (fault === 'suspensionStorm') return life.suspensionStorm();
  else if (fault === 'stray') return foreignOrder(parts, random);
  else if (fault === 'slowReplies') {
    const operations = random.chance(0.5) ? 'all' : 'prices';
    const [leastMs, spreadMs] = [500 + random.below(6_500), 1 + random.below(2_500)];
    weather.slow = { until: time.now() + 4_000 + random.below(12_000), leastMs, spreadMs, operations };
    story.tell(() => `## answers (${operations}) come ${leastMs} to ${leastMs + spreadMs} ms late`);
  } else if (fault === 'falseEndings') {
    const ms = 300 + random.below(random.chance(0.5) ? 1_500 : 9_000);
    weather.falseUntil = time.now() + ms;
    story.tell(() => `## for ${ms} ms every list of orders says that none lives`);
  } else if (fault === 'streamCut') parts.stream()?.cut(50 + random.below(4_000));
  else if (fault === 'clockForward' || fault === 'clockBack') {
    // A process does not follow a clock that is set: the next one begins with it.
    const ms = random.chance(0.3) ? 20_000 + random.below(3_600_000) : 50 + random.below(6_000);
    parts.setClock(fault === 'clockForward' ? ms : -ms);
    if (process !== undefined) parts.resyncRequired(process);
    story.tell(() => `## the system's clock goes ${fault === 'clockForward' ? 'forward' : 'back'} by ${ms} ms`);
  } else if (process === undefined) return;
  else {
    const ms = random.chance(0.4) ? 11_000 + random.below(6_000) : 100 + random.below(4_000);
    story.tell(() => `## the ${fault === 'stall' ? 'process stands still' : 'machine sleeps'} for ${ms} ms`);
    if (fault === 'stall') process.stall(ms);
    else {
      process.sleep(ms);
      parts.resyncRequired(process);
    }
  }
  story.count(`world ${fault}`);
}

/** A name of another program, none at all, or one that looks almost like ours. */
export function strangersName(run: string, random: Random): string | undefined {
  const names = ['other-1', undefined, `${run}-x`, `${run}-007`, `${run}-`, `${run}2-1`];
  return names[random.below(names.length)];
}

function foreignOrder({ random, life, story, run }: WorldFaultParts, own: Random): void {
  const name = strangersName(run, own);
  const reference = name === undefined ? undefined : `${name}${name === 'other-1' ? random.uint32() : ''}`;
  const order = life.foreignOrder(reference);
  if (order === undefined) return;
  story.count('world stray');
  story.tell(() => `## another program places order ${order + 1} as ${reference}`);
}
