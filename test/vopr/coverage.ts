/** What a range of simulated lives must have met: a simulation that does nothing would find nothing either. */

import { HEARTBEAT_STATES, TRADING_STATES } from '../../src/core/run/trading-state.ts';
import { FACE_FAULTS, FACE_WORLD_FAULTS } from '../support/vopr/betfair/face-faults.ts';
import { WIRE_FAULTS, WORLD_FAULTS } from '../support/vopr/fault-plan.ts';
import { GUESTS } from '../support/vopr/guest-strategies.ts';
import { HARDSHIPS, type Hardship, isOn } from '../support/vopr/hardships.ts';
import { KILLED_AT } from '../support/vopr/scenario.ts';

const PHASES = ['recovering', 'arming', 'trading'];

/** What each hardship must have brought. */
const OF_HARDSHIPS: Readonly<Record<Hardship, readonly string[]>> = {
  pages: ['wire pageBefore', 'wire pageAfter', 'page with 2xx', 'page with 4xx', 'page with 5xx'],
  slow: ['world slowReplies', 'slow answer'],
  halting: ['wire cancelIgnored', 'market shut while halting', 'market reopened', 'halted with live orders'],
  falseEndings: ['world falseEndings', 'falsely told of an end'],
  guests: GUESTS.map((name) => `halted ${name}`),
  pauses: ['clock wrong', 'resume refused by a wrong clock', 'started anew for its clock'],
  stream: [
    ...['lost', 'doubled', 'late', 'overtaken', 'garbled', 'bare'].map((fault) => `stream message ${fault}`),
    ...['stream silent', 'stream slow', 'stream rotated'],
  ],
  dark: [
    ...['listMarkets', 'listPrices', 'listOrders', 'listWallets'].flatMap((operation) =>
      ['serverErrorBefore', 'silentBefore', 'garbled', 'gatewayBefore'].map((fault) => `dark ${operation} ${fault}`),
    ),
    ...['market in play in the dark', 'dark for long'],
  ],
  oddMarket: ['odd market', 'odd market told', 'odd market for long', 'traded beside an odd market'],
  oddWallet: ['odd wallet', 'odd wallet told', 'traded beside an odd wallet'],
  sisters: [
    'first run: kill',
    'first run: pause',
    'first run: goesOn',
    'first run refused',
    'sister start',
    'sister refused',
    'sister kill',
    'sister pause',
    'sister end',
  ],
};
const OF_A_HARDSHIP: ReadonlySet<string> = new Set(Object.values(OF_HARDSHIPS).flat());
const FAULTS = [...WIRE_FAULTS.map((fault) => `wire ${fault}`), ...WORLD_FAULTS.map((fault) => `world ${fault}`)];

/** Every one of these, in as many lives as the test plays. */
export const REACHED: readonly string[] = [
  ...FAULTS.filter((fault) => !OF_A_HARDSHIP.has(fault)),
  ...HARDSHIPS.filter(isOn).flatMap((each) => OF_HARDSHIPS[each]),
  ...PHASES.map((phase) => `phase ${phase}`),
  ...HEARTBEAT_STATES.map((state) => `heartbeat ${state}`),
  ...TRADING_STATES.map((state) => `trading ${state}`),
  ...[...KILLED_AT].map((record) => `killed at ${record}`),
  ...['createOrders', 'cancelOrders', 'armHeartbeat'].flatMap((operation) => [
    `killed before ${operation}`,
    `killed after ${operation}`,
  ]),
  ...['opened', 'suspended', 'in play', 'locked', 'settled', 'resettled', 'voided', 'closed'].map(
    (move) => `market ${move}`,
  ),
  ...['operator halt', 'operator reduceOnly', 'operator resume', 'cancelled while halted', 'deaf for long'],
  ...[
    'stale answer given',
    'notice foreignOrder',
    'killed at a time',
    'started from a compacted journal',
    'run ended',
    'stream message',
  ],
];

export function missing(counts: Readonly<Record<string, number>>): readonly string[] {
  return REACHED.filter((what) => !(counts[what] ?? 0));
}

/** The same at Betfair, in two thousand lives. */
const REACHED_AT_BETFAIR: readonly string[] = [
  ...FACE_FAULTS.map((fault) => `wire ${fault}`),
  ...FACE_WORLD_FAULTS.map((fault) => `world ${fault}`),
  ...PHASES.map((phase) => `phase ${phase}`),
  ...['placeOrders', 'cancelOrders', 'heartbeat'].flatMap((operation) => [
    `killed before ${operation}`,
    `killed after ${operation}`,
  ]),
  ...[
    'trades void',
    'runner withdrawn',
    'runner withdrawn after the result',
    'goal',
    'settled',
    'resettled',
    'voided',
  ].map((move) => `market ${move}`),
  ...['life polled', 'life streamed', 'stream connected', 'partly placed', 'stale answer given', 'slow answer'],
  ...['heartbeat lapsed over orders', 'started from a compacted journal', 'deaf for long', 'run ended'],
];

export function missingAtBetfair(counts: Readonly<Record<string, number>>): readonly string[] {
  return REACHED_AT_BETFAIR.filter((what) => !(counts[what] ?? 0));
}
