/** A sandbox's world on a simulated clock, with a user who may trade in it, and a log of every change. */

import { expect } from 'vitest';
import type { Money } from '../../../src/core/number/units.ts';
import type { TrafficContext } from '../../../src/sandbox/traffic/traffic.ts';
import type { Change, MachineCommand } from '../../../src/sandbox/world/change.ts';
import { type Changed, World } from '../../../src/sandbox/world/world.ts';
import { changeOfText, textOfChange } from '../../../src/sandbox/world-log/world-log-text.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { requestOf, type TestOrder } from '../../support/sandbox/world-builder.ts';

export const NOW = 1_790_000_000_000;

export class TrafficStage {
  readonly clock: SimulatedClock;
  readonly world = new World();
  readonly context: TrafficContext;
  readonly log: Change[] = [];
  readonly bugs: unknown[] = [];
  readonly onBug = (error: unknown): void => {
    this.bugs.push(error);
  };
  app = 0;
  wallet = 0;

  constructor(startMs = NOW) {
    this.clock = new SimulatedClock(startMs);
    const { world, clock } = this;
    this.context = {
      world,
      clock,
      now: () => world.at(clock.now()),
      apply: (change) => {
        const changed = world.apply(change);
        if (changed.kind === 'done') this.log.push(change);
        return changed;
      },
    };
  }

  /** Creates the user and its wallet. */
  settleIn(): this {
    const at = this.context.now();
    this.context.apply({ at, kind: 'createCurrency', id: 'USDC' });
    this.app = idIn(this.context.apply({ at, kind: 'createApp', id: '01user', name: 'User' }), 'appCreated', 'app');
    this.wallet = idIn(this.context.apply({ at, kind: 'createWallet', app: this.app }), 'walletCreated', 'wallet');
    this.command({ kind: 'openAccount', wallet: this.wallet, currency: 0 });
    this.command({ kind: 'deposit', wallet: this.wallet, currency: 0, amount: 1_000_000_000_000 as Money });
    return this;
  }

  /** The world rebuilt from the log alone at a later time, as a restart does. */
  restarted(laterMs: number): TrafficStage {
    const next = new TrafficStage(this.clock.now() + laterMs);
    const kept = this.log.map(textOfChange).map(changeOfText);
    const refused = kept.filter((change) => next.world.apply(change).kind === 'refused');
    expect(refused).toEqual([]);
    expect(next.world.exchange.digest()).toBe(this.world.exchange.digest());
    next.log.push(...this.log);
    Object.assign(next, { app: this.app, wallet: this.wallet });
    return next;
  }

  command(command: MachineCommand): Changed {
    return this.context.apply({ at: this.context.now(), kind: 'command', command });
  }

  /** Places an order of the user; returns its number. */
  place(bet: Omit<TestOrder, 'wallet'>): number {
    const request = requestOf({ wallet: this.wallet, keepWhenInPlay: true, ...bet });
    return idIn(this.command({ kind: 'place', app: this.app, requests: [request] }), 'orderAccepted', 'order');
  }

  /** Checks that nothing threw and that money is conserved. */
  check(): void {
    expect(this.bugs).toEqual([]);
    expect(this.world.exchange.brokenLaws()).toEqual([]);
  }
}

function idIn(changed: Changed, kind: string, key: string): number {
  const event = changed.events.find((each) => each.kind === kind);
  expect(event, JSON.stringify(changed)).toBeDefined();
  return (event as unknown as Record<string, number>)[key] as number;
}
