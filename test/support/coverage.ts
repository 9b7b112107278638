/** Counts what a run of commands reached, so that a test can prove that it was not idle. */

import { CANCELLATION_REASONS, ORDER_ERROR_CODES, ORDER_STATUSES } from '../../src/core/order.ts';
import { TRANSACTION_CODES } from '../../src/core/transaction.ts';
import type { Command } from '../../src/matching/messages/command.ts';
import { COMMAND_REFUSALS, type ExchangeEvent } from '../../src/matching/messages/event.ts';
import type { OracleOrder, World } from './oracle/world.ts';

const EVENT_KINDS: readonly ExchangeEvent['kind'][] = [
  'refused',
  'appCreated',
  'commissionRateCreated',
  'walletCreated',
  'accountOpened',
  'overdraftSet',
  'transaction',
  'eventCreated',
  'eventChanged',
  'marketCreated',
  'marketChanged',
  'outcomeRemoved',
  'marketForgotten',
  'orderAccepted',
  'orderRefused',
  'orderMatched',
  'orderChanged',
  'orderReduced',
  'tradeRepriced',
  'tradeSettled',
  'heartbeatChanged',
  'heartbeatDeleted',
];

/** Codes of the API's catalogue that no command of the machine posts. */
const NEVER_POSTED = ['TradeVoid', 'TradeWin'];
/** A Voided order bears no reason: a reason belongs to Cancelled and Failed ones. */
const NEVER_GIVEN = ['MarketVoided'];

const FEATS = [
  'cross match of For makers',
  'cross match of Against makers',
  'cross match at a price off the ladder',
  'cross match that met two orders of one outcome',
  'cross match with the taker’s own order',
  'cross match under the exact rule',
  'match with one’s own order',
  'taker that ate three orders',
  'fill of a tenth of a stake step',
  'fill of a hundred million',
  'fill at 1.01',
  'fill at 1000',
  'fill at the end of a delay',
  'due work of several orders in one command',
  'dead heat',
  'several winners',
  'delay that waited for the one before it',
  'move in two steps',
  'batch of fifty',
  'balance below zero',
  'settlement that loses more than it held',
  'removal after a settlement',
  'order that was reduced and rests on',
  'order that stays in play since a command',
  'replaced order that matched at once',
  'replaced order whose successor was refused',
  'batch of which all were created together',
  'batch of which none was created, since one was refused',
  'least fill that was reached',
  'least fill that was reached across outcomes',
  'least fill that was not reached',
] as const;
type Feat = (typeof FEATS)[number];

export class Coverage {
  readonly counts = new Map<string, number>();

  /** Everything that a thorough run must have reached. */
  static wanted(): string[] {
    return [
      ...EVENT_KINDS,
      ...ORDER_ERROR_CODES,
      ...COMMAND_REFUSALS,
      ...ORDER_STATUSES.filter((status) => status !== 'Pending').map((status) => `order ${status}`),
      ...CANCELLATION_REASONS.filter((reason) => !NEVER_GIVEN.includes(reason)),
      ...TRANSACTION_CODES.filter((code) => !NEVER_POSTED.includes(code)),
      ...FEATS,
    ];
  }

  /** A book that cross matches was looked at, whether it is crossed. */
  look(): void {
    this.#add('look at a book that cross matches');
  }

  missing(): string[] {
    return Coverage.wanted().filter((name) => !this.counts.has(name));
  }

  count(command: Command, events: readonly ExchangeEvent[], world: World): void {
    this.#add(`command ${command.kind}`);
    if ('step' in command && command.step === 'finish' && events.at(-1)?.kind === 'marketChanged') {
      this.#feat('move in two steps');
    }
    if (command.kind === 'place' && command.requests.length === 50) this.#feat('batch of fifty');
    if (command.kind === 'removeOutcome' && events.some(({ kind }) => kind === 'marketChanged')) {
      this.#feat('removal after a settlement');
    }
    let ends = 0;
    for (const event of events) {
      this.#add(event.kind);
      if (event.kind === 'refused') this.#add(event.reason);
      if (event.kind === 'orderRefused') this.#add(event.code);
      if (event.kind === 'transaction') this.#transaction(event, world);
      if (event.kind === 'orderAccepted') this.#accepted(event, world);
      if (event.kind !== 'orderChanged') continue;
      this.#add(`order ${event.status}`);
      if (event.reason !== undefined) this.#add(event.reason);
      if (event.at < command.at) ends += 1;
    }
    if (ends > 1) this.#feat('due work of several orders in one command');
    this.#settling(command, events, world);
    this.#matching(events, world);
    this.#changing(command, events);
    this.#minFills(command, events, world);
  }

  #changing(command: Command, events: readonly ExchangeEvent[]): void {
    const kinds = new Set(events.map(({ kind }) => kind));
    if (
      command.kind === 'reduce' &&
      events.some((event) => event.kind === 'orderChanged' && event.stakeUnmatched > 0)
    ) {
      this.#feat('order that was reduced and rests on');
    }
    if (command.kind === 'setKeep' && kinds.has('orderChanged')) this.#feat('order that stays in play since a command');
    if (command.kind === 'place' && command.allOrNone === true && command.requests.length > 1) {
      if (kinds.has('orderAccepted')) this.#feat('batch of which all were created together');
      const refused = events.filter(({ kind }) => kind === 'orderRefused').length;
      if (refused > 0 && refused < command.requests.length) {
        this.#feat('batch of which none was created, since one was refused');
      }
    }
    if (command.kind !== 'replace' || !kinds.has('orderChanged')) return;
    if (kinds.has('orderMatched')) this.#feat('replaced order that matched at once');
    if (kinds.has('orderRefused')) this.#feat('replaced order whose successor was refused');
  }

  #minFills(command: Command, events: readonly ExchangeEvent[], world: World): void {
    if (command.kind !== 'place') return;
    for (const event of events) {
      const order = event.kind === 'orderChanged' ? world.orders[event.order] : undefined;
      if (event.kind !== 'orderChanged' || order?.minFill === undefined) continue;
      if (order.trades.some(({ part }) => part === 'cross taker')) {
        this.#feat('least fill that was reached across outcomes');
      }
      this.#feat(event.status === 'Matched' ? 'least fill that was reached' : 'least fill that was not reached');
    }
  }

  #settling(command: Command, events: readonly ExchangeEvent[], world: World): void {
    if (command.kind !== 'settle' && command.kind !== 'resettle') return;
    if (!events.some((event) => event.kind === 'tradeSettled')) return;
    const places = command.places ?? world.markets[command.market]!.terms.winners.max;
    if (command.winners.length > places) this.#feat('dead heat');
    else if (command.winners.length > 1) this.#feat('several winners');
  }

  #accepted({ order, at, due }: Extract<ExchangeEvent, { kind: 'orderAccepted' }>, world: World): void {
    if (due === undefined) return;
    if (due > at + world.orders[order]!.market.delayMs) this.#feat('delay that waited for the one before it');
  }

  #transaction(event: Extract<ExchangeEvent, { kind: 'transaction' }>, world: World): void {
    this.#add(event.code);
    const wallet = world.wallets[event.wallet]!;
    if (wallet.type !== 'User') return;
    const account = wallet.accounts.find(({ currency }) => currency === event.currency)!;
    if (account.balance < 0n) this.#feat('balance below zero');
    if (event.code === 'MarketPositionPayout' && event.amount < 0)
      this.#feat('settlement that loses more than it held');
  }

  /** A taker's fill follows the fills of the makers it met. */
  #matching(events: readonly ExchangeEvent[], world: World): void {
    const consumed = new Map<number, number>();
    let makers: OracleOrder[] = [];
    for (const event of events) {
      if (event.kind !== 'orderMatched') continue;
      this.#fill(event);
      const order = world.orders[event.order]!;
      const { part } = order.trades.find((trade) => trade.id === event.trade)!;
      if (part === 'maker' || part === 'cross maker') {
        makers.push(order);
        continue;
      }
      consumed.set(order.id, (consumed.get(order.id) ?? 0) + makers.length);
      if ((consumed.get(order.id) ?? 0) >= 3) this.#feat('taker that ate three orders');
      if (order.due !== undefined) this.#feat('fill at the end of a delay');
      const own = makers.some((maker) => maker.wallet === order.wallet);
      if (part === 'taker' && own) this.#feat('match with one’s own order');
      if (part === 'cross taker') this.#cross({ order, makers, own, price: event.price }, world);
      makers = [];
    }
  }

  #cross(deal: { order: OracleOrder; makers: OracleOrder[]; own: boolean; price: number }, world: World): void {
    this.#feat(deal.order.isFor ? 'cross match of For makers' : 'cross match of Against makers');
    if (deal.price % 10 !== 0) this.#feat('cross match at a price off the ladder');
    if (deal.own) this.#feat('cross match with the taker’s own order');
    if (world.rules.crossMatching === 'exact') this.#feat('cross match under the exact rule');
    const outcomes = deal.makers.map(({ outcome }) => outcome);
    if (new Set(outcomes).size < outcomes.length) this.#feat('cross match that met two orders of one outcome');
  }

  #fill({ stake, price }: Extract<ExchangeEvent, { kind: 'orderMatched' }>): void {
    if (stake < 100) this.#feat('fill of a tenth of a stake step');
    if (stake >= 1e14) this.#feat('fill of a hundred million');
    if (price === 1010) this.#feat('fill at 1.01');
    if (price === 1_000_000) this.#feat('fill at 1000');
  }

  #feat(feat: Feat): void {
    this.#add(feat);
  }

  #add(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }
}
