/** Opens the dashboard of a run where its configuration asks for one, and says in the log how to open it. */

import { join } from 'node:path';
import type { Ledger } from '../../../engine/ledger/ledger.ts';
import type { RunOptions } from '../../run/run-options.ts';
import { MemoryFile } from '../../web/dashboard/memory/memory-file.ts';
import { type Dashboard, openDashboard } from '../../web/dashboard/server/dashboard.ts';
import { LINK_MS } from '../../web/dashboard/server/sessions.ts';
import type { DaemonStatus } from '../control/control-protocol.ts';
import type { Answer } from '../control/control-server.ts';
import type { DaemonHooks } from '../process/daemon-hooks.ts';
import { BotSource } from './bot-source.ts';

export interface RunDashboardParts {
  readonly options: RunOptions;
  readonly hooks: DaemonHooks;
  readonly status: () => DaemonStatus;
  readonly ledger: Ledger;
  readonly answer: Answer;
}

/** The file's name in the state directory. */
const MEMORY = 'dashboard.json';

/** @throws CliError PORT_IN_USE, ADDRESS_NOT_AVAILABLE */
export async function openRunDashboard(parts: RunDashboardParts): Promise<Dashboard | undefined> {
  const { options, hooks, status, ledger, answer } = parts;
  const { dashboard: place, currency, mode } = options;
  if (place === undefined) return undefined;
  const { clock, log } = hooks;
  const source = new BotSource({ status, ledger, answer, currency, mode });
  const lines = log.lines$.subscribe((line) => source.line(Math.floor(clock.now()), line));
  const onFault = (error: unknown): void => {
    lines.unsubscribe();
    log.alert('DASHBOARD_FAILED', error instanceof Error ? (error.stack ?? error.message) : String(error));
  };
  const warn = (text: string): void => log.write({ level: 'warn', subject: 'dashboard', text });
  const memory = new MemoryFile(join(status().daemon.dir, MEMORY), warn);
  const dashboard = await openDashboard({
    ...{ ...place, source, memory, onFault },
    setting: 'dashboard.port',
    now: () => clock.now(),
  });
  const { warning } = dashboard;
  if (warning !== undefined) warn(warning);
  log.info('dashboard', `${dashboard.link()}  (opens it once, within ${LINK_MS / 60_000} minutes)`);
  return dashboard;
}
