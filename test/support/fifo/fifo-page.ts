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

The tables above are measured with the matching of this program. A second ground truth shares no line with it (\`test/support/fifo/\`): an exchange of one queue
for each price, a crowd whose every cancellation is planned, frozen orders of ours with the time at which each is given up. Its recording is Betfair text; it is
imported, and a strategy plays the orders in a backtest in three worlds, as a user does it. Several of our orders may stand in one queue.

Written by \`${origin.command}\`, which \`npm run test:deep\` holds to the demands below; ${origin.markets} markets to a row. The rules were
chosen on seeds 1 to 4 of these crowds, and how much these crowds trade and cancel was set once, so that the intervals are about as wide as those of the tables above:
where more is cancelled while an order waits, the central bias of cancellations by age is larger. The table is of other seeds.

| crowd | orders | truth within the interval | asked | central bias | asked | width | mean error | truly matched |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
${measured.map(row).join('\n')}

What one of your orders matches it keeps from others, whose stake then lives on: it stands before your next order at that price, a trade at a worse price passes it
first, and of it as large a share is given up as of its level. Where it is when a level is empty on the tape, nothing shows. So orders of yours that stand in line
one behind the other, or come where another one was, are less certain than one alone. An order that is filled less in one world leaves more to the next one once it
is given up; the bounds of a later order are therefore not always in order (they are in 99.4 % of orders in one queue and more elsewhere).
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
