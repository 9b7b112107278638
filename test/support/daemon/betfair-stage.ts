/** A Betfair sandbox as a process, an account there, and `oddsmith run` on it as a process, over HTTPS and TLS. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type KillExchange, openExchange, SANDBOX_ARGS } from '../kill/exchange/kill-exchange.ts';
import { builtCommand, type RunningCommand, startProcess } from '../running-command.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { type SandboxProcess, startSandbox } from '../vendor/sandbox-process.ts';
import type { Json } from '../vendor/vendor-client.ts';
import { RESTER } from './daemon-stage.ts';

export const TYPE = 'MATCH_ODDS';

export class BetfairStage {
  readonly exchange: KillExchange;
  readonly directory = temporaryDirectory('betfair-run');
  readonly sandbox: SandboxProcess;
  readonly #commands: RunningCommand[] = [];

  private constructor(sandbox: SandboxProcess, exchange: KillExchange) {
    this.sandbox = sandbox;
    this.exchange = exchange;
    writeFileSync(join(this.directory, 'rester.ts'), RESTER);
  }

  /** For one test, at whose end all is over. */
  static async open(args: readonly string[] = []): Promise<BetfairStage> {
    const sandbox = await startSandbox({ args: [...SANDBOX_ARGS.betfair, '--memory', ...args] });
    const stage = new BetfairStage(sandbox, await openExchange('betfair', sandbox));
    onTestFinished(async () => {
      for (const command of stage.#commands) command.kill('SIGKILL');
      stage.exchange.owner.close();
      stage.exchange.maker.close();
      await sandbox.remove();
    });
    return stage;
  }

  /** The first market of the followed type, and one that no run follows, each with the id of a runner. */
  async markets(): Promise<
    Readonly<Record<'followed' | 'other', { readonly id: string; readonly outcomeId: string }>>
  > {
    const found = async (type: string) => {
      const filter = { marketTypeCodes: [type] };
      const params = { filter, maxResults: 1, marketProjection: ['RUNNER_DESCRIPTION'] };
      const [{ marketId, runners }] = await this.#owner.call('listMarketCatalogue', params);
      return { id: String(marketId), outcomeId: String(runners[0].selectionId) };
    };
    return { followed: await found(TYPE), other: await found('WIN') };
  }

  /** Ids of what is live in the account. */
  async live(): Promise<readonly string[]> {
    const { currentOrders } = await this.#owner.call('listCurrentOrders', { orderProjection: 'EXECUTABLE' });
    return currentOrders.map(({ betId }: Json) => betId);
  }

  get #owner() {
    return this.exchange.owner as KillExchange['owner'] & { call(operation: string, params: Json): Promise<Json> };
  }

  /** Writes a configuration, whose text `change` may alter; its path. */
  config({ name = 'run', change = (text: string) => text } = {}): string {
    const text = `${this.exchange.config}
strategies: [{ file: ${join(this.directory, 'rester.ts')} }]
markets: { types: [${TYPE}] }
heartbeat: { timeoutMs: 10000 }
reconcile: { everyMs: 1000 }
end: { deadlineMs: 8000 }
dir: ${join(this.directory, name)}
`;
    mkdirSync(this.directory, { recursive: true });
    const path = join(this.directory, `${name}.yaml`);
    writeFileSync(path, change(text));
    return path;
  }

  /** A command of this version, with the keys in its environment. */
  start(...args: readonly string[]): RunningCommand {
    const command = startProcess(builtCommand(args), { cwd: this.directory, env: this.exchange.env });
    this.#commands.push(command);
    return command;
  }
}
