/** What a run serves and whom it tells: whether its ports are free, and whether somebody hears of what happens. */

import { createServer } from 'node:net';
import { plural } from '../../../../words/numbers.ts';
import type { RunOptions } from '../../../run/run-options.ts';
import { type Check, failed, ok, warning } from './check.ts';

/** A daemon that is at work holds its ports itself. */
export async function portChecks(run: RunOptions, isAtWork: boolean): Promise<readonly Check[]> {
  const { metricsPort, dashboard } = run;
  const places = [
    ...(metricsPort === undefined
      ? []
      : [{ check: 'metrics', key: 'metrics.port', host: METRICS_HOST, port: metricsPort }]),
    ...(dashboard === undefined ? [] : [{ check: 'dashboard', key: 'dashboard.port', ...dashboard }]),
  ];
  return await Promise.all(places.map((place) => portCheck(place, isAtWork)));
}

const METRICS_HOST = '127.0.0.1';

interface Place {
  readonly check: string;
  /** The key in the configuration. */
  readonly key: string;
  readonly host: string;
  readonly port: number;
}

async function portCheck({ check, key, host, port }: Place, isAtWork: boolean): Promise<Check> {
  if (port === 0) return ok(check, `any free port of ${host}`);
  const place = `port ${port} of ${host}`;
  if (isAtWork) return ok(check, `${place} is for the daemon that is at work`);
  const code = await listeningFault(host, port);
  if (code === undefined) return ok(check, `${place} is free`);
  return code === 'EADDRINUSE'
    ? failed(check, `something listens on ${place} already`, `Choose another ${key}, or end what listens there.`)
    : failed(check, `nothing can listen on ${place}: ${code}`, `Choose another ${key} or host.`);
}

/** Listens for a moment: the system’s word for why it cannot be done, or undefined. */
function listeningFault(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(undefined)));
  });
}

/** Nothing is sent. */
export function alertsCheck({ mode, alerts }: RunOptions): Check {
  const check = 'alerts';
  if (alerts === undefined)
    return mode === 'paper'
      ? ok(check, 'in the log alone, which is enough for a paper run')
      : warning(
          check,
          'in the log alone: nobody is told when it stops trading',
          'Add alerts: with a way and a deadMan.',
        );
  const kinds = alerts.ways.map(({ kind }) => kind).join(', ');
  const found = kinds === '' ? 'a dead-man call alone' : `by ${kinds}`;
  const call = kinds === '' || alerts.deadMan === undefined ? '' : ', and a dead-man call';
  if (mode === 'live' && alerts.deadMan === undefined)
    return warning(
      check,
      `${found}; a machine that is off tells nobody`,
      'Add alerts.deadMan: a service then tells you when the calls stop.',
    );
  return ok(
    check,
    `${found}${call}; \`oddsmith alert test\` tries ${plural(alerts.ways.length + (call === '' ? 0 : 1), 'way')}`,
  );
}
