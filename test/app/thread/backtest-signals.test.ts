/** Ctrl-C and SIGTERM end a backtest, also while its strategy hangs. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pass } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { SAMPLE_TAPE } from '../../support/places.ts';
import { builtCommand, type RunningCommand, startProcess } from '../../support/running-command.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { HOSTILE, SLOW } from '../../support/thread/hostile.ts';

const folder = temporaryDirectory('signals');
/** A signal takes effect within a second; the rest of the time is for a busy machine. */
const SLACK_MS = 5_000;

let command: RunningCommand | undefined;
afterEach(() => command?.kill());

/** Says that it is where it does not come back from. */
const telling = (source: string): string =>
  source.replace('asked += 1;', "asked += 1; if (asked === 201) console.log('I am there');");

/** What becomes of a backtest that gets the signal while this strategy runs. */
async function signalled(name: string, source: string, signal: NodeJS.Signals) {
  writeFileSync(join(folder, `${name}.ts`), telling(source));
  const args = ['backtest', '--strategy', `${name}.ts`, '--tape', SAMPLE_TAPE, '--out', 'runs', '--json'];
  command = startProcess(builtCommand(args), { cwd: folder });
  await command.until('I am there');
  await pass(300);
  const sentAt = performance.now();
  command.kill(signal);
  return { ...(await command.ended), tookMs: performance.now() - sentAt };
}

for (const [name, source] of Object.entries(HOSTILE)) {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`${signal} ends a backtest whose strategy hangs (${name}), with what was replayed`, async () => {
      const { code, out, tookMs } = await signalled(name, source, signal);
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
    const { code, out, tookMs } = await signalled('slow', source, signal);
    expect(code).toBe(130);
    expect(tookMs).toBeLessThan(SLACK_MS);
    expect(JSON.parse(out)).toMatchObject({ interrupted: true });
  });
}
