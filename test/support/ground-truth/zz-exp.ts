import { fidelityOf, gatedScenario, runScenario } from '/work/main/test/support/ground-truth/fidelity.ts';
const g = gatedScenario();
const variants: [string, any][] = [
 ['base', g],
 ['x4 orders', { ...g, crowd: { ...g.crowd, ordersPerSecond: 16 } }],
 ['no heavy tail', { ...g, crowd: { ...g.crowd, stakeMax: g.crowd.stakeMin * 2 as any } }],
 ['life bot 30s', { ...g, bot: { ...g.bot, lifetimeMs: 30_000 } }],
 ['sparse bot', { ...g, bot: { ...g.bot, gapMs: 60_000 } }],
];
for (const [name, s] of variants) {
  const j = [];
  for (let seed = 1; seed <= 9; seed++) j.push(...runScenario(s, { seed, orders: 300 }));
  const f = fidelityOf(j);
  console.log(name, 'bracket', f.bracket, 'bias', (f.bias*100).toFixed(2), 'err', (f.error*100).toFixed(2), 'width', (f.width*100).toFixed(1), 'true', f.matched.truth.toFixed(3));
}
