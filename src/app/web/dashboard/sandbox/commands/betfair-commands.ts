/** The commands of a sandbox that speaks Betfair's API: what can befall its markets, requests, streams and sessions. */

import { MESSAGES } from '../../../../../sandbox-betfair/control/betfair-faults.ts';
import { plural } from '../../../../../words/numbers.ts';
import { cancelOrders, moneyCommand } from './app-commands.ts';
import { COMMON_FAULTS, cutStream, endFaults, type FaultKind, faultCommand, GROUP } from './fault-commands.ts';
import { MARKET_COMMANDS } from './market-commands.ts';
import { choice, marketOffer, offerOf, type SandboxCommand, userApps } from './sandbox-command.ts';

const codes = (all: readonly string[]) =>
  choice(
    'code',
    'code',
    all.map((value) => ({ value, label: value })),
  );

/** When a request is carried out although its answer says otherwise: the ms after it, as text. */
const acts = choice('acts', 'carried out', [
  { value: 'never', label: 'never' },
  { value: '0', label: 'at once' },
  { value: '10000', label: '10 s later' },
]);
const actsBody = (when = 'never') => (when === 'never' ? {} : { actsAfterMs: Number(when) });

const FAULTS: readonly FaultKind[] = [
  ...COMMON_FAULTS,
  {
    ...{ name: 'reports', title: 'Lose bets in the matcher', isOfRequests: false },
    effect: 'Requests that change bets are answered with TIMEOUT, or fail with a code, whatever became of them.',
    fields: [codes(['TIMEOUT', 'ERROR_IN_MATCHER', 'BET_IN_PROGRESS', 'SERVICE_UNAVAILABLE']), acts],
    body: ({ code, acts: when }) => ({ kind: 'report', ...(code !== 'TIMEOUT' && { code }), ...actsBody(when) }),
  },
  {
    ...{ name: 'exceptions', title: 'Answer with exceptions', isOfRequests: false },
    effect: 'Calls of the APIs are refused with this code.',
    fields: [
      codes(['SERVICE_BUSY', 'UNEXPECTED_ERROR', 'TOO_MANY_REQUESTS', 'TIMEOUT_ERROR', 'INVALID_SESSION_INFORMATION']),
      acts,
    ],
    body: ({ code, acts: when }) => ({ kind: 'error', code, ...actsBody(when) }),
  },
  {
    ...{ name: 'refuseLogins', title: 'Refuse logins', isOfRequests: false },
    effect: 'Logins have this status. Sessions that are open stay.',
    fields: [
      codes(['TEMPORARY_BAN_TOO_MANY_REQUESTS', 'INVALID_USERNAME_OR_PASSWORD', 'ACCOUNT_ALREADY_LOCKED', 'SUSPENDED']),
    ],
    body: ({ code }) => ({ kind: 'error', code, operations: ['certlogin', 'login'] }),
  },
  {
    ...{ name: 'streamErrors', title: 'Refuse streams', isOfRequests: false },
    effect: 'Requests of the stream fail with this code, and their connection is closed.',
    fields: [
      codes(['INVALID_CLOCK', 'MAX_CONNECTION_LIMIT_EXCEEDED', 'CONNECTION_FAILED', 'SUBSCRIPTION_LIMIT_EXCEEDED']),
    ],
    body: ({ code }) => ({ kind: 'error', code }),
  },
  {
    ...{ name: 'silence', title: 'Silence the stream', isOfRequests: false, fields: [] },
    effect: 'Nothing more is sent, no heartbeat either; then all that happened is told.',
    body: () => ({ kind: 'silence' }),
  },
  {
    ...{ name: 'streamLate', title: 'Slow the stream', isOfRequests: false },
    effect: 'Its messages come late, in their order.',
    fields: [{ kind: 'number', name: 'ms', label: 'ms late', least: 1, most: 600_000, decimals: 0, first: '2000' }],
    body: ({ ms }) => ({ kind: 'latency', delayMs: Number(ms), operations: MESSAGES }),
  },
  {
    ...{ name: 'streamStale', title: 'Call the stream late', isOfRequests: false, fields: [] },
    effect: 'Its messages have the status 503: the data may be late.',
    body: () => ({ kind: 'status', status: 503, operations: MESSAGES }),
  },
];

const goal: SandboxCommand = {
  name: 'goal',
  offer: (place) => {
    const { market: record, sandbox } = place;
    const market = record && sandbox.context.world.exchange.market(record.market);
    if (record === undefined || market === undefined) return undefined;
    return marketOffer(place, record, {
      ...{ name: 'goal', title: 'Goal', tone: 'warn', group: 'Market' },
      effect: 'It is suspended, what was not matched lapses, and it is open again after these seconds.',
      off: market.status === 'Open' && !market.suspended ? undefined : 'It is not open.',
      fields: [{ kind: 'number', name: 'seconds', label: 'seconds', least: 1, most: 600, decimals: 0, first: '30' }],
    });
  },
  request: ({ market, sandbox }, { seconds }) => ({
    ...{ method: 'POST', path: '/markets/{id}/goal' },
    parameters: { id: market === undefined ? '' : sandbox.control.names.marketId(market) },
    body: { suspendedMs: Number(seconds) * 1_000 },
  }),
  progress: ({ market: record, sandbox }) => {
    const isSuspended =
      record !== undefined && sandbox.context.world.exchange.market(record.market)?.suspended === true;
    return { isDone: true, proof: isSuspended ? 'it is suspended' : 'it is open again' };
  },
};

const endSessions: SandboxCommand = {
  name: 'endSessions',
  offer: ({ sandbox }) =>
    offerOf({
      ...{ name: 'endSessions', title: 'End sessions', tone: 'warn', group: GROUP },
      effect: 'Their next call has INVALID_SESSION_INFORMATION. Streams stay, and a new login is taken.',
      fields: [choice('app', 'account', [{ value: 'all', label: 'all accounts' }, ...userApps(sandbox)])],
    }),
  request: (_, { app }) => ({
    ...{ method: 'POST', path: '/sessions/end' },
    body: app === 'all' ? {} : { appId: app },
  }),
  progress: (_, __, answer) => ({ isDone: true, proof: `${plural(Number(answer['ended']), 'session')} ended` }),
};

export const BETFAIR_COMMANDS: readonly SandboxCommand[] = [
  ...MARKET_COMMANDS,
  goal,
  ...FAULTS.map(faultCommand),
  cutStream,
  endSessions,
  endFaults,
  cancelOrders,
  moneyCommand('deposit'),
  moneyCommand('withdraw'),
];
