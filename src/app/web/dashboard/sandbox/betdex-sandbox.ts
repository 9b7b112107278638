/** The sandbox that speaks BetDEX's API, as its dashboard shows and commands it. */

import type { Sandbox } from '../../../../sandbox/sandbox.ts';
import { APP_COMMANDS } from './commands/app-commands.ts';
import { COMMON_FAULTS, cutStream, endFaults, type FaultKind, faultCommand } from './commands/fault-commands.ts';
import { MARKET_COMMANDS } from './commands/market-commands.ts';
import type { FaceWords, RequestOption, ShownSandbox } from './commands/shown-sandbox.ts';
import { SandboxSource } from './sandbox-source.ts';

const REQUESTS: readonly RequestOption[] = [
  { value: 'all', label: 'all requests', operations: undefined },
  {
    ...{ value: 'place', label: 'placing orders' },
    operations: ['createOrder', 'createOrders', 'requestOrder', 'requestOrders'],
  },
  {
    ...{ value: 'cancel', label: 'cancelling orders' },
    operations: ['cancelOrder', 'cancelOrders', 'cancelOrdersInFull'],
  },
  { value: 'orders', label: 'reading orders', operations: ['listOrders', 'getOrder', 'getOrderByReference'] },
  {
    ...{ value: 'prices', label: 'reading prices' },
    operations: ['listPrices', 'getMarketPriceBook', 'listMarketPriceRows'],
  },
  { value: 'markets', label: 'reading markets', operations: ['listMarkets', 'getMarket', 'findMarkets'] },
  { value: 'sessions', label: 'opening sessions', operations: ['createSession', 'refreshSession'] },
  { value: 'heartbeats', label: 'heartbeats', operations: ['armHeartbeat', 'getHeartbeat', 'deleteHeartbeat'] },
];

const FAULTS: readonly FaultKind[] = [
  ...COMMON_FAULTS,
  {
    ...{ name: 'orderErrors', title: 'Let orders fail', isOfRequests: false },
    effect: 'Orders are refused one by one, as the exchange does it in the middle of a batch.',
    fields: [],
    body: () => ({ kind: 'orderError' }),
  },
  {
    ...{ name: 'stalePrices', title: 'Freeze prices', isOfRequests: false, fields: [] },
    effect: 'Prices that are read over REST stand still. The stream goes on.',
    body: () => ({ kind: 'stalePrices' }),
  },
];

const COMMANDS = [...MARKET_COMMANDS, ...FAULTS.map(faultCommand), cutStream, endFaults, ...APP_COMMANDS];

export const BETDEX_WORDS: FaceWords = {
  app: 'app',
  isUser: ({ isHouse }) => !isHouse,
  walletName: ({ id }) => id,
  requests: REQUESTS,
  otherRequests: [],
  named: (market) => market,
  orderId: () => undefined,
  noteOf: (reference) => reference,
};

export function betdexSource(sandbox: Sandbox): SandboxSource {
  return new SandboxSource(betdexSandbox(sandbox), COMMANDS);
}

function betdexSandbox({ url, streamUrl, appId, context, control }: Sandbox): ShownSandbox {
  const { registry } = context.world;
  return {
    ...{ url, context, control, words: BETDEX_WORDS },
    facts: [
      { label: 'API', text: url },
      { label: 'stream', text: streamUrl },
      { label: 'demo app', text: appId },
    ],
    sessionsOf: (app, now) =>
      [...registry.sessionByAccess.values()].filter(
        ({ key, accessExpiresAt }) => key.app === app && key.active && accessExpiresAt > now,
      ).length,
  };
}
