/** The exchange of a kill stage that speaks Betfair's API, over HTTPS and TLS on loopback. */

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ControlClient } from '../../vendor/control-client.ts';
import type { SandboxFacts } from '../../vendor/sandbox-process.ts';
import type { Json } from '../../vendor/vendor-client.ts';
import { readBetfair } from './betfair-books.ts';
import { BetfairPerson } from './betfair-person.ts';
import type { KillExchange } from './kill-exchange.ts';

/** An account is opened with so much, in pounds. */
const BALANCE = 10_000;
const MAKERS_DEPOSIT = 1_000_000;
const REFERENCE_MAX = 32;
const OWNER = { username: 'owner', password: 'the-owners-word', appKey: 'an-app-key' };

export async function openBetfairSide(
  sandbox: Omit<SandboxFacts, 'streamUrl'> & {
    readonly directory: string;
    readonly streamAddress?: string;
    readonly authorityFile?: string;
  },
): Promise<KillExchange> {
  const { url, directory, streamAddress, authorityFile = '' } = sandbox;
  const path = resolve(directory, authorityFile);
  const authority = readFileSync(path, 'utf8');
  const control = new ControlClient({ ...sandbox, authority });
  const owner = await BetfairPerson.of({ url, authority, ...OWNER });
  const maker = await BetfairPerson.of({ url, authority, ...OWNER, username: 'maker' });
  await deposit(control, maker.account, MAKERS_DEPOSIT);
  return {
    ...{ control, owner, maker, balance: BALANCE, currencyId: 'GBP', reduces: true, referenceMax: REFERENCE_MAX },
    crowdTypes: ['MATCH_ODDS', 'WIN'],
    config: `exchange:
  betfair:
    appKey: \${BETFAIR_APP_KEY}
    username: ${OWNER.username}
    password: \${BETFAIR_PASSWORD}
    url: ${url}
    streamUrl: tls://${streamAddress}
    authority: ${path}
wallets: { main: { id: main } }
feeds:
  markets: { mode: stream, rereadMs: 1000 }
  prices: { mode: stream, rereadMs: 1500 }
  orders: { mode: stream, rereadMs: 1000 }
  wallets: { mode: poll, everyMs: 250 }`,
    env: { BETFAIR_APP_KEY: OWNER.appKey, BETFAIR_PASSWORD: OWNER.password },
    books: () => readBetfair(owner, control),
    faultOf,
  };
}

async function deposit(control: ControlClient, account: string, amount: number): Promise<void> {
  const { apps } = await control.call('GET', '/apps');
  const { wallets } = apps.find(({ name }: Json) => name === account);
  await control.call('POST', `/wallets/${wallets[0].id}/deposit`, { currencyId: 'GBP', amount });
}

const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  createOrder: ['placeOrders'],
  createOrders: ['placeOrders'],
  cancelOrders: ['cancelOrders'],
  listOrders: ['listCurrentOrders', 'listClearedOrders', 'ocm'],
  listPrices: ['listMarketBook', 'mcm'],
  listMarkets: ['listMarketCatalogue'],
  getWallet: ['getAccountFunds'],
};
/** A matcher that did not answer in time: so long after it the order is there all the same. */
const LATE_MS = 200;
const PLACING = { operations: ['placeOrders'] };

function faultOf({ operations, code, ...fault }: Json): Json {
  if (fault.kind === 'stalePrices') return { ...fault, kind: 'silence', operations: ['mcm'] };
  if (fault.kind === 'orderError')
    return code === 'SUSPENDED_MARKET'
      ? { ...fault, ...PLACING, kind: 'report', code: 'MARKET_SUSPENDED' }
      : { ...fault, ...PLACING, kind: 'report', reportStatus: 'TIMEOUT', actsAfterMs: LATE_MS };
  const named = new Set<string>((operations ?? []).flatMap((each: string) => OPERATIONS[each] ?? []));
  // A message of the stream that is dropped is no fault of a request.
  if (fault.kind !== 'latency') for (const message of ['ocm', 'mcm']) named.delete(message);
  return { ...fault, operations: [...named] };
}
