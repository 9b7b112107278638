/** Sets up a trader in an exchange, and where needed a market to trade on. */

import { defined } from '../../src/core/checks/assert.ts';
import type { Instant, Money } from '../../src/core/number/units.ts';
import type { Command, MarketTerms } from '../../src/matching/messages/command.ts';
import type { ExchangeEvent } from '../../src/matching/messages/event.ts';
import type { CrowdTrader } from '../../src/simulator/crowd/crowd.ts';

/** The one currency of synthetic exchanges. */
const CROWD_CURRENCY = 0;

/** The part of the exchange machine that is needed to trade on it. */
export interface TradingMachine {
  apply(command: Command): void;
  readonly events: { readonly length: number; read(index: number): ExchangeEvent };
}

/** Creates an app with a wallet that may go into debt by `overdraft`. */
export function openTrader(
  machine: TradingMachine,
  options: { readonly market: number; readonly outcomes: number; readonly overdraft: Money; readonly at: Instant },
): CrowdTrader {
  const { market, outcomes, overdraft, at } = options;
  const app = lastAfter(machine, { at, kind: 'createApp' }, 'appCreated').app;
  const wallet = lastAfter(machine, { at, kind: 'createWallet', app }, 'walletCreated').wallet;
  machine.apply({ at, kind: 'openAccount', wallet, currency: CROWD_CURRENCY });
  machine.apply({ at, kind: 'setOverdraft', wallet, currency: CROWD_CURRENCY, overdraft });
  return { app, wallet, market, outcomes };
}

/** Creates and publishes a market that is not yet open, in an event of its own; returns its id. */
export function publishMarket(
  machine: TradingMachine,
  terms: Omit<MarketTerms, 'app' | 'event' | 'currency'>,
  at: Instant,
): number {
  const app = lastAfter(machine, { at, kind: 'createApp' }, 'appCreated').app;
  const event = lastAfter(machine, { at, kind: 'createEvent', app }, 'eventCreated').event;
  machine.apply({ at, kind: 'setEventActive', event, active: true });
  const created: Command = { at, kind: 'createMarket', app, event, currency: CROWD_CURRENCY, ...terms };
  const { market } = lastAfter(machine, created, 'marketCreated');
  machine.apply({ at, kind: 'publish', market, published: true });
  return market;
}

function lastAfter<Kind extends ExchangeEvent['kind']>(
  machine: TradingMachine,
  command: Command,
  kind: Kind,
): Extract<ExchangeEvent, { readonly kind: Kind }> {
  machine.apply(command);
  let found: Extract<ExchangeEvent, { readonly kind: Kind }> | undefined;
  for (let index = machine.events.length - 1; index >= 0 && found === undefined; index -= 1) {
    const event = machine.events.read(index);
    if (isKind(event, kind)) found = event;
  }
  return defined(found, `the exchange answers ${command.kind} with ${kind}`);
}

function isKind<Kind extends ExchangeEvent['kind']>(
  event: ExchangeEvent,
  kind: Kind,
): event is Extract<ExchangeEvent, { readonly kind: Kind }> {
  return event.kind === kind;
}
