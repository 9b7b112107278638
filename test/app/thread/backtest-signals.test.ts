/** Ctrl-C and SIGTERM end a backtest, also while its strategy hangs. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, expect, test } from 'vitest';
import { CommandProcess } from '../../support/thread/command-process.ts';
import { HOSTILE, SLOW } from '../../support/thread/hostile.ts';

const TAPE = fileURLToPath(new URL('../../../backtest/sample.tape', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'oddsmith-signals-'));
/** A signal takes effect within a second; the rest of the time is for a busy machine. */
const SLACK_MS = 5_000;

let command: CommandProcess | undefined;
afterEach(() => command?.kill());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Says that it is where it does not come back from. */
const telling = (source: string): string =>
  source.replace('asked += 1;', "asked += 1; if (asked === 201) console.log('I am there');");

async function begun(name: string, source: string): Promise<CommandProcess> {
  writeFileSync(join(folder, `${name}.ts`), telling(source));
  const args = ['backtest', '--strategy', `${name}.ts`, '--tape', TAPE, '--out', 'runs', '--json'];
  command = new CommandProcess(args, folder);
  await command.until('I am there');
  await new Promise((resolve) => setTimeout(resolve, 300));
  return command;
}

for (const [name, source] of Object.entries(HOSTILE)) {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`${signal} ends a backtest whose strategy hangs (${name}), with what was replayed`, async () => {
      const { code, out, tookMs } = await (await begun(name, source)).signalled(signal);
      expect(code).toBe(130);
      expect(tookMs).toBeLessThan(SLACK_MS);
      expect(JSON.parse(out)).toMatchObject({ interrupted: true, strategies: [{ name }] });
    });
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} ends a backtest whose strategy takes 400 ms for each decision`, async () => {
    const source = SLOW.replace('decide() {', 'decide() {\n    asked += 1;').replace(
      'export default',
      'let asked = 200;\nexport default',
    );
    const { code, out, tookMs } = await (await begun('slow', source)).signalled(signal);
    expect(code).toBe(130);
    expect(tookMs).toBeLessThan(SLACK_MS);
    expect(JSON.parse(out)).toMatchObject({ interrupted: true });
  });
}
