/** Writes config/backtest.schema.json anew: `npm run make:schema`. */

import { writeFileSync } from 'node:fs';
import { editorSchemaText } from './editor-schema.ts';

writeFileSync(new URL('../../../config/backtest.schema.json', import.meta.url), editorSchemaText());
