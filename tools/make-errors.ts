/** Writes docs/errors.md anew: `npm run make:errors`. */

import { writeFileSync } from 'node:fs';
import { errorsDocument } from './errors-document.ts';

writeFileSync(new URL('../docs/errors.md', import.meta.url), errorsDocument());
