/** The facts and trials of a sweep's page, with names that could be markup. */

import type { SweepFacts, SweepTrial } from '../../src/pages/report/sweep-facts.ts';

export const HOSTILE = '</script><script>window.hit = 1</script><img src=x onerror="window.hit = 1">';

export const TRIALS: readonly SweepTrial[] = Array.from({ length: 12 }, (_, trial) => ({
  trial,
  state: 'played',
  events: 7,
  value: [-5, 3, 8][trial % 3],
  assignment: { spread: 'wide', take: (trial % 3) + 1, 'stop < "x"': trial < 6 ? 2 : 10 },
  figures: { profitNet: [-5, 3, 8][trial % 3] ?? 0, yield: 0.012, ordersSent: 41 },
})).toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0));

function cellOf(value: string) {
  return { value, trials: 4, best: -5, median: -5 };
}

export const FACTS: SweepFacts = {
  name: HOSTILE,
  version: '0.1.0',
  objective: 'maximize profitNet, central bound',
  currency: 'EUR',
  rerun: 'oddsmith sweep rerun sweeps/made --trial',
  goal: 'maximize',
  strategies: [HOSTILE],
  headline: 'Best: trial 2, profitNet +8.00. Luck: enough to explain it.',
  verdict: ['The best of 12 trials is luck.'],
  counted: ['12 trials tried.'],
  figures: [{ name: 'PBO', value: '0.4', says: 'one thing', doesNotSay: HOSTILE }],
  surface: [
    { key: 'spread', effect: 0.1, values: [] },
    { key: 'stop < "x"', effect: 0.3, values: [cellOf('2'), cellOf('10')] },
    { key: 'take', effect: 0.6, values: [cellOf('1'), cellOf('2'), cellOf('3')] },
  ],
  folds: { head: ['fold', 'value'], rows: [['1', HOSTILE]], doesNotSay: '' },
  keys: ['spread', 'stop < "x"', 'take'],
  value: 'profitNet',
  unit: 'money',
  units: { yield: 'share', ordersSent: 'count' },
  meanings: { yield: 'net profit per stake matched' },
  best: 2,
  trials: 12,
};
