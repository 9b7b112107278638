/** One life before the Betfair face: orders that rest, match, shrink and end, a market that turns in play and gets two results. */

import { firstValueFrom, type Observable } from 'rxjs';
import { expect } from 'vitest';
import type { PlaceReplyItem } from '../../../src/exchange/gateway.ts';
import type { WireRequest } from '../../../src/exchange-live/connection/transport.ts';
import type { FeedChoice } from '../../../src/exchange-live/settings.ts';
import { BetfairStage } from '../conformance/betfair-stage.ts';
import { order, Scene, units } from '../conformance/stage.ts';
import type { Struck } from './face-transport.ts';

/** What happens to one request, or to one line of the stream. */
export type Hurt = 'lost before' | 'lost after' | 'cut in the middle' | 'never answered';

export interface HurtAt {
  readonly what: 'call' | 'line';
  readonly index: number;
  readonly hurt: Hurt;
}

/** What was sent and told in a life: the names of calls, and the kinds of messages. */
export interface Lived {
  readonly calls: readonly WireRequest[];
  readonly lines: readonly string[];
}

export async function hurtLife(choice: FeedChoice, at?: HurtAt): Promise<Lived> {
  const calls: WireRequest[] = [];
  const lines: string[] = [];
  const stage = new BetfairStage(choice, (request) => {
    calls.push(request);
    return at?.what === 'call' && at.index === calls.length - 1 ? struck(at.hurt) : undefined;
  });
  stage.line.edit = (line) => {
    lines.push(line);
    return at?.what === 'line' && at.index === lines.length - 1 ? editedLine(stage, line, at.hurt) : line;
  };
  try {
    await new Life(stage, [await stage.market()]).play();
    return { calls, lines };
  } finally {
    await stage.close();
  }
}

const LOST = { kind: 'lost', details: 'the connection was cut' } as const;

function struck(hurt: Hurt): Struck {
  switch (hurt) {
    case 'lost before':
      return { isCarriedOut: false, reply: LOST };
    case 'lost after':
      return { isCarriedOut: true, reply: LOST };
    case 'cut in the middle':
      return { isCarriedOut: true, answer: (text) => text.slice(0, Math.floor(text.length / 2)) };
    case 'never answered':
      return { isCarriedOut: true, reply: 'silence' };
  }
}

/** A line that is lost with its connection, and one of which a half comes. */
function editedLine({ line, clock }: BetfairStage, text: string, hurt: Hurt): string | undefined {
  if (hurt === 'cut in the middle') return text.slice(0, Math.floor(text.length / 2));
  if (hurt === 'lost before') {
    line.cut();
    return undefined;
  }
  clock.schedule(() => line.cut(), 0);
  return text;
}

class Life extends Scene {
  readonly #stage: BetfairStage;
  /** Orders that are known not to exist. */
  readonly #absent = new Set<number>();
  #asked = 0;

  constructor(stage: BetfairStage, markets: ConstructorParameters<typeof Scene>[1]) {
    super(stage, markets);
    this.#stage = stage;
  }

  async play(): Promise<void> {
    const { gateway, market } = this;
    this.#stage.listen();
    await this.stage.until(() => this.messages('market').length > 0, 'the market');
    await this.#placed(1, { price: 3 });
    await this.#placed(2, { price: 3.2 });
    await market.take({ outcome: 0, side: 'For', price: 3, stake: 4 });
    await this.#ask(gateway.heartbeat(60_000));
    await this.#cancelled(2);
    await market.rest({ outcome: 1, side: 'Against', price: 2.5, stake: 5 });
    await this.#placed(3, { outcome: 1, price: 2.5, units: 5 });
    await this.#placed(4, { price: 3, keepWhenInPlay: true, units: 2 });
    const first = this.reports(1).at(-1);
    if (first !== undefined && gateway.reduce !== undefined) await this.#ask(gateway.reduce(first.order, units(1)));
    await market.goInPlay();
    await this.sees(({ inPlayStatus }) => inPlayStatus === 'InPlay', 'play');
    await this.stage.pass(2_000);
    await market.settle(0);
    await this.stage.until(() => this.messages('settled').length > 0, 'the result');
    await market.resettle?.(1);
    await this.stage.until(() => this.messages('settled').length > 1, 'the other result');
    await this.stage.pass(2_000);
    this.#compare();
    await this.#ask(gateway.clearHeartbeat());
  }

  async #ask<T>(asked: Observable<T>): Promise<T> {
    let isOver = false;
    this.#asked += 1;
    const reply = firstValueFrom(asked);
    reply.finally(() => {
      isOver = true;
    });
    // Replies come by promises here: the simulated time goes on until then.
    for (let step = 0; step < 600 && !isOver; step += 1) {
      await this.stage.pass(200);
      await Promise.resolve();
      await Promise.resolve();
    }
    expect(isOver, 'a reply').toBe(true);
    return reply;
  }

  /** Places an order, and waits until it is certain whether it exists. */
  async #placed(client: number, change: Parameters<typeof order>[1]): Promise<void> {
    const reply = await this.#ask(this.gateway.place([order(client, change)]));
    const [item]: readonly (PlaceReplyItem | undefined)[] = reply.kind === 'placed' ? reply.items : [];
    if (reply.kind === 'notPlaced' || item?.kind === 'refused') this.#absent.add(client);
    if (item?.kind === 'accepted') this.#stage.said.push({ kind: 'order', order: item.report });
    const isProven = () => this.messages('absent').some((each) => each.client === client);
    const isKnown = () => this.#absent.has(client) || this.reports(client).length > 0 || isProven();
    await this.stage.until(isKnown, `the fate of order ${client}`);
    if (isProven()) this.#absent.add(client);
  }

  /** Cancels an order until it has ended. */
  async #cancelled(client: number): Promise<void> {
    const known = () => this.reports(client).at(-1);
    for (let tries = 0; tries < 5 && known()?.status === 'Unmatched'; tries += 1) {
      const reply = await this.#ask(this.gateway.cancel([known()?.order ?? 0]));
      for (const report of reply.kind === 'cancelled' ? reply.reports : [])
        this.#stage.said.push({ kind: 'order', order: report });
      await this.stage.pass(2_000);
    }
    if (!this.#absent.has(client)) expect(known()).toMatchObject({ status: 'Cancelled', reason: 'UserRequest' });
  }

  /** What the run knows is what the exchange has: each order once, as it is, and the money that it made. */
  #compare(): void {
    const theirs = this.#stage.ownOrders();
    expect(theirs.map(({ reference }) => reference).sort()).toEqual(
      [...new Set(theirs.map(({ reference }) => reference))].sort(),
    );
    for (const client of [1, 2, 3, 4]) {
      const there = theirs.find(({ reference }) => reference.endsWith(`-${client}`));
      const ours = this.reports(client).at(-1);
      expect(there === undefined, `order ${client} is absent`).toBe(this.#absent.has(client));
      if (there === undefined) continue;
      const { status, stakeVoided, stakeUnmatched } = there;
      expect(ours, `order ${client}`).toMatchObject({ status, stakeVoided, stakeUnmatched });
    }
    const earned = this.messages('settled').reduce((sum, { profit }) => sum + profit, 0);
    expect(earned).toBe(this.#stage.ownBalance() - units(this.stage.balance));
  }
}
