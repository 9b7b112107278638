/** The account's operations: details, funds, statement, rates of currencies, heartbeat. */

import { PPM_PER_PERCENT, WALLET } from '../../documents/market-documents.ts';
import { CURRENCIES, POUND, pennyOf } from '../../names/currencies.ts';
import { type Account, fundsOf, termsOf } from '../../state/accounts.ts';
import type { FaceState } from '../../state/face-state.ts';
import { TIME_ZONE } from '../../state/market-facts.ts';
import { exception, type Operate, type Operations, result } from '../shared/operation.ts';

const EXPOSURE_LIMIT = -10_000;

const getAccountDetails: Operate<'getAccountDetails'> = ({ face, account }) =>
  result({
    currencyCode: account.currency,
    firstName: account.username,
    lastName: 'Sandbox',
    localeCode: 'en',
    region: 'GBR',
    timezone: TIME_ZONE,
    discountRate: discountOf(face, account),
    pointsBalance: 0,
    countryCode: 'GB',
  });

/** In percent, as the market's base rate is. */
function discountOf(face: FaceState, { username }: Account): number {
  return termsOf(face, username).discountPpm / PPM_PER_PERCENT;
}

/** The exposure is sent below zero, and so is its limit (profile section 2). */
const getAccountFunds: Operate<'getAccountFunds'> = ({ face, world, account }) => {
  const { available, exposure } = fundsOf(world, account);
  return result({
    availableToBetBalance: available,
    exposure: exposure === 0 ? 0 : -exposure,
    retainedCommission: 0,
    exposureLimit: EXPOSURE_LIMIT,
    discountRate: discountOf(face, account),
    pointsBalance: 0,
    wallet: WALLET,
  });
};

const listCurrencyRates: Operate<'listCurrencyRates'> = ({ params: { fromCurrency = POUND } }) => {
  const from = pennyOf(fromCurrency);
  if (from === undefined) return exception('INVALID_INPUT_DATA', 'no account has this currency');
  const others = CURRENCIES.filter((currency) => currency !== fromCurrency);
  return result(others.map((currencyCode) => ({ currencyCode, rate: from / (pennyOf(currencyCode) ?? from) })));
};

/** The sandbox keeps no statement in Betfair's words: its ledger is told in the cleared orders. */
const getAccountStatement: Operate<'getAccountStatement'> = () =>
  result({ accountStatement: [], moreAvailable: false });

const SECONDS = { min: 10, max: 300 } as const;

/**
 * Smaller and larger timeouts are adopted as the bounds; 0 ends the heartbeat. A lapse is told once, by the first heartbeat
 * after it (profile section 8).
 */
const heartbeat: Operate<'heartbeat'> = ({ face, world, account: { app }, params }) => {
  const { context } = face;
  const known = world.exchange.heartbeat(app);
  const actionPerformed = known?.active === false ? 'ALL_BETS_CANCELLED' : 'NONE';
  const seconds = Math.min(SECONDS.max, Math.max(SECONDS.min, params.preferredTimeoutSeconds));
  const isEnd = params.preferredTimeoutSeconds <= 0;
  const command = isEnd
    ? ({ kind: 'deleteHeartbeat', app } as const)
    : ({ kind: 'heartbeat', app, timeoutMs: seconds * 1_000 } as const);
  context.apply({ at: context.now(), kind: 'command', command });
  return result({ actionPerformed, actualTimeoutSeconds: isEnd ? 0 : seconds });
};

export const ACCOUNT = {
  getAccountDetails,
  getAccountFunds,
  listCurrencyRates,
  getAccountStatement,
  heartbeat,
} satisfies Partial<Operations>;
