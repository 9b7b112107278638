/** The live gateway over a scripted exchange on a simulated clock, with all messages that it emitted. */

import type { StreamLink } from '../../../src/betdex/gateway/base/gateway-context.ts';
import type { GatewaySettings } from '../../../src/betdex/gateway/base/gateway-settings.ts';
import { type RestGatewayParts, restGateway } from '../../../src/betdex/gateway/rest-gateway.ts';
import type { MarketStatus } from '../../../src/core/market.ts';
import { tickOfDecimal } from '../../../src/core/number/ladder.ts';
import { instant, money } from '../../../src/core/number/units.ts';
import type { RunState } from '../../../src/core/run/run-state.ts';
import type { FeedMessage, OrderRequest, PlaceReply } from '../../../src/exchange/gateway.ts';
import type { GatewayNotice } from '../../../src/exchange-live/notice.ts';
import { TIMEOUTS } from '../../../src/exchange-live/settings.ts';
import { SimulatedClock } from '../../../src/time/simulated-clock.ts';
import { ScriptedExchange } from './scripted-exchange.ts';

export const START = Date.UTC(2026, 2, 24, 14);
/** Polls are far apart, so that a test sees its own calls only. */
const RARELY = { kind: 'poll', everyMs: 3_600_000 } as const;

export const SETTINGS: GatewaySettings = {
  appId: 'app-1',
  wallets: ['w-1'],
  currency: 'USDC',
  watch: {},
  referencePrefix: 'run7',
  strategies: ['Scalp it'],
  feeds: { markets: RARELY, prices: RARELY, orders: RARELY, wallets: RARELY },
  timeouts: TIMEOUTS,
};

export interface Timed<T> {
  readonly ms: number;
  readonly said: T;
  /** The market's status when the message was emitted: the market object itself goes on changing. */
  readonly status?: MarketStatus;
}

export function scriptedGateway(
  change: Partial<GatewaySettings> = {},
  stream?: StreamLink,
  inPlayDelay = 0,
  prepare: (exchange: ScriptedExchange) => void = () => {},
  resume?: RunState,
  clocks: Pick<RestGatewayParts, 'skewMs'> = {},
) {
  const clock = new SimulatedClock(instant(START));
  const exchange = new ScriptedExchange(clock);
  exchange.market = { ...exchange.market, inPlayDelay };
  prepare(exchange);
  const settings = { ...SETTINGS, ...change };
  const gateway = restGateway({
    ...{ clock, client: exchange, settings, ...clocks },
    ...(stream === undefined ? {} : { stream }),
    ...(resume === undefined ? {} : { resume }),
  });
  const said: Timed<FeedMessage>[] = [];
  const notices: GatewayNotice[] = [];
  const replies: Timed<PlaceReply>[] = [];
  gateway.notices$.subscribe((notice) => notices.push(notice));
  gateway.feed$.subscribe((message) => {
    const status = message.kind === 'market' ? { status: message.market.status } : {};
    said.push({ ms: clock.now() - START, said: message, ...status });
  });
  clock.runUntil(START + 100);
  return {
    ...{ clock, exchange, gateway, said, notices, replies },
    /** The messages of one kind, with their times. */
    received<K extends FeedMessage['kind']>(kind: K): Timed<Extract<FeedMessage, { kind: K }>>[] {
      return said.filter((each) => each.said.kind === kind) as Timed<Extract<FeedMessage, { kind: K }>>[];
    },
    place(...batch: OrderRequest[]): void {
      gateway.place(batch).subscribe((reply) => replies.push({ ms: clock.now() - START, said: reply }));
    },
    /** Runs until this many ms after the start. */
    until(ms: number): void {
      clock.runUntil(START + ms);
    },
  };
}

export function request(client: number, change: Partial<OrderRequest> = {}): OrderRequest {
  const tick = tickOfDecimal(2);
  if (tick === undefined) throw new Error('2 is on the ladder');
  return {
    ...{ client, strategy: 0, wallet: 0, market: 0, outcome: 0, side: 'For', tick, stake: money(10e6) },
    ...{ keepWhenInPlay: false, matchBehavior: 'RetainUnmatched' },
    ...change,
  };
}
