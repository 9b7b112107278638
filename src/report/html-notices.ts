/** Notices as notes of the report. */

import { type Html, html } from './html-text.ts';
import { marketsInWords, type Notice } from './notices.ts';

export function noticeNotes(notices: readonly Notice[]): readonly Html[] {
  return notices.map((notice) => {
    const { code, what, where, next } = notice;
    const markets = marketsInWords(notice);
    return html`<p class="note"><b>${what}</b> ${next}<br><small><code>${code}</code>${where === undefined ? undefined : html` · ${where}`}${markets === undefined ? undefined : html` · markets ${markets}`}</small></p>`;
  });
}
