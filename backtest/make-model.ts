/** Writes the example signal of strategies/model-value.ts: `npm run make:model`. */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { modelSignal } from './model-signal.ts';

const tape = fileURLToPath(new URL('./sample.tape', import.meta.url));
const target = fileURLToPath(new URL('../strategies/model-value.csv', import.meta.url));
const signal = await modelSignal(tape);
writeFileSync(target, signal);
console.error(`${target}: ${signal.split('\n').length - 2} rows`);
