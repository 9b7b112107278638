/** The HTML report of a backtest: one file, no request to anywhere. */

import { gunzipSync, gzipSync } from 'node:zlib';
import { readColumns } from '../../pages/report/read-columns.ts';
import { type AboutRun, reportData } from '../../pages/report/report-data.ts';
import type { ReportableResult, ReportFacts } from '../../pages/report/report-facts.ts';
import { calibrationCard } from './html-calibration.ts';
import { foldedNotices } from './html-notices.ts';
import { proof } from './html-proof.ts';
import { refusals } from './html-refusals.ts';
import { firstSight, strategies } from './html-result.ts';
import * as section from './html-sections.ts';
import { fills, luckAndSkill } from './html-statistics.ts';
import { cellsCard } from './html-statistics-tables.ts';
import { html } from './html-text.ts';
import { htmlPage, type PageCode } from './page.ts';

/** A report's data as it is kept beside a run: its page is drawn from nothing else. */
export interface PackedReport {
  readonly facts: ReportFacts;
  /** Facts and tables, gzipped: the content of `report-data.gz`. */
  readonly packed: Uint8Array;
}

export function packedReport(result: ReportableResult, about: AboutRun = OF_BACKTEST): PackedReport {
  const { facts, bytes } = reportData(result, about);
  return { facts, packed: gzipSync(bytes, { level: 9 }) };
}

const OF_BACKTEST: AboutRun = { kind: 'backtest', missing: [] };

/** @throws Error where the bytes are no report's data, or that of another version */
export function unpackedReport(packed: Uint8Array): PackedReport {
  return { facts: readColumns(gunzipSync(packed)).facts as ReportFacts, packed };
}

/** The whole document. Names in the result are escaped wherever they stand. */
export function reportPage({ facts, packed }: PackedReport, code: PageCode): string {
  const { result } = facts;
  const title = result.strategies.map((strategy) => strategy.name).join(', ');
  const body = html`<main>
${section.header(facts)}
${firstSight(facts)}
${foldedNotices(result)}
${strategies(facts)}
${section.tiles(facts)}
${section.curve(facts)}
${section.glance(facts)}
${luckAndSkill(result)}
${section.origins(facts)}
${result.statistics && cellsCard(result.statistics)}
${fills(facts)}
${result.statistics && calibrationCard(result.statistics)}
${section.markets(facts)}
<div id="orders-place"></div>
<div class="pair">${section.orderFlow(result)}${section.basis(facts)}</div>
${refusals(facts)}
${proof(result)}
${section.leftOut(result)}
${section.footer(facts)}
</main>`;
  const data = { data: Buffer.from(packed).toString('base64') };
  return htmlPage({ title: `${title} – oddsmith ${section.KINDS[facts.kind]}`, code, body, data, from: 'file' }).html;
}
