/** Asks the exchange, which sees the runs of all machines, whether the app's heartbeat is free for this run. */

import type { RestClient } from '../../../betdex/client/rest-client.ts';
import { heartbeatFor } from '../../../betdex/gateway/base/heartbeat-owner.ts';
import type { RunJournal } from '../../../journal/run-journal.ts';
import { CliError } from '../../cli/cli-error.ts';
import type { RunOptions } from '../../run/run-options.ts';
import { untilAborted } from '../link/wait-out.ts';
import type { DaemonHooks } from '../process/daemon-hooks.ts';
import { stateOf } from './run-journal.ts';

export interface HeartbeatCheck {
  readonly client: RestClient;
  readonly options: RunOptions;
  readonly hooks: DaemonHooks;
  readonly journal: RunJournal;
}

/**
 * False if the signal came first. A heartbeat that is active and not this run's is watched until it lapses, or until another run
 * refreshes it, which is an error.
 * @throws CliError HEARTBEAT_OWNED, EXCHANGE_UNREACHABLE
 */
export async function isHeartbeatOurs({ client, options, hooks, journal }: HeartbeatCheck): Promise<boolean> {
  const { clock, signal, log } = hooks;
  if (signal.aborted) return false;
  if (options.mode === 'paper') return true;
  const before = stateOf(journal)?.heartbeat;
  log.info('heartbeat', 'whether another run of the app keeps its heartbeat is looked at');
  const { appId } = options.exchange;
  const wallets = options.wallets.map(({ id }) => id);
  const verdict = await untilAborted(heartbeatFor({ calls: client.lenient, clock, appId, wallets, before }), signal);
  if (verdict === undefined) return false;
  if (verdict.kind === 'owned') throw owned(options, verdict.lastSeenAt);
  if (verdict.kind === 'free') return true;
  throw new CliError({
    code: 'EXCHANGE_UNREACHABLE',
    what: 'The app’s heartbeat cannot be read.',
    where: options.exchange.url,
    why: `${verdict.code} ${verdict.details}`,
    next: 'Check that the exchange is up.',
  });
}

function owned({ exchange }: RunOptions, lastSeenAt: string): CliError {
  return new CliError({
    code: 'HEARTBEAT_OWNED',
    what: 'Another run of this app is at work: it refreshes the app’s heartbeat.',
    where: `${exchange.url}, app ${exchange.appId}`,
    why: `The exchange heard it at ${lastSeenAt}, and it was not this run. The exchange keeps one heartbeat an app: each of two runs would vouch for the other’s orders, or take the watch off them.`,
    next: 'Stop that one first (it may be on another machine), put its strategies and wallets into one configuration, or give this run an app of its own.',
  });
}
