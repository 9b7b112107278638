/** Writes the bundled sample recording: `npm run make:sample [-- FILE]`. */

import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { writeSampleTape } from './sample-tape.ts';

const path = process.argv[2] ?? fileURLToPath(new URL('./sample.tape', import.meta.url));
const { markets, updates, sha256 } = writeSampleTape(path, 'overwrite');
console.error(`${path}: ${markets} markets, ${updates} updates, ${statSync(path).size} bytes`);
console.log(sha256);
