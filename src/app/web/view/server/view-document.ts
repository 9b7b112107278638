/** The view’s one document: the bundled page, which holds nothing of what it will show. */

import { html } from '../../../../report/html/html-text.ts';
import { htmlPage, type Page } from '../../../../report/html/page.ts';
import { webBundle } from '../../web-bundle.ts';

let made: Page | undefined;

export function viewDocument(): Page {
  made ??= htmlPage({
    title: 'oddsmith',
    code: webBundle('view'),
    body: html`<main id="view"><noscript>The view needs JavaScript.</noscript></main>`,
    data: {},
    from: 'server',
  });
  return made;
}
