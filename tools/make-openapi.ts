/** Writes docs/openapi.json anew: `npm run make:openapi`. */

import { writeFileSync } from 'node:fs';
import { openApiText } from '../src/betdex/wire/openapi.ts';

writeFileSync(new URL('../docs/openapi.json', import.meta.url), openApiText());
