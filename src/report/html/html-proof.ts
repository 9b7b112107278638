/** What a proof against lookahead has shown, as a section of the report. */

import type { ReportedResult } from '../../pages/report/report-facts.ts';
import type { ProofInstant } from '../../result/result.ts';
import { count, plural, utc } from '../../words/numbers.ts';
import { proofSentence } from '../text/proof-text.ts';
import { type Html, html } from './html-text.ts';

const KINDS: Readonly<Record<ProofInstant['kind'], string>> = {
  random: 'by chance',
  beforeInPlay: 'just before in play',
  beforeSettlement: 'just before settlement',
};

/** This many instants are listed. */
const SHOWN = 50;

export function proof({ proof: proven }: ReportedResult): Html | undefined {
  if (proven === undefined) return undefined;
  const { instants, ways, notShown, replays, timesRun } = proven;
  const rows = instants.slice(0, SHOWN).map(instantRow);
  return html`<section class="card"><div class="head"><h2>Proof against lookahead</h2></div><p>${proofSentence(proven)}</p><dl>
<dt>altered</dt><dd>${ways.join('; ')}</dd>
<dt>cost</dt><dd>${plural(replays, 'replay')} of ${timesRun} times the run's updates</dd>
${notShown.map((each) => html`<dt>not shown</dt><dd>${each}</dd>`)}</dl><details><summary>${plural(instants.length, 'instant')}</summary><dl>${rows}</dl></details></section>`;
}

function instantRow({ at, kind, market, steps }: ProofInstant): Html {
  return html`<dt>${utc(at)}</dt><dd>${KINDS[kind]}, market ${market}: ${count(steps)} steps</dd>`;
}
