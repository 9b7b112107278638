/** Notices as notes of the report. */

import { marketsText, type Notice } from '../../result/notices.ts';
import { type Html, html } from './html-text.ts';

export function noticeNotes(notices: readonly Notice[]): readonly Html[] {
  return notices.map((notice) => {
    const { code, what, where, next } = notice;
    const markets = marketsText(notice);
    return html`<p class="note"><b>${withCode(what)}</b> ${withCode(next)}<br><small><code>${code}</code>${where === undefined ? undefined : html` · ${where}`}${markets === undefined ? undefined : html` · markets ${markets}`}</small></p>`;
  });
}

/** Words between backticks, as notices have them for terminals, are code here. */
function withCode(text: string): readonly Html[] {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
