/** The API reference in docs/api, made by TypeDoc from the docstrings of what the package exports. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PublicModel, publicModel } from './api/entries.ts';
import { ENTRIES } from './api/entry-list.ts';
import { missingDescriptions } from './api/missing.ts';

/** Text of each page by its name in docs/api. @throws Error where a description is missing, with the place of each */
export async function apiReference(): Promise<ReadonlyMap<string, string>> {
  const model = await publicModel();
  const missing = missingDescriptions(model.project);
  if (missing.length > 0) throw new Error(`Without a description:\n${missing.join('\n')}`);
  return await pagesOf(model);
}

export async function pagesOf({ app, project }: PublicModel): Promise<ReadonlyMap<string, string>> {
  const out = mkdtempSync(join(tmpdir(), 'oddsmith-api-'));
  try {
    app.options.setValue('outputs', [{ name: 'markdown', path: out }]);
    await app.generateOutputs(project);
    if (app.logger.hasErrors() || app.logger.hasWarnings())
      throw new Error('TypeDoc found mistakes; see the messages before');
    return new Map(ENTRIES.map(({ page }) => [`${page}.md`, readFileSync(join(out, `${page}.md`), 'utf8')]));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
