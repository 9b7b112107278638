import { describe, expect, test } from 'vitest';
import { Random } from '../../src/core/number/random.ts';
import { instant, money } from '../../src/core/number/units.ts';
import { AGAINST, FOR, type SideIndex } from '../../src/core/side.ts';
import { OrderBook, QueueColumns } from '../../src/matching/book/order-book.ts';
import { Exchange } from '../../src/matching/exchange.ts';
import type { Command, PlaceRequest } from '../../src/matching/messages/command.ts';
import type { ExchangeEvent } from '../../src/matching/messages/event.ts';
import { Crowd } from '../../src/simulator/crowd/crowd.ts';
import { CrowdMarket } from '../../src/simulator/crowd/crowd-market.ts';
import { type CancelHabit, CROWD_PROFILE, type CrowdProfile } from '../../src/simulator/crowd/crowd-profile.ts';
import { FairOdds } from '../../src/simulator/crowd/fair-odds.ts';
import { planLife } from '../../src/simulator/crowd/match-life.ts';
import { openTrader, publishMarket } from '../../tools/crowd/crowd-trader.ts';

const OPENS = instant(1_000_000);
const STARTS = instant(1_600_000);
const ENDS = instant(2_200_000);

interface Lived {
  readonly commands: readonly Command[];
  readonly events: readonly ExchangeEvent[];
  readonly exchange: Exchange;
}

/** A market of three outcomes from its opening to its settlement, with goals and in-play delay. */
function live(seed: number, profile: Partial<CrowdProfile> = {}): Lived {
  const book = new OrderBook(new QueueColumns(), 3);
  const exchange = new Exchange({ liquidityFor: () => book });
  const market = publishMarket(
    exchange,
    {
      outcomes: 3,
      winners: { min: 1, max: 1 },
      crossMatching: false,
      turnsInPlay: true,
      inPlayDelayMs: 5000,
      eventStartAction: 'CancelUnmatchedLiquidity',
      marketLockAction: 'None',
    },
    instant(0),
  );
  const trader = openTrader(exchange, { market, outcomes: 3, overdraft: money(2_000_000_000_000_000), at: instant(0) });
  exchange.events.clear();
  const random = Random.fromSeed(seed);
  const life = planLife(
    { opensAt: OPENS, startsAt: STARTS, endsAt: ENDS, jumpsMean: 4, ending: 'settle' },
    random.fork(),
  );
  const fair = new FairOdds({ weights: [45, 28, 27], winners: 1 });
  const crowd = new Crowd({ trader, profile: { ...CROWD_PROFILE, ...profile }, fair, random: random.fork() });
  const motion = new CrowdMarket({ trader, crowd, life, random: random.fork(), inPlayPace: CROWD_PROFILE.inPlayPace });
  const commands: Command[] = [];
  const events: ExchangeEvent[] = [];
  while (motion.nextAt < Number.POSITIVE_INFINITY) {
    const dueAt = motion.nextAt;
    const command = motion.next(book);
    if (command.at !== dueAt) expect.fail(`announced for ${dueAt}, came at ${command.at}`);
    commands.push(command);
    exchange.apply(command);
    for (let index = 0; index < exchange.events.length; index += 1) {
      const event = exchange.events.read(index);
      motion.onEvent(event);
      events.push(event);
    }
    exchange.events.clear();
  }
  return { commands, events, exchange };
}

function placed(commands: readonly Command[]): PlaceRequest[] {
  return commands.flatMap((command) => (command.kind === 'place' ? command.requests : []));
}

describe('a synthetic market', () => {
  test('gives the same commands for the same seed, and others for another', () => {
    const first = live(1);
    const again = live(1);
    expect(JSON.stringify(again.commands)).toBe(JSON.stringify(first.commands));
    expect(again.exchange.digest()).toBe(first.exchange.digest());
    expect(live(2).exchange.digest()).not.toBe(first.exchange.digest());
  });

  test.each([1, 2, 3])('lives from open to settled, and the exchange refuses nothing (seed %i)', (seed) => {
    const { events, commands, exchange } = live(seed);
    expect(events.filter((event) => event.kind === 'refused' || event.kind === 'orderRefused')).toEqual([]);
    const statuses = events.flatMap((event) => (event.kind === 'marketChanged' ? [event.status] : []));
    expect(statuses[0]).toBe('Open');
    expect(statuses.at(-1)).toBe('Settled');
    expect(events.some((event) => event.kind === 'marketChanged' && event.inPlayStatus === 'InPlay')).toBe(true);
    expect(placed(commands).length).toBeGreaterThan(1000);
    expect(exchange.liquidityOf(0)).toBe(0);
  });

  test('is suspended for its goals, and all of the crowd has left by the time it resumes', () => {
    const { events } = live(4);
    let resting = 0;
    let goals = 0;
    const unmatched = new Map<number, number>();
    for (const event of events) {
      if (event.kind === 'orderAccepted') unmatched.set(event.order, 1);
      if (event.kind === 'orderChanged') unmatched.set(event.order, event.stakeUnmatched);
      if (event.kind !== 'marketChanged' || event.inPlayStatus !== 'InPlay' || event.status !== 'Open') continue;
      resting = [...unmatched.values()].filter((stake) => stake > 0).length;
      if (event.suspended) goals += 1;
      else if (goals > 0) expect(resting).toBe(0);
    }
    expect(goals).toBeGreaterThan(0);
  });

  test('stays in order of time and never lets an order outlive its cancellation', () => {
    const { commands } = live(5);
    for (const [index, command] of commands.entries()) {
      if (command.at < (commands[index - 1]?.at ?? 0)) expect.fail(`command ${index} goes back in time`);
    }
    const cancels = commands.flatMap((command) => (command.kind === 'cancel' ? (command.orders ?? []) : []));
    expect(new Set(cancels).size).toBe(cancels.length);
  });

  test('has stakes in whole hundredths with a heavy tail', () => {
    const stakes = placed(live(6).commands).map((request) => request.stake);
    const least = CROWD_PROFILE.stakeMin;
    expect(stakes.every((stake) => stake % 10_000 === 0 && stake >= least && stake <= CROWD_PROFILE.stakeMax)).toBe(
      true,
    );
    const beyond = (times: number): number => stakes.filter((stake) => stake > least * times).length / stakes.length;
    expect(Math.abs(beyond(2) - 1 / 4)).toBeLessThan(0.04);
    expect(Math.abs(beyond(5) - 1 / 25)).toBeLessThan(0.02);
  });

  test('trades on both sides of every outcome', () => {
    const { commands } = live(7);
    for (const outcome of [0, 1, 2]) {
      for (const side of ['For', 'Against']) {
        const share = placed(commands).filter((order) => order.outcome === outcome && order.side === side).length;
        expect(share / placed(commands).length).toBeGreaterThan(0.13);
      }
    }
  });
});

describe('cancellation habits', () => {
  const PRE_PLAY = { takerShare: 0, blindCancels: false } as const;

  /** For each cancelled order, its place in its level's queue, counted from the oldest, and the queue's length. */
  function cancelledPlaces(habit: CancelHabit): { readonly place: number; readonly length: number }[] {
    const { commands, events } = live(8, { ...PRE_PLAY, cancellations: habit });
    const requests = placed(commands);
    const queues = new Map<string, number[]>();
    const levelByOrder = new Map<number, string>();
    const asked = new Set(commands.flatMap((command) => (command.kind === 'cancel' ? (command.orders ?? []) : [])));
    const places: { place: number; length: number }[] = [];
    for (const event of events) {
      if (event.kind === 'marketChanged' && event.inPlayStatus === 'InPlay') break;
      if (event.kind === 'orderAccepted') {
        const request = requests[event.order];
        if (request === undefined) throw new Error('an accepted order was placed');
        const side: SideIndex = request.side === 'For' ? FOR : AGAINST;
        const level = `${request.outcome}/${side}/${request.tick}`;
        levelByOrder.set(event.order, level);
        queues.set(level, [...(queues.get(level) ?? []), event.order]);
      }
      if (event.kind !== 'orderChanged' || event.stakeUnmatched > 0) continue;
      const level = levelByOrder.get(event.order) ?? '';
      const queue = queues.get(level) ?? [];
      if (asked.has(event.order) && event.stakeVoided > 0) {
        places.push({ place: queue.indexOf(event.order), length: queue.length });
      }
      queues.set(
        level,
        queue.filter((order) => order !== event.order),
      );
    }
    return places.filter(({ length }) => length > 1);
  }

  test('newest-first always cancels the last of a level', () => {
    const places = cancelledPlaces('newest-first');
    expect(places.length).toBeGreaterThan(100);
    expect(places.every(({ place, length }) => place === length - 1)).toBe(true);
  });

  test('oldest-first always cancels the first of a level', () => {
    const places = cancelledPlaces('oldest-first');
    expect(places.length).toBeGreaterThan(100);
    expect(places.every(({ place }) => place === 0)).toBe(true);
  });

  test('uniform cancels from the whole queue alike', () => {
    const places = cancelledPlaces('uniform');
    expect(places.length).toBeGreaterThan(100);
    const mean = places.reduce((sum, { place, length }) => sum + place / (length - 1), 0) / places.length;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.08);
  });
});
