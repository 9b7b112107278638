/** Runs somebody's bot beside a sandbox: all that it sends to Betfair goes to the sandbox, and no line of it is changed. */

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { getCACertificates } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { packageDirectory } from '../../../package/running-package.ts';
import { CliError } from '../../cli/cli-error.ts';

export interface BotRunParts {
  /** The program and its arguments. */
  readonly command: readonly string[];
  /** Where the sandbox answers requests and streams, as host:port. */
  readonly api: string;
  readonly stream: string;
  readonly authorityFile: string;
  /** Whether what the bot prints goes to stderr, since stdout is for JSON. */
  readonly isQuiet: boolean;
  /** Ends the bot. */
  readonly signal: AbortSignal;
}

export interface BotRun {
  /** What was set for the bot, a line each. */
  readonly lines: readonly string[];
  /** The bot's exit code; 128 and the signal's number where a signal ended it. */
  readonly ended: Promise<number>;
}

/** How long a bot may take to end after it was asked to. */
const GRACE_MS = 10_000;

export function runBot({ command, api, stream, authorityFile, isQuiet, signal }: BotRunParts): BotRun {
  const [program = '', ...args] = command;
  const directory = mkdtempSync(join(tmpdir(), 'oddsmith-bot-'));
  const bundle = join(directory, 'authorities.pem');
  const set = redirection({ api, stream, authorityFile, bundle });
  writeFileSync(bundle, [...getCACertificates('default'), readFileSync(authorityFile, 'utf8')].join('\n'));
  const stdout = isQuiet ? process.stderr : 'inherit';
  const bot = spawn(program, args, { stdio: ['inherit', stdout, 'inherit'], env: { ...process.env, ...set } });
  let killing: NodeJS.Timeout | undefined;
  const end = (): void => {
    bot.kill('SIGTERM');
    killing = setTimeout(() => bot.kill('SIGKILL'), GRACE_MS);
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  const ended = new Promise<number>((resolve, reject) => {
    bot.once('error', (error) => reject(notStarted(program, error)));
    bot.once('close', (code, name) => resolve(code ?? 128 + (name === null ? 0 : constants.signals[name])));
  }).finally(() => {
    clearTimeout(killing);
    signal.removeEventListener('abort', end);
    rmSync(directory, { recursive: true, force: true });
  });
  return { lines: Object.entries(set).map(([name, value]) => `${name}=${value}`), ended };
}

/** The environment that sends a child of Python or Node to the sandbox, and has it trust the sandbox's authority. */
function redirection(to: {
  readonly api: string;
  readonly stream: string;
  readonly authorityFile: string;
  readonly bundle: string;
}): Readonly<Record<string, string>> {
  const { api, stream, bundle } = to;
  const { PYTHONPATH, NODE_OPTIONS } = process.env;
  const directory = join(packageDirectory(), 'packaging/redirect');
  const hook = `--import=${pathToFileURL(join(directory, 'redirect.mjs')).href}`;
  return {
    ODDSMITH_BETFAIR_API: api,
    ODDSMITH_BETFAIR_STREAM: stream,
    PYTHONPATH: [directory, ...(PYTHONPATH === undefined ? [] : [PYTHONPATH])].join(delimiter),
    PYTHONDONTWRITEBYTECODE: '1',
    REQUESTS_CA_BUNDLE: bundle,
    SSL_CERT_FILE: bundle,
    NODE_OPTIONS: [...(NODE_OPTIONS === undefined ? [] : [NODE_OPTIONS]), hook].join(' '),
    NODE_EXTRA_CA_CERTS: resolve(to.authorityFile),
  };
}

function notStarted(program: string, cause: Error): CliError {
  return new CliError({
    code: 'USAGE',
    what: 'The program after --exec does not start.',
    where: program,
    why: cause.message,
    next: 'Name a program that is there, such as: --exec -- python3 bot.py',
  });
}
