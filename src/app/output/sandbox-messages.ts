/** What `oddsmith sandbox` prints: where it listens and with which keys, or why it could not listen. */

import { packageVersion } from '../../package/running-package.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { printable } from '../../words/printable.ts';
import { CliError } from '../cli/cli-error.ts';

export interface SandboxFacts {
  readonly sandbox: Sandbox;
  readonly tapes: readonly string[];
  /** A link that opens its dashboard once; undefined without one. */
  readonly dashboard: string | undefined;
  readonly flags: {
    readonly host: string;
    readonly memory?: boolean;
    readonly state: string;
    readonly seed: number;
    readonly crowd?: boolean;
    readonly speed?: number;
  };
}

export function sandboxJson({ sandbox, tapes, dashboard, flags }: SandboxFacts): string {
  const { url, streamUrl, appId, walletId, apiKey, controlKey, opening } = sandbox;
  const { memory, state, seed, crowd = false, speed = 1 } = flags;
  const kept = memory === true ? {} : { state: { file: state, isNew: opening.isNew, changes: opening.changes } };
  return `${JSON.stringify({
    command: 'sandbox',
    version: packageVersion(),
    url,
    streamUrl,
    appId,
    walletId,
    apiKey,
    controlKey,
    seed,
    crowd,
    tapes,
    speed,
    dashboard,
    ...kept,
  })}\n`;
}

export function sandboxText({ sandbox, tapes, dashboard, flags }: SandboxFacts): string {
  const { url, streamUrl, appId, walletId, apiKey, controlKey, opening } = sandbox;
  const kept = opening.isNew ? 'new' : `as it was after ${opening.changes} changes`;
  const rows = [
    ['base URL', url],
    ['stream', streamUrl],
    ['pages', `${url}/docs`],
    ['app id', appId],
    ['wallet id', walletId],
    ['API key', apiKey],
    ['control key', `${controlKey}  (for ${url}/control, which is no part of the API)`],
    ['state', flags.memory === true ? 'in memory, gone at the end' : `${flags.state}  (${kept})`],
    ...tapes.map((path) => ['tape', `${path} at ${flags.speed ?? 1} times its speed`]),
    ...(dashboard === undefined ? [] : [['dashboard', `${dashboard}  (opens it once, within 15 minutes)`]]),
    ...(flags.crowd === true ? [['crowd', `seed ${flags.seed}`]] : []),
  ];
  const session = JSON.stringify({ appId, apiKey });
  return `${rows.map(([label = '', value]) => `${label.padEnd(12)} ${printable(value ?? '')}`).join('\n')}

Both keys were made for this run. In the terminal of a bot:
  export ODDSMITH_APP_ID=${appId} ODDSMITH_API_KEY=${apiKey} ODDSMITH_WALLET_ID=${walletId}
Or try:
  curl -s ${url}/sessions -H 'content-type: application/json' -d '${session}'

Ctrl-C ends it.
`;
}

/** The lines for stderr, before the text or JSON on stdout. */
export function warnings({
  sandbox,
  flags,
}: {
  readonly sandbox: Pick<Sandbox, 'opening'>;
  readonly flags: Pick<SandboxFacts['flags'], 'host' | 'state'> & { readonly betfair?: boolean };
}): readonly string[] {
  const lines: string[] = [];
  if (!isLoopback(flags.host))
    lines.push(
      `Listening on ${flags.host}: whoever can reach this machine can reach the sandbox${flags.betfair === true ? '' : ', without encryption'}.\n`,
    );
  if (sandbox.opening.cut !== undefined) lines.push(`The end of ${flags.state} was cut off: ${sandbox.opening.cut}.\n`);
  return lines;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** The error for the user where the system refused to listen; undefined for any other failure. */
export function listenError(
  error: unknown,
  at: { readonly host: string; readonly port: number },
): CliError | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const where = `${at.host}:${at.port}`;
  if (code === 'EADDRINUSE') {
    return new CliError({
      code: 'PORT_IN_USE',
      what: `Something listens on port ${at.port} already.`,
      where,
      next: 'End it, or choose another with --port (0: any that is free).',
    });
  }
  if (!['EADDRNOTAVAIL', 'EACCES', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'].includes(code)) return undefined;
  return new CliError({
    code: 'ADDRESS_NOT_AVAILABLE',
    what: 'The server cannot listen there.',
    where,
    why: error instanceof Error ? error.message : code,
    next: 'Choose another --host or --port; ports below 1024 may need special rights.',
  });
}
