/** The dashboard’s one document: the bundled page, which holds nothing of what it will show. */

import { html } from '../../../../report/html/html-text.ts';
import { htmlPage, type Page } from '../../../../report/html/page.ts';
import { webBundle } from '../../web-bundle.ts';

let made: Page | undefined;

export function dashboardDocument(): Page {
  made ??= htmlPage({
    title: 'oddsmith',
    code: webBundle('dashboard'),
    body: html`<main id="dashboard"><noscript>The dashboard needs JavaScript.</noscript></main>`,
    data: {},
    from: 'server',
  });
  return made;
}
