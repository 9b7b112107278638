/** The one document of a page that a server fills: the bundled page, which holds nothing of what it will show. */

import { html } from '../../report/html/html-text.ts';
import { htmlPage, type Page } from '../../report/html/page.ts';
import { sideWords } from '../../words/side-words.ts';
import { webBundle } from './web-bundle.ts';
import type { WebPage } from './web-options.ts';

const made = new Map<string, Page>();

/** The page finds its place by its own name. */
export function pageDocument(page: WebPage): Page {
  const key = `${page} ${sideWords()}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const document = htmlPage({
    title: 'oddsmith',
    code: webBundle(page),
    body: html`<main id="${page}"><noscript>The ${page} needs JavaScript.</noscript></main>`,
    data: {},
    from: 'server',
  });
  made.set(key, document);
  return document;
}
