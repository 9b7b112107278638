/**
 * Plays the demo, the sample strategies and a smoke set of every command on each Node that we run on, and compares what they print:
 * `npm run test:node-versions`. The oldest is the floor that package.json names.
 */

import { readFileSync } from 'node:fs';
import { installedNode, type NodeBinary, ownNode } from '../support/node-versions/node-binary.ts';
import { type Step, smoke } from '../support/node-versions/smoke.ts';

const ROOT = new URL('../../', import.meta.url);
const OTHERS = [floor(), '26'];

// All at once: a play mostly waits for one process, and often for its clock.
const [own, ...others] = await Promise.all([ownNode(), ...OTHERS.map(installedNode)].map(played));
if (own === undefined) throw new Error('nothing was played');
compareWithGolden(own);
const different = others.reduce((sum, other) => sum + compare(own, other), 0);
console.log(different === 0 ? 'the same on all' : `${different} differences`);
process.exitCode = different === 0 ? 0 : 1;

interface Played {
  readonly version: string;
  readonly steps: readonly Step[];
}

async function played(node: NodeBinary): Promise<Played> {
  const started = performance.now();
  const steps = await smoke(node);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  console.log(`Node ${node.version}: ${steps.length} steps in ${seconds} s`);
  return { version: node.version, steps };
}

/** The transcripts of the sample strategies are the kept ones; `golden` counts that they were found at all. */
function compareWithGolden({ steps }: Played): void {
  const kept: readonly { readonly transcript: string }[] = JSON.parse(
    readFileSync(new URL('backtest/golden.json', ROOT), 'utf8'),
  );
  const printed = steps.map(({ out }) => out ?? '').join('');
  const missing = kept.filter(({ transcript }) => !printed.includes(transcript));
  if (missing.length > 0) throw new Error(`not printed: ${JSON.stringify(missing)}`);
  console.log(`${kept.length} golden transcripts`);
}

function compare(own: Played, other: Played): number {
  let differences = 0;
  for (const [index, step] of own.steps.entries()) {
    const beside = other.steps[index];
    if (JSON.stringify(step) === JSON.stringify(beside)) continue;
    differences += 1;
    console.log(`${step.name}: Node ${own.version} and Node ${other.version} differ`);
    console.log(firstDifference(step.out ?? '', beside?.out ?? ''));
  }
  return differences;
}

function firstDifference(one: string, other: string): string {
  const lines = other.split('\n');
  const at = one.split('\n').findIndex((line, index) => line !== lines[index]);
  return `  ${one.split('\n')[at] ?? ''}\n  ${lines[at] ?? ''}`.slice(0, 1_000);
}

/** As package.json has it: `^22.15 || …` is 22.15.0. */
function floor(): string {
  const { engines } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  const found = /^\^(\d+\.\d+) /.exec(engines.node)?.[1];
  if (found === undefined) throw new Error(`engines.node is ${engines.node}`);
  return `${found}.0`;
}
