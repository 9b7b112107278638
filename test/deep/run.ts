/**
 * The long proofs one after the other: `npm run test:deep [-- --only vopr,kill:loop]`. Each is a script of its own, and prints what
 * it found; this says at the end which held. Two hours on two cores.
 */

import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

/** npm script → its arguments. All get `ODDSMITH_DEEP=1`, by which the tests play many times as much. */
const DEEP: Readonly<Record<string, readonly string[]>> = {
  test: [],
  'test:all': [],
  fuzz: ['--seeds', '2000', '--seed', '1', '--commands', '1000'],
  'fuzz:requests': ['--requests', '180000', '--seed', '1'],
  'fifo-truth': ['--markets', '10', '--seed', '1'],
  hammer: ['--seconds', '60', '--seed', '1'],
  'soak:sessions': ['--seconds', '60'],
  vopr: ['--seeds', '20000', '--seed', '1', '--jobs', '2'],
  'vopr:mutants': [],
  'kill:loop': ['--kills', '300', '--seed', '1'],
  'soak:daemon': ['--minutes', '30'],
};

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const wanted = values.only?.split(',') ?? Object.keys(DEEP);
const unknown = wanted.filter((name) => !Object.hasOwn(DEEP, name));
if (unknown.length > 0) {
  console.error(`no such proof: ${unknown.join(', ')}. There are ${Object.keys(DEEP).join(', ')}.`);
  process.exit(2);
}

const env = { ...process.env, ODDSMITH_DEEP: '1' };
const lines: string[] = [];
let failed = 0;
for (const name of wanted) {
  console.log(`\n== npm run ${name} -- ${DEEP[name]?.join(' ')}`);
  const started = performance.now();
  const { status } = spawnSync('npm', ['run', '-s', name, '--', ...(DEEP[name] ?? [])], { stdio: 'inherit', env });
  if (status !== 0) failed += 1;
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  lines.push(`${name.padEnd(14)} ${status === 0 ? 'held' : `FAILED (${status})`} ${seconds.padStart(6)} s`);
}
console.log(`\n${lines.join('\n')}`);
process.exitCode = failed === 0 ? 0 : 1;
