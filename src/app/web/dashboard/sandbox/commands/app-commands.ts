/** Commands for the apps of a sandbox's users: their orders, heartbeats, money and keys. */

import { moneyToDecimal } from '../../../../../core/number/units.ts';
import { isLive } from '../../../../../core/order.ts';
import type { CommandOption } from '../../../../../pages/panels.ts';
import type { AppRecord } from '../../../../../sandbox/world/records.ts';
import { amount as amountText, plural } from '../../../../../words/numbers.ts';
import { appIdOf, choice, offerOf, type SandboxCommand, userApps } from './sandbox-command.ts';
import type { ShownSandbox } from './shown-sandbox.ts';

const GROUP = 'Apps';

export const cancelOrders: SandboxCommand = {
  name: 'cancelOrders',
  offer: ({ sandbox }) =>
    offerOf({
      ...{ name: 'cancelOrders', title: 'Cancel all orders', tone: 'warn', group: GROUP, word: 'cancel' },
      effect: 'Of one owner: its unmatched stake is cancelled, once. It may place new orders at once.',
      off: userApps(sandbox).length === 0 ? 'There is nobody.' : undefined,
      fields: [choice('app', sandbox.words.app, userApps(sandbox))],
    }),
  request: (_, { app = '' }) => ({
    method: 'POST',
    path: '/apps/{id}/cancel-orders',
    parameters: { id: app },
    body: {},
  }),
  progress: ({ sandbox }, { app = '' }, answer) => {
    const live = liveOrders(sandbox, app);
    const cancelled = plural(Number(answer['cancelled']), 'order');
    return { isDone: true, proof: `${cancelled} cancelled, ${plural(live, 'order')} of ${app} live now` };
  },
};

const lapse: SandboxCommand = {
  name: 'lapse',
  offer: ({ sandbox }) => {
    const options = userApps(sandbox).filter(({ value }) => heartbeatOf(sandbox, value)?.active === true);
    return offerOf({
      ...{ name: 'lapse', title: 'Lapse a heartbeat', tone: 'bad', group: GROUP, word: 'lapse' },
      effect:
        'The orders of the app are cancelled, and new ones refused until it takes its heartbeat away and arms a new one.',
      off: options.length === 0 ? 'No app has a heartbeat that is active.' : undefined,
      fields: [choice('app', 'app', options)],
    });
  },
  request: (_, { app = '' }) => ({
    ...{ method: 'POST', path: '/apps/{id}/heartbeat', parameters: { id: app } },
    body: { timeoutMs: 1 },
  }),
  progress: ({ sandbox }, { app = '' }) => {
    const isActive = heartbeatOf(sandbox, app)?.active === true;
    return {
      isDone: !isActive,
      proof: `the heartbeat of ${app} is ${isActive ? 'active' : 'lapsed'}, ${plural(liveOrders(sandbox, app), 'order')} live`,
    };
  },
};

const MOVES = {
  deposit: ['Pay in', 'Into a wallet, from nowhere.', 'good', ''],
  withdraw: ['Take out', 'Available money of a wallet.', 'warn', ''],
} as const;

export function moneyCommand(kind: keyof typeof MOVES): SandboxCommand {
  const [title, effect, tone, word] = MOVES[kind];
  return {
    name: kind,
    offer: ({ sandbox }) =>
      offerOf({
        ...{ name: kind, title, effect, tone, word, group: GROUP },
        off: accounts(sandbox).length === 0 ? 'There is no wallet.' : undefined,
        fields: [
          choice('account', sandbox.words.app === 'app' ? 'wallet' : 'account', accounts(sandbox)),
          { kind: 'number', name: 'amount', label: 'amount', least: 0.01, most: 1_000_000, decimals: 2, first: '100' },
        ],
      }),
    request: (_, { account = '', amount }) => {
      const [walletId = '', currencyId = ''] = account.split(' ');
      const body = { currencyId, amount: Number(amount) };
      return { method: 'POST', path: `/wallets/{id}/${kind}`, parameters: { id: walletId }, body };
    },
    progress: ({ sandbox }, { account = '' }) => ({
      isDone: true,
      proof: accounts(sandbox).find(({ value }) => value === account)?.label ?? account,
    }),
  };
}

const endKey: SandboxCommand = {
  name: 'endKey',
  offer: ({ sandbox }) => {
    const { keys, apps } = sandbox.context.world.registry;
    const options = [...keys.values()]
      .filter(({ active, app }) => active && apps[app]?.isHouse === false)
      .map(({ name, app }) => ({ value: name, label: `${name} (${apps[app]?.id ?? ''})` }));
    return offerOf({
      ...{ name: 'endKey', title: 'End an API key', tone: 'bad', group: GROUP, word: 'end' },
      effect: 'The key and its sessions hold no more: requests get 401, streams are closed. No way back.',
      off: options.length === 0 ? 'No app has a key.' : undefined,
      fields: [choice('apiKey', 'key', options)],
    });
  },
  request: (_, { apiKey = '' }) => ({ method: 'POST', path: '/keys/{name}/deactivate', parameters: { name: apiKey } }),
  progress: ({ sandbox }, { apiKey = '' }) => {
    const isActive = sandbox.context.world.registry.keys.get(apiKey)?.active === true;
    return { isDone: !isActive, proof: `the key ${apiKey} is ${isActive ? 'active' : 'ended'}` };
  },
};

export const APP_COMMANDS: readonly SandboxCommand[] = [
  cancelOrders,
  lapse,
  moneyCommand('deposit'),
  moneyCommand('withdraw'),
  endKey,
];

function appOf({ context, control }: ShownSandbox, id: string): AppRecord | undefined {
  return control.names.app(id, context.world);
}

function heartbeatOf(sandbox: ShownSandbox, appId: string) {
  const app = appOf(sandbox, appId);
  return app && sandbox.context.world.exchange.heartbeat(app.app);
}

function liveOrders(sandbox: ShownSandbox, appId: string): number {
  const app = appOf(sandbox, appId);
  const { exchange } = sandbox.context.world;
  let live = 0;
  for (const market of exchange.marketIds())
    for (const order of exchange.ordersOfMarket(market)) if (order.app === app?.app && isLive(order.status)) live += 1;
  return live;
}

/** The accounts of users' wallets: `wallet currency`. */
function accounts(sandbox: ShownSandbox): readonly CommandOption[] {
  const { context, words } = sandbox;
  const { exchange, registry, catalogue } = context.world;
  return [...registry.wallets.values()]
    .filter(({ type, app }) => type === 'User' && words.isUser(registry.app(app)))
    .flatMap((record) =>
      (exchange.wallet(record.wallet)?.accounts ?? []).map(({ currency, balance }) => {
        const currencyId = catalogue.currencyId(currency);
        const owner = words.walletName(record) || appIdOf(sandbox, record.app);
        const label = `${owner}: ${amountText(moneyToDecimal(balance))} ${currencyId}`;
        return { value: `${record.id} ${currencyId}`, label };
      }),
    );
}
