/** A sandbox at a glance: what is traded, whose money it is, which faults are in force, and who is connected. */

import { type Money, moneyToDecimal } from '../../../../core/number/units.ts';
import { isLive } from '../../../../core/order.ts';
import type { TransactionCode } from '../../../../core/transaction.ts';
import type { AccountView } from '../../../../matching/state/views.ts';
import type { AccountRow, ClientRow, ExchangePanel } from '../../../../pages/exchange-panel.ts';
import type { AppRecord, WalletRecord } from '../../../../sandbox/world/records.ts';
import { amount, count, plural } from '../../../../words/numbers.ts';
import { stateWords } from '../shown/shown-rows.ts';
import { faultRow } from './commands/fault-words.ts';
import { appIdOf } from './commands/sandbox-command.ts';
import type { ShownSandbox } from './commands/shown-sandbox.ts';
import { marketRow, type SandboxView, tradedIn } from './sandbox-markets.ts';
import type { UserOrders } from './user-orders.ts';

interface ExchangeParts {
  readonly sandbox: ShownSandbox;
  readonly view: SandboxView;
  readonly startedAt: number;
}

const MARKETS_SHOWN = 8;

export function exchangePanel({ sandbox, view, startedAt }: ExchangeParts): ExchangePanel {
  const { control, facts, words } = sandbox;
  const { world, users, now } = view;
  const { catalogue, exchange } = world;
  const markets = [...catalogue.markets.values()].flatMap((record) => {
    const market = exchange.market(record.market);
    return market === undefined
      ? []
      : [{ record, traded: tradedIn(market), isOpen: stateWords(market).tone === 'good' }];
  });
  const open = markets.filter(({ isOpen }) => isOpen).length;
  const live = users.all(now).filter(({ status }) => isLive(status)).length;
  return {
    page: 'exchange',
    figures: [
      { label: 'traded', text: amount(markets.reduce((sum, { traded }) => sum + traded, 0)) },
      { label: 'markets', text: `${count(open)} open of ${count(markets.length)}` },
      { label: 'users’ live orders', text: count(live) },
      { label: 'connected', text: plural(control.connections().length, 'stream') },
    ],
    appNoun: words.app,
    accounts: accountsOf(sandbox, users, now),
    faults: control.faults().map((fault) => faultRow(sandbox, fault)),
    clients: clientsOf(sandbox, now),
    markets: markets
      .sort((a, b) => b.traded - a.traded)
      .slice(0, MARKETS_SHOWN)
      .map(({ record }) => marketRow(view, record)),
    facts: [...facts, { label: 'running for', at: startedAt }],
  };
}

function accountsOf(sandbox: ShownSandbox, users: UserOrders, now: number): readonly AccountRow[] {
  const { exchange, registry } = sandbox.context.world;
  const orders = users.all(now).filter(({ status }) => isLive(status));
  return [...registry.wallets.values()]
    .filter(
      ({ wallet, type, app }) =>
        type === 'User' && registry.keepsHistory(wallet) && sandbox.words.isUser(registry.app(app)),
    )
    .flatMap((record) => {
      const liveOrders = orders.filter(({ wallet }) => wallet === record.wallet).length;
      const accounts = exchange.wallet(record.wallet)?.accounts ?? [];
      return accounts.map((account) => ({ ...accountRow(sandbox, record, account), liveOrders }));
    });
}

/** What matched bets can lose was moved into the escrow of their market, and is still the user’s until the result. */
function accountRow(
  sandbox: ShownSandbox,
  record: WalletRecord,
  { currency, balance, balanceAvailable }: AccountView,
): Omit<AccountRow, 'liveOrders'> {
  const { wallet, app, transactions } = record;
  const { exchange, catalogue } = sandbox.context.world;
  let escrow = 0;
  for (const market of exchange.marketIds())
    if (exchange.market(market)?.currency === currency) escrow += exchange.position(wallet, market)?.matched ?? 0;
  let paidIn = 0;
  for (const posting of transactions)
    if (posting.currency === currency && MOVED.has(posting.code)) paidIn += posting.amount;
  const [cash, free] = [cents(balance + escrow), cents(balanceAvailable)];
  return {
    wallet: sandbox.words.walletName(record),
    app: appIdOf(sandbox, app),
    currency: catalogue.currencyId(currency),
    cash: cash / 100,
    atRisk: (cash - free) / 100,
    free: free / 100,
    profit: moneyToDecimal((balance + escrow - paidIn) as Money),
  };
}

/** Transactions that bring money or take it away, and are no result. */
const MOVED: ReadonlySet<TransactionCode> = new Set([
  'Deposit',
  'Withdrawal',
  'WalletToWallet',
  'ManualDebit',
  'ManualCredit',
]);

function cents(micros: number): number {
  return Math.round(micros / 10_000);
}

function clientsOf({ context, control, words, sessionsOf }: ShownSandbox, now: number): readonly ClientRow[] {
  const { registry, exchange } = context.world;
  const connections = control.connections();
  return registry.apps.filter(words.isUser).map((record: AppRecord) => {
    const { app } = record;
    const heartbeat = exchange.heartbeat(app);
    return {
      app: control.names.appId(record, context.world),
      sessions: sessionsOf(app, now),
      streams: connections.filter((connection) => connection.app === app).map(({ since }) => since),
      heartbeat:
        heartbeat === undefined
          ? { text: 'none', at: undefined, tone: 'plain' }
          : heartbeat.active
            ? { text: 'beats', at: heartbeat.lastSeenAt, tone: 'good' }
            : { text: 'lapsed', at: undefined, tone: 'bad' },
    };
  });
}
