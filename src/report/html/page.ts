/** One HTML document whose scripts and styles are allowed by their hash alone, with its data inside. */

import { createHash } from 'node:crypto';
import { sideWords } from '../../words/side-words.ts';
import { type Html, html, trusted } from './html-text.ts';

/** A page's own code, which was bundled for browsers (`app/web/web-bundle.ts`). */
export interface PageCode {
  readonly script: string;
  readonly style: string;
}

export interface PageParts {
  readonly title: string;
  readonly code: PageCode;
  /** What is shown before the script runs, and without it; the script finds its places there. */
  readonly body: Html;
  /** Base64 by the id of the element that holds it: never run, and read by the script (`web/parts/page-data.ts`). */
  readonly data: Readonly<Record<string, string>>;
  /** A file makes no request; a page that is served may ask the server that it came from, and no other. */
  readonly from: 'file' | 'server';
}

export interface Page {
  readonly html: string;
  /** The same policy as in the document, and who may frame it: for the header of an answer. */
  readonly policy: string;
}

/** No text of it needs `unsafe-inline`: so no `style=` and no `on…=` may stand in `body`, styles are set by script. */
export function htmlPage({ title, code, body, data, from }: PageParts): Page {
  const policy = policyOf(code, from);
  const blocks = Object.entries(data).map(
    ([id, base64]) => html`<script type="application/octet-stream" id="${id}">${base64}</script>\n`,
  );
  const page = html`<!doctype html>
<html lang="en-GB" data-sides="${sideWords()}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer"><link rel="icon" href="data:,">
<title>${title}</title>
<style>${trusted(code.style)}</style></head>
<body>
${body}
${blocks}<script>${trusted(code.script)}</script>
</body></html>
`;
  return { html: page.html, policy: `${policy}; frame-ancestors 'none'` };
}

function policyOf({ script, style }: PageCode, from: PageParts['from']): string {
  return [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    'img-src data:',
    ...(from === 'server' ? ["connect-src 'self'"] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
