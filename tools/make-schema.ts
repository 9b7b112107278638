/** Writes the editor schemas in config/ anew: `npm run make:schema`. */

import { writeFileSync } from 'node:fs';
import { EDITOR_SCHEMAS } from './editor-schema.ts';

for (const [name, text] of Object.entries(EDITOR_SCHEMAS))
  writeFileSync(new URL(`../config/${name}`, import.meta.url), text());
