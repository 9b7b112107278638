/** Asks the exchange, which sees the runs of all machines, whether the heartbeat is free for this run. */

import type { Exchange, ExchangeIdentity } from '../../../exchange-live/adapter/exchange.ts';
import type { RunJournal } from '../../../journal/run-journal.ts';
import { CliError } from '../../cli/cli-error.ts';
import type { RunOptions } from '../../run/run-options.ts';
import { untilAborted } from '../link/wait-out.ts';
import type { DaemonHooks } from '../process/daemon-hooks.ts';
import { stateOf } from './run-journal.ts';

export interface HeartbeatCheck {
  readonly exchange: Exchange;
  readonly options: RunOptions;
  readonly hooks: DaemonHooks;
  readonly journal: RunJournal;
}

/**
 * False if the signal came first. A heartbeat that is active and not this run's is watched until it lapses, or until another run
 * refreshes it, which is an error.
 * @throws CliError HEARTBEAT_OWNED, EXCHANGE_UNREACHABLE
 */
export async function isHeartbeatOurs({ exchange, options, hooks, journal }: HeartbeatCheck): Promise<boolean> {
  const { signal, log } = hooks;
  if (signal.aborted) return false;
  if (options.mode === 'paper') return true;
  const before = stateOf(journal)?.heartbeat;
  log.info('heartbeat', `whether another run of the ${exchange.identity.owner.kind} keeps its heartbeat is looked at`);
  const wallets = options.wallets.map(({ id }) => id);
  const verdict = await untilAborted(exchange.heartbeatOwner({ wallets, before }), signal);
  if (verdict === undefined) return false;
  if (verdict.kind === 'owned') throw owned(exchange.identity, verdict.lastSeenAt);
  if (verdict.kind === 'free') return true;
  throw new CliError({
    code: 'EXCHANGE_UNREACHABLE',
    what: `The ${exchange.identity.owner.kind}’s heartbeat cannot be read.`,
    where: exchange.identity.url,
    why: `${verdict.code} ${verdict.details}`,
    next: 'Check that the exchange is up.',
  });
}

function owned({ url, owner: { kind, name } }: ExchangeIdentity, lastSeenAt: string): CliError {
  return new CliError({
    code: 'HEARTBEAT_OWNED',
    what: `Another run of this ${kind} is at work: it refreshes the ${kind}’s heartbeat.`,
    where: `${url}, ${kind} ${name}`,
    why: `The exchange heard it at ${lastSeenAt}, and it was not this run. The exchange keeps one heartbeat an ${kind}: each of two runs would vouch for the other’s orders, or take the watch off them.`,
    next: `Stop that one first (it may be on another machine), put its strategies and wallets into one configuration, or give this run an ${kind} of its own.`,
  });
}
