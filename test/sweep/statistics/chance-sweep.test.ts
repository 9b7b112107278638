/** A sweep over a strategy that bets by a throw of dice, played on recordings: its own text says that the best trial is luck. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { run } from '../../app/fake-terminal.ts';
import { budget } from '../../support/budget.ts';
import { raceTape } from '../../support/sweep/sweep-stage.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

/** Each ticket bets once in a market, on an outcome that its number and the market's id throw. */
const DICE = `import { back, defineStrategy, param } from 'oddsmith';

export default defineStrategy({
  name: 'dice',
  params: { ticket: param.number({ default: 1, min: 0, max: 100000 }) },
  state: () => ({ hasBet: false }),
  decide({ market, params, state }) {
    if (!market.tradable || state.hasBet) return [];
    let hash = params.ticket + 1;
    for (const letter of market.id) hash = Math.imul(hash ^ letter.charCodeAt(0), 2654435761) ^ (hash >>> 13);
    const outcome = market.outcomes[(hash >>> 7) % market.outcomes.length];
    const price = outcome?.bestFor?.price;
    if (outcome === undefined || price === undefined) return [];
    return { intents: [back(outcome, { stake: 5, price })], state: { hasBet: true } };
  },
});
`;

test('the best of a search by dice is luck', { timeout: 900_000 }, async () => {
  const directory = temporaryDirectory('dice');
  const trials = budget({ each: 30, deep: 1_000 });
  const config = join(directory, 'dice.yaml');
  const file = join(directory, 'dice.ts');
  writeFileSync(file, DICE);
  const space = { 'params.ticket': { from: 1, to: trials, step: 1 } };
  // A bet in each event.
  const constraints = { ordersMatched: { min: 24 } };
  const sweep = { name: 'dice', out: join(directory, 'sweeps'), space, constraints };
  const base = { strategies: [{ file, params: {} }], tapes: [raceTape(0, 24)], isolate: 'event' };
  writeFileSync(config, stringify({ ...base, sweep }));
  const { code, out } = await run('sweep', config, '--jobs', '1');
  expect(code).toBe(0);
  expect(out.replaceAll(/\s+/g, ' ')).toMatch(
    /^Best: trial \d+, profitNet .*\. Luck: enough to explain it, with a best/,
  );
  const { statistics } = JSON.parse((await run('sweep', 'top', join(directory, 'sweeps', 'dice'), '--json')).out);
  if (trials > 100) console.log(statistics.verdict.sentences.join(' '));
  expect(statistics).toMatchObject({ tried: { total: trials }, trials: { whole: trials, part: 0 }, events: 24 });
  expect(statistics.markets.judged).toBeGreaterThan(12);
  expect(statistics.settlement.deviation).toBeUndefined();
});
