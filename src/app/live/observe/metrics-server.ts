/** Serves /metrics, /health and /ready on this machine alone. */

import type { ServerResponse } from 'node:http';
import { closed, listening, portOf } from '../../web/http/listening.ts';
import type { DaemonStatus, DaemonWaiting } from '../control/control-protocol.ts';
import { waitingText } from '../control/waiting-answers.ts';
import type { Metrics } from './metrics.ts';
import { type NotReadyReason, notReady } from './readiness.ts';

/** A run as it is seen from outside: before it has begun, and from then on. */
export type SeenRun = DaemonWaiting | DaemonStatus;

export interface MetricsServer {
  readonly port: number;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/** @throws CliError PORT_IN_USE, ADDRESS_NOT_AVAILABLE */
export async function serveMetrics(
  port: number,
  parts: { readonly metrics: Metrics; readonly seen: () => SeenRun; readonly needsHeartbeat: boolean },
): Promise<MetricsServer> {
  const place = { port, host: HOST, what: 'the metrics', setting: 'metrics.port' };
  const server = await listening(place, (request, response) => {
    const path = request.url?.split('?')[0];
    if (request.method !== 'GET') return send(response, 405, 'text/plain', 'GET alone\n');
    if (path === '/health') return sendHealth(response, parts.seen());
    if (path === '/ready') return sendReadiness(response, parts.seen(), parts.needsHeartbeat);
    if (path !== '/metrics') return send(response, 404, 'text/plain', '/metrics, /health or /ready\n');
    parts.metrics.text().then(
      (text) => send(response, 200, parts.metrics.contentType, text),
      (error) => send(response, 500, 'text/plain', `${error instanceof Error ? error.message : String(error)}\n`),
    );
  });
  return { port: portOf(server), close: () => closed(server) };
}

/** 200 while the pipeline reads and nothing is late; whether it trades is another question, answered in the body. */
function sendHealth(response: ServerResponse, seen: SeenRun): void {
  if (!('bot' in seen)) {
    const body = { ok: false, run: seen.run, mode: seen.mode, waitsFor: waitingText(seen) };
    return send(response, 503, 'application/json', `${JSON.stringify(body)}\n`);
  }
  const { bot, daemon } = seen;
  const late = bot.feeds.filter(({ isLate }) => isLate).map(({ feed }) => feed);
  const isWell = late.length === 0 && bot.phase !== 'ended';
  const { run, phase, waitsFor, trading, heartbeat } = bot;
  const body = { ok: isWell, run, mode: daemon.mode, phase, waitsFor, trading, heartbeat, late };
  send(response, isWell ? 200 : 503, 'application/json', `${JSON.stringify(body)}\n`);
}

/** 200 only while the bot may trade; every reason why it may not is in the body. */
function sendReadiness(response: ServerResponse, seen: SeenRun, needsHeartbeat: boolean): void {
  if (!('bot' in seen)) {
    const reasons: readonly NotReadyReason[] = [{ code: 'NOT_READY', why: waitingText(seen) }];
    const body = { ready: false, run: seen.run, mode: seen.mode, reasons };
    return send(response, 503, 'application/json', `${JSON.stringify(body)}\n`);
  }
  const { bot, daemon } = seen;
  const reasons = notReady(bot, needsHeartbeat);
  const isReady = reasons.length === 0;
  const { run, phase, trading, heartbeat } = bot;
  const body = { ready: isReady, run, mode: daemon.mode, phase, trading, heartbeat, reasons };
  send(response, isReady ? 200 : 503, 'application/json', `${JSON.stringify(body)}\n`);
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
  response.end(body);
}
