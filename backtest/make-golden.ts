/** Writes the golden transcript hashes of the sample strategies again: run it when a change of results is wanted. */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { goldenRuns } from '../test/support/golden-runs.ts';

const file = fileURLToPath(new URL('./golden.json', import.meta.url));
const runs = await goldenRuns();
writeFileSync(file, `${JSON.stringify(runs, undefined, 2)}\n`);
console.log(JSON.stringify(runs, undefined, 2));
