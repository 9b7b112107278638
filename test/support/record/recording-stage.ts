/** A sandbox with a busy crowd, and `oddsmith record` on it: as a command in this process, or as a process of its own. */

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sideIndex } from '../../../src/core/side.ts';
import { openSandbox, type Sandbox } from '../../../src/sandbox/sandbox.ts';
import { startCrowd } from '../../../src/sandbox/traffic/crowd.ts';
import type { Traffic } from '../../../src/sandbox/traffic/traffic.ts';
import type { Clock } from '../../../src/time/clock.ts';
import { wallClock } from '../../../src/time/wall-clock.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

export interface StageOptions {
  readonly clock?: Clock;
  /** Orders per second of each of the crowd's markets. */
  readonly pace?: number;
}

export class RecordingStage {
  readonly directory = mkdtempSync(join(tmpdir(), 'oddsmith-record-'));
  readonly sandbox: Sandbox;
  readonly crowd: Traffic;
  readonly #bugs: unknown[];
  readonly #children: ChildProcess[] = [];

  private constructor(sandbox: Sandbox, crowd: Traffic, bugs: unknown[]) {
    this.sandbox = sandbox;
    this.crowd = crowd;
    this.#bugs = bugs;
  }

  static async open({ clock = wallClock, pace = 20 }: StageOptions = {}): Promise<RecordingStage> {
    const bugs: unknown[] = [];
    const onBug = (error: unknown): void => {
      bugs.push(error);
    };
    const sandbox = await openSandbox({ clock, version: '0.0.0', checksAnswers: true, onBug });
    return new RecordingStage(sandbox, startCrowd(sandbox.context, { seed: 7, pace, markets: 3, onBug }), bugs);
  }

  get tapes(): string {
    return join(this.directory, 'tapes');
  }

  get environment(): Readonly<Record<string, string>> {
    return { RECORD_TEST_APP: this.sandbox.appId, RECORD_TEST_KEY: this.sandbox.apiKey };
  }

  /** Writes a configuration; its path. */
  config(prices: string, more: { readonly url?: string; readonly apiKey?: string } = {}): string {
    const { url = this.sandbox.url, apiKey = reference('RECORD_TEST_KEY') } = more;
    const path = join(this.directory, 'record.yaml');
    writeFileSync(
      path,
      `exchange: { url: ${url}, streamUrl: ${this.sandbox.streamUrl}, appId: "${reference('RECORD_TEST_APP')}", apiKey: "${apiKey}" }
feeds: { markets: { mode: poll, everyMs: 200 }, prices: ${prices} }
requestsPerSecond: 500
out: ${this.tapes}
`,
    );
    return path;
  }

  /** Every level that a market shows now, as `recordedEnds` has it; of those that are not over. */
  shown(): ReadonlyMap<string, readonly string[]> {
    const { world } = this.sandbox.context;
    const shown = new Map<string, readonly string[]>();
    for (const { id, market } of world.catalogue.markets.values()) {
      const view = world.exchange.market(market);
      if (view?.published !== true || view.status !== 'Open') continue;
      const levels = world.exchange.prices(market, { cross: true });
      shown.set(
        id,
        levels.map(({ outcome, side, tick, amount }) => `${outcome} ${sideIndex(side)} ${tick} ${amount}`).sort(),
      );
    }
    return shown;
  }

  async control(method: string, path: string, body?: object): Promise<void> {
    const { url, controlKey } = this.sandbox;
    const headers = { authorization: `Bearer ${controlKey}`, 'content-type': 'application/json' };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${url}/control${path}`, {
      method,
      headers: body === undefined ? { authorization: headers.authorization } : headers,
      ...text,
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  }

  /** The command as a process; resolves when it has said that it records. */
  async record(
    config: string,
  ): Promise<{ readonly child: ChildProcess; ended(): Promise<{ code: number | null; out: string; note: string }> }> {
    const args = ['--conditions=oddsmith-source', join(root, 'src/app/main.ts'), 'record', config];
    const child = spawn(process.execPath, args, { cwd: this.directory, env: { ...process.env, ...this.environment } });
    this.#children.push(child);
    const said = { out: '', note: '' };
    child.stdout.on('data', (piece: Buffer) => {
      said.out += piece.toString();
    });
    const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
    await new Promise<void>((resolve, reject) => {
      child.stderr.on('data', (piece: Buffer) => {
        said.note += piece.toString();
        if (said.note.includes('recording onto')) resolve();
      });
      void exit.then(() => reject(new Error(`ended before it recorded: ${said.note}`)));
    });
    return { child, ended: async () => ({ code: await exit, ...said }) };
  }

  async close(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    this.crowd.stop();
    await this.sandbox.close();
    rmSync(this.directory, { recursive: true, force: true });
    if (this.#bugs.length > 0) throw this.#bugs[0];
  }
}

export function pass(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** As a configuration names an environment variable. */
function reference(name: string): string {
  return ['$', '{', name, '}'].join('');
}
