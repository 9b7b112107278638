/** The part of docs/fidelity.md about the exchange that shares no code with ours. */

import type { Demanded, Fidelity } from './fifo-scenarios.ts';

const HEADING = '## Beside an exchange that shares no code with ours';

/** The page with this part anew. What stands before it is written by `npm run ground-truth`. */
export function withFifoPart(
  page: string,
  measured: readonly { readonly scenario: Demanded; readonly fidelity: Fidelity }[],
  origin: { readonly command: string; readonly markets: number },
): string {
  const others = page.replace(fifoPartOf(page), '').trimEnd();
  return `${others}

${HEADING}

A second ground truth shares no line with the matching of this program (\`test/support/fifo/\`): one queue for each price, a crowd whose every cancellation is planned,
frozen orders of ours. Its recording is Betfair text; it is imported, and a strategy plays the orders in a backtest, as a user does it.

Written by \`${origin.command}\`; \`npm run test:deep\` demands what is *asked* below. A row has ${origin.markets} markets. The rules were chosen on
other seeds of these crowds. The crowds trade and cancel so much that the intervals are about as wide as those above: where more is cancelled while an order waits, cancellations by age bias the central bound more.

| crowd | orders | truth within the interval | asked | central bias | asked | width | mean error | truly matched |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
${measured.map(row).join('\n')}

Orders of yours that stand one behind the other, or where another one was, are less certain than one alone. An order that is filled less in one world leaves more
to the next one, so the bounds of a later order are not always in order (they are in 99.4 % of orders in one queue, and more elsewhere).
`;
}

/** This part of a page, for who writes the rest of it. */
export function fifoPartOf(page: string): string {
  return page.includes(HEADING) ? page.slice(page.indexOf(HEADING)) : '';
}

function row({ scenario, fidelity }: { readonly scenario: Demanded; readonly fidelity: Fidelity }): string {
  const cells = [
    scenario.name,
    fidelity.orders,
    `${(100 * fidelity.bracket).toFixed(1)} %`,
    `${100 * scenario.bracketLeast} %`,
    `${fidelity.bias < 0 ? '−' : '+'}${Math.abs(fidelity.bias).toFixed(2)}`,
    `± ${scenario.biasMost}`,
    fidelity.width.toFixed(2),
    fidelity.error.toFixed(2),
    `${fidelity.matched.toFixed(1)} %`,
  ];
  return `| ${cells.join(' | ')} |`;
}
