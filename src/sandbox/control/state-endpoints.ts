/** Control endpoints that show the whole sandbox: its health, its apps and wallets. */

import { Type } from '@sinclair/typebox';
import { instantToWire } from '../../codec/instants.ts';
import { document, flag, id, integer, maybe, moment, number, text } from '../../codec/notation.ts';
import { type Money, moneyToDecimal } from '../../core/number/units.ts';
import { answered, controlEndpoint } from './control-endpoint.ts';

const Health = document('ControlHealth', {
  now: moment,
  digest: text,
  apps: integer,
  wallets: integer,
  events: integer,
  markets: integer,
  sumsOfAllWallets: Type.Array(document('CurrencySum', { currencyId: id, sum: number })),
  brokenLaws: Type.Array(text),
});

const health = controlEndpoint({
  method: 'GET',
  path: '/health',
  summary:
    'Whether every law of conservation holds: the sum of all wallets is zero in every currency, and no law is broken.',
  answer: Health,
  operate: ({ context }) => {
    const { exchange, registry, catalogue } = context.world;
    return answered({
      now: instantToWire(context.now()),
      digest: exchange.digest(),
      apps: registry.apps.length,
      wallets: registry.wallets.size,
      events: catalogue.events.size,
      markets: catalogue.markets.size,
      sumsOfAllWallets: [...catalogue.currencies.values()].map(({ id: currencyId, currency }) => {
        let sum = 0;
        for (const wallet of registry.wallets.keys()) sum += exchange.account(wallet, currency)?.balance ?? 0;
        return { currencyId, sum: moneyToDecimal(sum as Money) };
      }),
      brokenLaws: exchange.brokenLaws(),
    });
  },
});

const ControlApp = document('ControlApp', {
  id,
  name: text,
  house: flag,
  wallets: Type.Array(document('ControlWallet', { id, type: text, reference: maybe(text) })),
  keys: Type.Array(document('ControlKeySummary', { name: text, active: flag, walletId: maybe(id) })),
});

const listApps = controlEndpoint({
  method: 'GET',
  path: '/apps',
  summary: 'All apps, with their wallets and the names of their keys.',
  answer: Type.Object({ apps: Type.Array(ControlApp) }, { additionalProperties: false }),
  operate: ({ context }) => {
    const { apps, wallets, keys } = context.world.registry;
    return answered({
      apps: apps.map(({ app, id: appId, name, isHouse }) => ({
        id: appId,
        name,
        house: isHouse,
        wallets: [...wallets.values()]
          .filter((wallet) => wallet.app === app)
          .map(({ id: walletId, type, reference }) => ({
            id: walletId,
            type,
            ...(reference === undefined ? {} : { reference }),
          })),
        keys: [...keys.values()]
          .filter((key) => key.app === app)
          .map(({ name: keyName, active, wallet }) => {
            const walletId = wallet === undefined ? undefined : wallets.get(wallet)?.id;
            return { name: keyName, active, ...(walletId === undefined ? {} : { walletId }) };
          }),
      })),
    });
  },
});

export const STATE_CONTROL = [health, listApps];
