/** A sandbox with a busy crowd, and `oddsmith record` on it: as a command in this process, or as a process of its own. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { sideIndex } from '../../../src/core/side.ts';
import { type CrowdedSandbox, type CrowdTerms, openCrowdedSandbox } from '../crowded-sandbox.ts';
import { builtCommand, type RunningCommand, startProcess } from '../running-command.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

export class RecordingStage {
  readonly directory = temporaryDirectory('record');
  readonly sandbox: CrowdedSandbox['sandbox'];
  readonly crowd: CrowdedSandbox['crowd'];
  readonly control: CrowdedSandbox['control'];
  readonly #exchange: CrowdedSandbox;
  readonly #commands: RunningCommand[] = [];

  private constructor(exchange: CrowdedSandbox) {
    this.#exchange = exchange;
    this.sandbox = exchange.sandbox;
    this.crowd = exchange.crowd;
    this.control = exchange.control;
  }

  /** For one test, at whose end it is closed. Until then this process knows the variables of its configurations, too. */
  static async open({ pace = 20, ...more }: Partial<CrowdTerms> = {}): Promise<RecordingStage> {
    const stage = new RecordingStage(await openCrowdedSandbox({ pace, ...more }));
    for (const [name, value] of Object.entries(stage.environment)) vi.stubEnv(name, value);
    onTestFinished(() => stage.#close());
    return stage;
  }

  get tapes(): string {
    return join(this.directory, 'tapes');
  }

  get environment(): Readonly<Record<string, string>> {
    return { RECORD_TEST_APP: this.sandbox.appId, RECORD_TEST_KEY: this.sandbox.apiKey };
  }

  /** Writes a configuration; its path. */
  config(prices: string, more: { readonly url?: string; readonly apiKey?: string } = {}): string {
    const { url = this.sandbox.url, apiKey = environmentVariable('RECORD_TEST_KEY') } = more;
    const path = join(this.directory, 'record.yaml');
    writeFileSync(
      path,
      `exchange: { url: ${url}, streamUrl: ${this.sandbox.streamUrl}, appId: "${environmentVariable('RECORD_TEST_APP')}", apiKey: "${apiKey}" }
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

  /** The command as a process; resolves when it has said that it records. */
  async record(config: string): Promise<RunningCommand> {
    const command = startProcess(builtCommand(['record', config]), { cwd: this.directory, env: this.environment });
    this.#commands.push(command);
    await command.until('recording onto');
    return command;
  }

  async #close(): Promise<void> {
    vi.unstubAllEnvs();
    for (const command of this.#commands) command.kill();
    await this.#exchange.close();
  }
}

/** As a configuration names an environment variable. */
export function environmentVariable(name: string): string {
  return ['$', '{', name, '}'].join('');
}
