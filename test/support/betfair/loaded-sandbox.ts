/** The Betfair sandbox as a process that plays a made tape of many markets, each with updates at a steady pace. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { streamText } from '../made-stream.ts';
import { builtCommand, startProcess } from '../running-command.ts';

export interface Load {
  readonly markets: number;
  /** Time between two updates of a market. */
  readonly everyMs: number;
  readonly playMs: number;
}

/** Where the sandbox listens. */
export interface Place {
  readonly url: string;
  readonly streamAddress: string;
  readonly authority: string;
}

/** The sandbox's own markets begin with 1.2. */
const SERIES = '1.9';
const PATIENCE_MS = 120_000;

export function marketName(market: number): string {
  return `${SERIES}${String(market).padStart(8, '0')}`;
}

export function marketNumber(name: string): number {
  return Number(name.slice(SERIES.length));
}

export class LoadedSandbox {
  /** A directory of its own, which is removed at the end. */
  readonly directory = mkdtempSync(join(tmpdir(), 'oddsmith-betfair-load-'));
  readonly #command = builtCommand([]);
  readonly #process: ReturnType<typeof startProcess>;

  constructor(load: Load) {
    const words = ['sandbox', '--betfair', '--memory', '--port', '0', '--tape', this.#tapeOf(load), '--json'];
    this.#process = startProcess([...this.#command, ...words], { cwd: this.directory });
  }

  get pid(): number {
    return this.#process.pid;
  }

  async place(): Promise<Place> {
    await this.#process.until(/\}\s*$/, PATIENCE_MS);
    const { url, streamAddress, authorityFile } = JSON.parse(this.#process.said.out);
    // It names the file from where it runs.
    return { url, streamAddress, authority: readFileSync(resolve(this.directory, authorityFile), 'utf8') };
  }

  async end(): Promise<void> {
    this.#process.kill('SIGTERM');
    await this.#process.ended;
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Markets spread over the time of an update, so that each update is a message of its own as long as the sandbox keeps up. */
  #tapeOf({ markets, everyMs, playMs }: Load): string {
    const recordings = join(this.directory, 'recordings');
    mkdirSync(recordings);
    const updates = Math.ceil(playMs / everyMs);
    const apartMs = Math.max(1, Math.floor(everyMs / markets));
    for (let market = 0; market < markets; market += 1) {
      const name = marketName(market);
      const text = streamText({ updates, market: name, everyMs, startAt: 1_700_000_000_000 + market * apartMs });
      writeFileSync(join(recordings, name), text);
    }
    const tape = join(this.directory, 'load.tape');
    const [program = '', ...rest] = [...this.#command, 'import', 'betfair', recordings, '--tape', tape, '--jobs', '2'];
    execFileSync(program, rest, { cwd: this.directory, stdio: 'ignore' });
    rmSync(recordings, { recursive: true });
    return tape;
  }
}

/** The token of a new session. */
export function loggedIn({ url, authority }: Place): Promise<string> {
  return new Promise((done, reject) => {
    const headers = { 'x-application': 'load', 'content-type': 'application/x-www-form-urlencoded' };
    const asked = request(`${url}/api/login`, { method: 'POST', ca: authority, headers }, (answer) => {
      let text = '';
      answer.on('data', (part) => {
        text += String(part);
      });
      answer.on('end', () => done(JSON.parse(text).token));
    });
    asked.on('error', reject);
    asked.end('username=load&password=secret');
  });
}
