/** The entries of the package, read by TypeDoc. */

import { join } from 'node:path';
import { Application, type ProjectReflection } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';
import { ENTRIES, ROOT, SHARED } from './entry-list.ts';
import { keepWrittenNames } from './names.ts';
import { PageRouter, sortExports } from './router.ts';
import { PageTheme } from './theme.ts';

const OPTIONS: Partial<PluginOptions> = {
  expandObjects: true,
  expandParameters: true,
  tableColumnSettings: {
    hideDefaults: true,
    hideInherited: true,
    hideModifiers: true,
    hideOverrides: true,
    hideSources: true,
    hideValues: true,
    leftAlignHeaders: false,
  },
};

export interface PublicModel {
  readonly app: Application;
  readonly project: ProjectReflection;
}

/** What the entries export. Types are checked by `npm run check`. */
export async function publicModel(): Promise<PublicModel> {
  const app = await Application.bootstrapWithPlugins({
    tsconfig: join(ROOT, 'tsconfig.json'),
    entryPoints: ENTRIES.map(({ module }) => join(ROOT, 'src', `${module}.ts`)),
    plugin: ['typedoc-plugin-markdown'],
    readme: 'none',
    disableGit: true,
    sourceLinkTemplate: '{path}',
    skipErrorChecking: true,
    excludeExternals: true,
    excludePrivate: true,
    excludeProtected: true,
    sort: ['source-order'],
    groupOrder: ['Functions', 'Classes', 'Constants', 'Types', SHARED],
    locales: {
      en: {
        kind_plural_variable: 'Constants',
        kind_plural_reference: SHARED,
        kind_plural_interface: 'Types',
        kind_plural_type_alias: 'Types',
        kind_property: 'Member',
      },
    },
    validation: { notExported: false, invalidLink: true, notDocumented: false },
    treatWarningsAsErrors: true,
    logLevel: 'Warn',
    router: 'entries',
    theme: 'entries',
    ...OPTIONS,
  });
  app.renderer.defineRouter('entries', PageRouter);
  app.renderer.defineTheme('entries', PageTheme);
  keepWrittenNames(app);
  const project = await app.convert();
  if (project === undefined) throw new Error('the sources cannot be read; see the messages before');
  for (const entry of project.children ?? []) {
    entry.name = ENTRIES.find(({ module }) => module === entry.name)?.page ?? entry.name;
    sortExports(entry);
  }
  return { app, project };
}
