/** The account's documents: identity, funds, details, rates of currencies, statement and heartbeat. */

import { Type } from '@sinclair/typebox';
import { document, flag, integer, maybe, moment, number, text } from '../../../codec/notation.ts';
import { ActionPerformedWord } from '../basics/codes.ts';
import { byName } from '../basics/shapes.ts';

/** The answer to a login with a certificate: the token only where it succeeded. */
export const CertLogin = document('CertLogin', { sessionToken: maybe(text), loginStatus: text });

/** The answer to an interactive login, keepAlive and logout. */
export const IdentityAnswer = document('IdentityAnswer', {
  token: maybe(text),
  product: maybe(text),
  status: text,
  error: maybe(text),
});

export const AccountFundsResponse = document(
  'AccountFundsResponse',
  {
    availableToBetBalance: maybe(number),
    exposure: maybe(number),
    retainedCommission: maybe(number),
    exposureLimit: maybe(number),
    discountRate: maybe(number),
    pointsBalance: maybe(integer),
    wallet: maybe(text),
  },
  { needs: ['availableToBetBalance', 'exposure'] },
);

export const AccountDetailsResponse = document(
  'AccountDetailsResponse',
  {
    currencyCode: maybe(text),
    firstName: maybe(text),
    lastName: maybe(text),
    localeCode: maybe(text),
    region: maybe(text),
    timezone: maybe(text),
    discountRate: maybe(number),
    pointsBalance: maybe(integer),
    countryCode: maybe(text),
  },
  { needs: ['currencyCode'] },
);

export const CurrencyRate = document('CurrencyRate', { currencyCode: maybe(text), rate: maybe(number) });

const StatementItem = document('StatementItem', {
  refId: maybe(text),
  itemDate: moment,
  amount: maybe(number),
  balance: maybe(number),
  itemClass: maybe(text),
  itemClassData: maybe(byName(text)),
});

export const AccountStatementReport = document('AccountStatementReport', {
  accountStatement: Type.Array(StatementItem),
  moreAvailable: flag,
});

export const HeartbeatReport = document(
  'HeartbeatReport',
  {
    actionPerformed: ActionPerformedWord,
    actualTimeoutSeconds: integer,
  },
  { needs: ['actionPerformed', 'actualTimeoutSeconds'] },
);
