/** The facts and trials of a sweep's page, with names that could be markup. */

import type { SweepFacts, SweepTrial } from '../../src/pages/report/sweep-facts.ts';

export const HOSTILE = '</script><script>window.hit = 1</script><img src=x onerror="window.hit = 1">';

export const TRIALS: readonly SweepTrial[] = Array.from({ length: 12 }, (_, trial) => ({
  trial,
  state: 'played',
  events: 7,
  value: [-5, 3, 8][trial % 3],
  assignment: { take: (trial % 3) + 1, 'stop < "x"': trial < 6 ? 2 : 10 },
  figures: { profitNet: [-5, 3, 8][trial % 3] ?? 0, yield: 0.012, ordersSent: 41 },
})).toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0));

export const FACTS: SweepFacts = {
  name: HOSTILE,
  version: '0.1.0',
  objective: 'maximize profitNet, central bound',
  currency: 'EUR',
  rerun: 'oddsmith sweep rerun sweeps/made --trial',
  goal: 'maximize',
  strategies: [HOSTILE],
  verdict: ['The best of 12 trials is luck.'],
  counted: ['12 trials tried.'],
  figures: [{ name: 'PBO', value: '0.4', says: 'one thing', doesNotSay: HOSTILE }],
  surface: [{ key: 'take', values: [{ value: '1', trials: 4, best: -5, median: -5 }] }],
  folds: { head: ['fold', 'value'], rows: [['1', HOSTILE]], doesNotSay: '' },
  keys: ['stop < "x"', 'take'],
  units: { profitNet: 'money', yield: 'share', ordersSent: 'count' },
  meanings: { profitNet: 'profit after commission' },
  best: 2,
  trials: 12,
};
