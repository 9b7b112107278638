/** Script and style of a page as text: as `npm run build` made them, or bundled at this moment where the sources run. */

import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync } from 'esbuild';
import { codeDirectory, packageDirectory } from '../../package/running-package.ts';
import type { PageCode } from '../../report/html/page.ts';
import { type WebPage, webOptions } from './web-options.ts';

const made = new Map<WebPage, PageCode>();

/** Nothing here is asynchronous: a run whose strategy hangs writes its report too. */
export function webBundle(page: WebPage): PageCode {
  const known = made.get(page);
  if (known !== undefined) return known;
  const isBuilt = basename(codeDirectory()) === 'dist';
  const code = isBuilt ? builtPage(page) : bundledPage(page).code;
  made.set(page, code);
  return code;
}

function builtPage(page: WebPage): PageCode {
  const text = (extension: string): string =>
    readFileSync(join(codeDirectory(), 'web', `${page}.${extension}`), 'utf8');
  return { script: text('js'), style: text('css') };
}

export interface BundledPage {
  readonly code: PageCode;
  /** Bytes of the bundle by the source that they are of. */
  readonly inputs: ReadonlyMap<string, number>;
}

/** Bundled from the sources. */
export function bundledPage(page: WebPage): BundledPage {
  const { outputFiles, metafile } = buildSync({ ...webOptions(packageDirectory(), [page]), write: false });
  const text = (extension: string): string =>
    outputFiles.find(({ path }) => path.endsWith(`.${extension}`))?.text ?? '';
  const inputs = new Map<string, number>();
  for (const output of Object.values(metafile.outputs)) {
    for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) inputs.set(path, bytesInOutput);
  }
  return { code: { script: text('js'), style: text('css') }, inputs };
}
