/** The page of the verdict: it has what the verdict has, breaks on no name, and asks nobody for anything. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeVerdict } from '../../src/app/output/verdict-page.ts';
import { USUAL_TERMS } from '../../src/sandbox-betfair/names/account-terms.ts';
import { FaceStage, limit } from '../support/sandbox-betfair/face-stage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

function page(stage: FaceStage): string {
  const file = join(temporaryDirectory('verdict'), 'pages', 'verdict.html');
  writeVerdict(stage.face, file);
  return readFileSync(file, 'utf8');
}

test('a page without accounts says so', () => {
  expect(page(new FaceStage())).toContain('No client logged in.');
});

test('accounts, markets and bets are on the page with the amounts of the verdict', () => {
  const stage = new FaceStage({ accounts: new Map([[HOSTILE, { ...USUAL_TERMS, currency: 'EUR' }]]) });
  for (const name of ['mary', encodeURIComponent(HOSTILE)]) {
    const client = stage.login(name);
    const query = {
      filter: { marketTypeCodes: ['WIN', 'MATCH_ODDS'], inPlayOnly: false },
      sort: 'FIRST_TO_START',
      maxResults: 4,
    };
    const found = client.call('listMarketCatalogue', { ...query, marketProjection: ['RUNNER_DESCRIPTION'] });
    for (const { marketId, runners = [] } of found) {
      const selections = runners.slice(0, 3).map(({ selectionId }) => selectionId);
      const instructions = selections.map((selectionId) => limit({ selectionId, price: 1.01, size: 3.37 }));
      client.call('placeOrders', { marketId, instructions });
      client.call('placeOrders', {
        marketId,
        instructions: [limit({ selectionId: selections[0] ?? 0, price: 900, size: 2 })],
      });
    }
  }
  const markets = [...new Set(stage.face.verdict().flatMap((account) => account.markets))].slice(0, 3);
  for (const { marketId } of markets) {
    const market = stage.market(marketId);
    stage.command({ kind: 'lock', market });
    stage.command({ kind: 'settle', market, winners: [0] });
  }
  const text = page(stage);
  expect(text).not.toContain(HOSTILE);
  expect(text).toContain('&lt;img src=x');
  const verdict = stage.face.verdict({ hasOrders: true });
  expect(verdict.map(({ currency }) => currency)).toEqual(['GBP', 'EUR']);
  for (const { markets: own, commission } of verdict) {
    expect(text).toContain(commission.toFixed(2));
    for (const { marketId, orders = [], profit } of own) {
      expect(text).toContain(marketId);
      expect(orders).toHaveLength(4);
      for (const { betId, sizeMatched } of orders) {
        expect(text).toContain(betId);
        expect(text).toContain(sizeMatched.toFixed(2));
      }
      if (profit === undefined) continue;
      expect(orders.reduce((sum, bet) => sum + Math.round((bet.profit ?? 0) * 100), 0)).toBe(Math.round(profit * 100));
    }
  }
  expect(text).toMatch(/default-src &#39;none&#39;/);
  expect(text).not.toMatch(/<[^>]+ (style|src|onerror)=/);
});
