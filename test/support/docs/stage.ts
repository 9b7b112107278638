/** Where the commands of a document are typed: a clone with recordings beside it, a sandbox in the place of the exchange, npm without a network. */

import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtMain } from '../built-command.ts';
import { outsideEnvironment } from '../installed-package.ts';
import { streamText } from '../made-stream.ts';
import { ROOT } from '../places.ts';
import type { SandboxFacts } from '../vendor/sandbox-process.ts';

export interface Stage {
  readonly directory: string;
  /** The clone. */
  readonly repository: string;
  readonly env: NodeJS.ProcessEnv;
  readonly logs: string;
  /** Where Node writes the warnings of every command; not there while there is none. */
  readonly warnings: string;
}

export const DEFAULT_PORT = 8640;

/** Makes one. @param port of the sandbox that stands for the exchange */
export function makeStage(directory: string, port: number): Stage {
  const repository = join(directory, 'oddsmith');
  const home = join(directory, 'home');
  for (const path of ['config', 'backtest', 'recordings', 'data'])
    mkdirSync(join(repository, path), { recursive: true });
  for (const path of ['.local/share/bash-completion/completions', '.config/fish/completions', 'zsh'])
    mkdirSync(join(home, path), { recursive: true });
  cpSync(join(ROOT, 'strategies'), join(repository, 'strategies'), { recursive: true });
  cpSync(join(ROOT, 'backtest/sample.tape'), join(repository, 'backtest/sample.tape'));
  cpSync(join(ROOT, 'config'), join(repository, 'config'), { recursive: true });
  withPort(join(repository, 'config'), port);
  const sweep = join(repository, 'config/sweep.yaml');
  // Four of its ninety trials.
  const few = 'search: { method: random, trials: 4 }';
  writeFileSync(sweep, readFileSync(sweep, 'utf8').replace('search: grid', few));
  for (const market of ['1.100000001', '1.100000002'])
    writeFileSync(join(repository, 'recordings', market), streamText({ updates: 600, market }));
  const logs = join(directory, 'logs');
  mkdirSync(logs);
  const warnings = join(directory, 'warnings.txt');
  return { directory, repository, logs, warnings, env: environment({ directory, repository, home, warnings }) };
}

/** Configurations name the sandbox of the stage, and no fixed port for a page. */
export function withPort(configs: string, port: number): void {
  for (const name of readdirSync(configs).filter((each) => each.endsWith('.yaml'))) {
    const path = join(configs, name);
    const text = readFileSync(path, 'utf8').replaceAll(String(DEFAULT_PORT), String(port));
    writeFileSync(path, text.replaceAll(/port: 946\d/g, 'port: 0'));
  }
}

/** The variables of an app of the sandbox. */
export function keysOf({ appId, apiKey, walletId }: SandboxFacts): Readonly<Record<string, string>> {
  return { ODDSMITH_APP_ID: appId, ODDSMITH_API_KEY: apiKey, ODDSMITH_WALLET_ID: walletId };
}

function environment(about: {
  readonly directory: string;
  readonly repository: string;
  readonly home: string;
  readonly warnings: string;
}): NodeJS.ProcessEnv {
  const { directory, repository, home, warnings } = about;
  const bin = join(directory, 'bin');
  const outside = outsideEnvironment();
  mkdirSync(bin);
  for (const [name, text] of Object.entries(commands(repository, warnings))) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return { ...outside, PATH: `${bin}:${outside['PATH']}`, HOME: home };
}

/** What is started by these names. All else of npm and npx is npm's own. */
function commands(repository: string, warnings: string): Readonly<Record<string, string>> {
  const options = `--trace-warnings --redirect-warnings=${warnings}`;
  const main = `exec env NODE_OPTIONS='${options}' ${process.execPath} ${builtMain()}`;
  const link = `exec ${process.execPath} --conditions=oddsmith-source ${join(ROOT, 'test/docs/link-packages.ts')}`;
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { env: outsideEnvironment(), encoding: 'utf8' }).trim();
  return {
    oddsmith: `${main} "$@"`,
    'xdg-open': 'test -s "$1"',
    npx: `case "$1" in
oddsmith) shift; if test -x node_modules/.bin/oddsmith; then exec node_modules/.bin/oddsmith "$@"; else ${main} "$@"; fi ;;
*) exec ${npm} exec --no -- "$@" ;;
esac`,
    npm: `case "$*" in
ci) exit 0 ;;
install) ${link} ;;
"run demo") cd ${repository} && ${main} demo ;;
"run -s oddsmith -- "*) shift 4; cd ${repository} && ${main} "$@" ;;
*) exec ${npm} "$@" ;;
esac`,
  };
}
