/** The API reference in docs/api, made from the docstrings of what the package exports. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';
import type { PluginOptions } from 'typedoc-plugin-markdown';

const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Entries of the package: how they are imported, what they are for, and the name of their page. */
const ENTRIES = [
  {
    module: 'index',
    page: 'oddsmith',
    title: 'oddsmith',
    about: 'What strategies import. [../strategies.md](../strategies.md) is the guide.',
  },
  {
    module: 'testing',
    page: 'testing',
    title: 'oddsmith/testing',
    about: 'Tests of strategies without a tape. [../strategies.md](../strategies.md), "Tests", is the guide.',
  },
  {
    module: 'backtest',
    page: 'backtest',
    title: 'oddsmith/backtest',
    about: 'Backtests, tapes and imports inside a program. [../library.md](../library.md) is the guide.',
  },
  {
    module: 'client',
    page: 'client',
    title: 'oddsmith/client',
    about: 'The exchange API for programs. [../client.md](../client.md) is the guide.',
  },
] as const;

const OPTIONS: Partial<PluginOptions> = {
  hidePageHeader: true,
  hideBreadcrumbs: true,
  hidePageTitle: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  useHTMLAnchors: false,
};

/** Text of each page by its name in docs/api. Names and docstrings alone decide it. */
export async function apiReference(): Promise<ReadonlyMap<string, string>> {
  const out = mkdtempSync(join(tmpdir(), 'oddsmith-api-'));
  try {
    const app = await Application.bootstrapWithPlugins({
      tsconfig: join(ROOT, 'tsconfig.json'),
      entryPoints: ENTRIES.map(({ module }) => join(ROOT, 'src', `${module}.ts`)),
      plugin: ['typedoc-plugin-markdown'],
      outputs: [{ name: 'markdown', path: out }],
      readme: 'none',
      router: 'module',
      disableSources: true,
      // Types are checked by `npm run check`.
      skipErrorChecking: true,
      validation: { notExported: false, invalidLink: true, notDocumented: false },
      logLevel: 'Error',
      ...OPTIONS,
    });
    const project = await app.convert();
    if (project === undefined) throw new Error('the sources cannot be read; see the messages before');
    await app.generateOutputs(project);
    return pagesOf(out);
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

function pagesOf(out: string): ReadonlyMap<string, string> {
  const written = new Set(readdirSync(out));
  return new Map(
    ENTRIES.map(({ module, page, title, about }) => {
      const file = `${module}.md`;
      if (!written.has(file)) throw new Error(`no page was made of src/${module}.ts`);
      const head = `# ${title}\n\n${about} This page is made from the docstrings: \`npm run make:api\`.\n\n`;
      const text = ENTRIES.reduce(
        (body, other) => body.replaceAll(`(${other.module}.md`, `(${other.page}.md`),
        readFileSync(join(out, file), 'utf8'),
      );
      return [`${page}.md`, `${head}${text.trim()}\n`] as const;
    }),
  );
}
