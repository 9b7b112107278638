/** Control endpoints for apps, their keys, commission rates, wallets, and the money in them. */

import { Type } from '@sinclair/typebox';
import { amountFromWire } from '../../betdex/wire/codec/decimals.ts';
import { flag, id, integer, maybe, number, text } from '../../codec/notation.ts';
import { assert, defined } from '../../core/checks/assert.ts';
import type { Money } from '../../core/number/units.ts';
import type { SandboxContext } from '../context/sandbox-context.ts';
import { hashOfSecret } from '../operations/accounts/secret-hash.ts';
import type { AppRecord, WalletRecord } from '../world/records.ts';
import { answered, type ControlProblem, change, controlEndpoint, refused, unknownId } from './control-endpoint.ts';
import { ControlKey, Created, Done } from './control-shapes.ts';
import { findApp, findCurrency, findWallet, isControlProblem, type Lookup } from './find-records.ts';

const PPM_PER_PERCENT = 10_000;

const createApp = controlEndpoint({
  method: 'POST',
  path: '/apps',
  summary: 'Creates an app; without an id it gets one.',
  body: Type.Object({ id: maybe(id), name: maybe(text) }),
  answer: Created,
  operate: ({ context, body }) => {
    const made = body.id ?? newAppId(context);
    return change(context, { kind: 'createApp', id: made, name: body.name ?? made }) ?? answered({ id: made });
  },
});

/** A new app id of twelve characters, like those of the live exchange. */
function newAppId(context: SandboxContext): string {
  return `01${context
    .secret()
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .padEnd(10, '0')
    .slice(0, 10)}`;
}

const createKey = controlEndpoint({
  method: 'POST',
  path: '/apps/{id}/keys',
  summary: 'Creates a key of the app, or of one of its wallets.',
  body: Type.Object({ walletId: maybe(id), name: maybe(text) }),
  answer: ControlKey,
  operate: ({ context, names, path, body }) => {
    const app = findApp({ context, names }, path.id);
    if (isControlProblem(app)) return app;
    const wallet = body.walletId === undefined ? undefined : ownWallet(context, app, body.walletId);
    if (wallet !== undefined && isControlProblem(wallet)) return wallet;
    const secret = context.secret();
    // Names begin with the owner's id: those of one app take none from another.
    const owner = wallet?.id ?? app.id;
    const name = ownName(owner, body.name ?? `control-${context.world.registry.keys.size + 1}`);
    const problem = change(context, {
      kind: 'createKey',
      app: app.app,
      name,
      secretHash: hashOfSecret(secret),
      ...(wallet === undefined ? {} : { wallet: wallet.wallet }),
    });
    return problem ?? answered({ name, secret });
  },
});

function ownName(owner: string, name: string): string {
  return name.startsWith(`${owner}-`) ? name : `${owner}-${name}`;
}

function ownWallet(context: SandboxContext, app: AppRecord, walletId: string): Lookup<WalletRecord> {
  const wallet = findWallet(context, walletId);
  if (isControlProblem(wallet)) return wallet;
  return wallet.app === app.app && wallet.type === 'User' ? wallet : unknownId(`User wallet ${walletId} of ${app.id}`);
}

const deactivateKey = controlEndpoint({
  method: 'POST',
  path: '/keys/{name}/deactivate',
  summary: 'Ends a key and its sessions.',
  answer: Done,
  operate: ({ context, path }) => change(context, { kind: 'deactivateKey', name: path.name }) ?? answered({}),
});

const createRate = controlEndpoint({
  method: 'POST',
  path: '/apps/{id}/commission-rates',
  summary: 'Creates a commission rate, in percent.',
  body: Type.Object({ rate: Type.Number({ minimum: 0, maximum: 100 }), isDefault: Type.Boolean({ default: false }) }),
  answer: Created,
  operate: ({ context, names, path, body: { rate, isDefault } }) => {
    const app = findApp({ context, names }, path.id);
    if (isControlProblem(app)) return app;
    const ratePpm = Math.round(rate * PPM_PER_PERCENT);
    if (ratePpm / PPM_PER_PERCENT !== rate) return refused(400, 'rate: a rate has at most four decimals');
    const problem = change(context, { kind: 'createCommissionRate', app: app.app, ratePpm, isDefault });
    return problem ?? answered({ id: defined(context.world.registry.rates.at(-1), 'a rate was made').id });
  },
});

const balance = Type.Object({ currencyId: id, balance: number, overdraft: maybe(number) });

const createWallet = controlEndpoint({
  method: 'POST',
  path: '/apps/{id}/wallets',
  summary: 'Creates a User wallet with balances and overdrafts.',
  body: Type.Object({
    reference: maybe(text),
    description: maybe(text),
    balances: Type.Array(balance, { default: [] }),
  }),
  answer: Created,
  operate: ({ context, names, path, body: { balances, ...texts } }) => {
    const app = findApp({ context, names }, path.id);
    if (isControlProblem(app)) return app;
    // All balances are checked before anything is created.
    for (const { currencyId, balance: amount, overdraft } of balances) {
      const problem = refuseBalance(context, currencyId, amount, overdraft);
      if (problem !== undefined) return problem;
    }
    const problem = change(context, { kind: 'createWallet', app: app.app, ...texts });
    if (problem !== undefined) return problem;
    const wallet = defined([...context.world.registry.wallets.values()].at(-1), 'a wallet was made');
    for (const given of balances) {
      const failed = fund(context, wallet, given);
      if (failed !== undefined) return failed;
    }
    return answered({ id: wallet.id });
  },
});

function refuseBalance(
  context: SandboxContext,
  currencyId: string,
  amount: number,
  overdraft = 0,
): ControlProblem | undefined {
  const currency = findCurrency(context, currencyId);
  if (isControlProblem(currency)) return currency;
  if (amountOf(amount) === undefined || amountOf(overdraft) === undefined)
    return refused(400, `${currencyId}: ${NO_AMOUNT}`);
  return amount < 0 || overdraft < 0 ? refused(400, `${currencyId}: neither may be negative`) : undefined;
}

function fund(
  context: SandboxContext,
  { wallet }: WalletRecord,
  given: { readonly currencyId: string; readonly balance: number; readonly overdraft?: number },
): ControlProblem | undefined {
  const currency = findCurrency(context, given.currencyId);
  if (isControlProblem(currency)) return currency;
  const at = { wallet, currency: currency.currency };
  const amount = defined(amountOf(given.balance), 'the amount was looked at');
  const paid =
    amount === 0
      ? change(context, { kind: 'command', command: { kind: 'openAccount', ...at } })
      : change(context, { kind: 'command', command: { kind: 'deposit', ...at, amount } });
  if (paid !== undefined || given.overdraft === undefined) return paid;
  const overdraft = defined(amountOf(given.overdraft), 'the overdraft was looked at');
  return change(context, { kind: 'command', command: { kind: 'setOverdraft', ...at, overdraft } });
}

const NO_AMOUNT = 'an amount is at most 1,000,000,000 with six decimals';
const ACCOUNT_UNITS_MAX = 1_000_000_000;

function amountOf(decimal: number): Money | undefined {
  const amount = Math.abs(decimal) > ACCOUNT_UNITS_MAX ? undefined : amountFromWire(decimal);
  return amount?.kind === 'read' ? amount.value : undefined;
}

const MOVES = {
  deposit: 'Pays money in, from nowhere but the System wallet.',
  withdraw: 'Takes available money out.',
  adjust: 'Books a correction: a ManualCredit, or with a negative amount a ManualDebit, even below zero.',
} as const;

function moneyEndpoint(kind: keyof typeof MOVES) {
  return controlEndpoint({
    method: 'POST',
    path: `/wallets/{id}/${kind}`,
    summary: MOVES[kind],
    body: Type.Object({ currencyId: id, amount: number }),
    answer: Done,
    operate: ({ context, path, body }) => {
      const amount = amountOf(body.amount);
      if (amount === undefined) return refused(400, `amount: ${NO_AMOUNT}`);
      return onAccount(context, path.id, body.currencyId, (at) => ({ kind, ...at, amount }));
    },
  });
}

const setOverdraft = controlEndpoint({
  method: 'POST',
  path: '/wallets/{id}/overdraft',
  summary: 'Sets how far the balance may fall below zero.',
  body: Type.Object({ currencyId: id, overdraft: Type.Number({ minimum: 0 }) }),
  answer: Done,
  operate: ({ context, path, body }) => {
    const overdraft = amountOf(body.overdraft);
    if (overdraft === undefined) return refused(400, `overdraft: ${NO_AMOUNT}`);
    return onAccount(context, path.id, body.currencyId, (at) => ({ kind: 'setOverdraft', ...at, overdraft }));
  },
});

type MoneyCommand = Extract<
  Extract<Parameters<typeof change>[1], { kind: 'command' }>['command'],
  { kind: 'deposit' | 'withdraw' | 'adjust' | 'setOverdraft' }
>;

function onAccount(
  context: SandboxContext,
  walletId: string,
  currencyId: string,
  commandOn: (at: { readonly wallet: number; readonly currency: number }) => MoneyCommand,
) {
  const wallet = findWallet(context, walletId);
  if (isControlProblem(wallet)) return wallet;
  const currency = findCurrency(context, currencyId);
  if (isControlProblem(currency)) return currency;
  const command = commandOn({ wallet: wallet.wallet, currency: currency.currency });
  return change(context, { kind: 'command', command }) ?? answered({});
}

const cancelOrders = controlEndpoint({
  method: 'POST',
  path: '/apps/{id}/cancel-orders',
  summary: "Cancels the unmatched stake of all the app's orders; says of how many.",
  answer: Type.Object({ cancelled: integer }, { additionalProperties: false }),
  operate: ({ context, names, path }) => {
    const app = findApp({ context, names }, path.id);
    if (isControlProblem(app)) return app;
    const wallets = [...context.world.registry.wallets.values()].filter((wallet) => wallet.app === app.app);
    const command = { kind: 'cancel', app: app.app, wallets: wallets.map(({ wallet }) => wallet) } as const;
    const changed = context.apply({ at: context.now(), kind: 'command', command });
    assert(changed.kind === 'done', 'an app may cancel its own orders');
    return answered({ cancelled: changed.events.filter(({ kind }) => kind === 'orderChanged').length });
  },
});

const armHeartbeat = controlEndpoint({
  method: 'POST',
  path: '/apps/{id}/heartbeat',
  summary:
    "Arms or refreshes the app's heartbeat with any timeout, so that a test need not wait the API's 10 s for a lapse.",
  body: Type.Object({ timeoutMs: Type.Integer({ minimum: 1, maximum: 300_000 }) }),
  answer: Type.Object({ active: flag, timeoutMs: integer }, { additionalProperties: false }),
  operate: ({ context, names, path, body: { timeoutMs } }) => {
    const app = findApp({ context, names }, path.id);
    if (isControlProblem(app)) return app;
    const problem = change(context, { kind: 'command', command: { kind: 'heartbeat', app: app.app, timeoutMs } });
    if (problem !== undefined) return problem;
    const heartbeat = defined(context.world.exchange.heartbeat(app.app), 'the heartbeat was armed');
    return answered({ active: heartbeat.active, timeoutMs: heartbeat.timeoutMs });
  },
});

export const APP_CONTROL = [
  createApp,
  createKey,
  deactivateKey,
  createRate,
  createWallet,
  moneyEndpoint('deposit'),
  moneyEndpoint('withdraw'),
  moneyEndpoint('adjust'),
  setOverdraft,
  cancelOrders,
  armHeartbeat,
];
