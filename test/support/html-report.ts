/** A result's report as one text: its data and its page, as a run writes them. */

import { packedReport, reportPage } from '../../src/report/html/html.ts';
import type { PageCode } from '../../src/report/html/page.ts';
import type { BacktestResult } from '../../src/result/result.ts';

export function htmlReport(result: BacktestResult, code: PageCode): string {
  return reportPage(packedReport(result), code);
}
