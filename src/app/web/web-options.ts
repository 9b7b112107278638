/** How the browser code of a page is bundled: the one place for the build, for sources that run as they are, and for tests. */

import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';

/** Each is `src/web/NAME.tsx`, and `dist/web/NAME.js` with its style sheet beside it. */
export const WEB_PAGES = ['report', 'sweep', 'dashboard', 'view'] as const;
export type WebPage = (typeof WEB_PAGES)[number];

export function webOptions(packageDirectory: string, pages: readonly WebPage[]) {
  return {
    absWorkingDir: packageDirectory,
    entryPoints: pages.map((page) => join('src/web', `${page}.tsx`)),
    outdir: join('dist', 'web'),
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    tsconfigRaw: '{}',
    legalComments: 'none',
    charset: 'utf8',
    metafile: true,
    logLevel: 'silent',
  } as const satisfies BuildOptions;
}
