/** Writes docs/api anew: `npm run make:api`. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { apiReference } from './api-reference.ts';

const folder = new URL('../docs/api/', import.meta.url);
mkdirSync(folder, { recursive: true });
for (const [name, text] of await apiReference()) writeFileSync(new URL(name, folder), text);
