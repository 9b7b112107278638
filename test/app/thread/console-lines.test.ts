/** What a strategy writes to its console goes to stderr under the strategy's name, wherever it runs: stdout holds the result alone. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { SAMPLE_TAPE } from '../../support/places.ts';
import { builtCommand, startProcess } from '../../support/running-command.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const folder = temporaryDirectory('console');
writeFileSync(
  join(folder, 'a-file.ts'),
  `import { defineStrategy, param } from 'oddsmith';
console.log('loading');
let calls = 0;
export default defineStrategy({
  name: 'talks-much',
  params: { stake: param.stake({ default: 2 }) },
  decide({ market }) {
    calls += 1;
    if (calls === 1) console.log('asked in', market.id);
    if (calls === 2) console.table([{ price: 2 }]);
    return [];
  },
});
`,
);
const block = { strategies: [{ file: join(folder, 'a-file.ts') }], tapes: [SAMPLE_TAPE], isolate: 'event' };
writeFileSync(join(folder, 'backtest.yaml'), stringify(block));
const space = { 'params.stake': { values: [2, 5] } };
writeFileSync(join(folder, 'sweep.yaml'), stringify({ ...block, sweep: { name: 'talk', space } }));

test.each([
  ['backtest', ['backtest', 'backtest.yaml', '--json']],
  ['backtest with threads', ['backtest', 'backtest.yaml', '--json', '--jobs', '2']],
  ['sweep', ['sweep', 'sweep.yaml', '--json', '--jobs', '2']],
])('%s', async (_what, args) => {
  const { code, out, note } = await startProcess(builtCommand(args), { cwd: folder, patienceMs: 300_000 }).ended;
  expect(code, note).toBe(0);
  expect(out.trimEnd().split('\n')).toHaveLength(1);
  expect(JSON.parse(out)).toHaveProperty('command', args[0]);
  // While its file is loaded the strategy has no name yet.
  expect(note).toMatch(/^a-file\.ts: loading$/m);
  expect(note).toMatch(/^talks-much: asked in \d+$/m);
  expect(note).toMatch(/^talks-much: \[ \{ price: 2 \} \]$/m);
  expect(note).not.toMatch(/^a-file\.ts: asked/m);
});
