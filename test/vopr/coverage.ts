/** What a range of simulated lives must have met: a simulation that does nothing would find nothing either. */

import { HEARTBEAT_STATES, TRADING_STATES } from '../../src/core/trading-state.ts';
import { WIRE_FAULTS, WORLD_FAULTS } from '../support/vopr/fault-plan.ts';
import { KILLED_AT } from '../support/vopr/scenario.ts';

const PHASES = ['recovering', 'arming', 'trading'];

/** Every one of these, in as many lives as the test plays. */
export const REACHED: readonly string[] = [
  ...WIRE_FAULTS.map((fault) => `wire ${fault}`),
  ...WORLD_FAULTS.map((fault) => `world ${fault}`),
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
  ...['stale answer given', 'notice stray', 'killed at a time', 'run ended', 'stream message'],
];

export function missing(counts: Readonly<Record<string, number>>): readonly string[] {
  return REACHED.filter((what) => !(counts[what] ?? 0));
}
