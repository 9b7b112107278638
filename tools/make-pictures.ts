/** Draws docs/pictures anew: `npm run make:pictures`. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { pictures } from './pictures/pictures.ts';

const folder = new URL('../docs/pictures/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, text] of await pictures()) writeFileSync(new URL(name, folder), text);
