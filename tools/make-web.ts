/** Writes the browser code of the pages into dist/web (part of `npm run build`). */

import { build } from 'esbuild';
import { WEB_PAGES, webOptions } from '../src/app/web/web-options.ts';
import { packageDirectory } from '../src/package/running-package.ts';
import { writeLicences } from './bundled-licences.ts';

const ROOT = packageDirectory();

const { metafile } = await build({ ...webOptions(ROOT, WEB_PAGES), logLevel: 'warning' });
writeLicences(ROOT, [metafile], 'dist/web/LICENCES.txt');
