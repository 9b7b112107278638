/** Notices of a report: those without which the result misleads stand on top, all others are folded below it. */

import type { ReportedResult } from '../../pages/report/report-facts.ts';
import { marketsText, type Notice, type NoticeCode } from '../../result/notices.ts';
import { plural } from '../../words/numbers.ts';
import { type Html, html } from './html-text.ts';

/** The notices with which a result is not final, or not to be believed. */
const ON_TOP: ReadonlySet<NoticeCode> = new Set(['MARKETS_CUT_OFF', 'RESULT_IMPLAUSIBLE']);

export function topNotes(result: ReportedResult): readonly Html[] {
  const generated = result.tapes.flatMap((tape) => (tape.generated === undefined ? [] : [tape.generated]));
  return [
    ...(result.interrupted
      ? [html`<p class="note"><b>Interrupted.</b> The figures cover only what was replayed until then.</p>`]
      : []),
    ...generated.map(
      (how) =>
        html`<details class="note"><summary><b>A generated recording, not real trading.</b></summary>${how.replace(/\.$/, '')}. Its profits say nothing about any real market.</details>`,
    ),
    ...result.warnings.map((warning) => html`<p class="note">${warning}</p>`),
    ...result.notices
      .filter(({ code }) => ON_TOP.has(code))
      .map((notice) => html`<div class="note">${sentences(notice)}</div>`),
  ];
}

/** Undefined where there is none. */
export function foldedNotices({ notices }: ReportedResult): Html | undefined {
  const folded = notices.filter(({ code }) => !ON_TOP.has(code));
  if (folded.length === 0) return undefined;
  return html`<details class="card notices" id="notices"><summary>${plural(folded.length, 'notice')} about this result</summary><ul>${folded.map((notice) => html`<li>${sentences(notice)}</li>`)}</ul></details>`;
}

function sentences(notice: Notice): Html {
  const { code, what, where, next } = notice;
  const markets = marketsText(notice);
  return html`<b>${withCode(what)}</b> ${withCode(next)} <small><code>${code}</code>${where === undefined ? undefined : html` · ${where}`}${markets === undefined ? undefined : html` · markets ${markets}`}</small>`;
}

/** Words between backticks, as notices have them for terminals, are code here. */
function withCode(text: string): readonly Html[] {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}
