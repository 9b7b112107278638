/** Strategies that do not come back, each in its own way, and one that is merely slow. */

/** Decisions that go well before. */
export const WELL = 200;

const counted = (name: string, more: string, then: string): string => `import { back, defineStrategy } from 'oddsmith';
let asked = 0;
${more}
export default defineStrategy({
  name: '${name}',
  decide({ market, orders }) {
    asked += 1;
    if (asked > ${WELL}) ${then}
    const [outcome] = market.outcomes;
    if (!market.tradable || outcome === undefined || orders.length > 0) return [];
    return [back(outcome, { stake: 2, price: 1000 })];
  },
});
`;

export const HOSTILE = {
  loop: counted('loop', '', 'for (;;);'),
  catching: counted('catching', '', "for (;;) { try { throw new Error('again'); } catch {} }"),
  regex: counted('regex', '', "/^(a+)+$/.test('a'.repeat(60) + 'b');"),
  stream: `import { defineStrategy } from 'oddsmith';
import { map } from 'rxjs';
let asked = 0;
export default defineStrategy({
  name: 'stream',
  run: (inputs$) => inputs$.pipe(map(() => {
    asked += 1;
    while (asked > ${WELL});
    return [];
  })),
});
`,
} as const;

export const SLOW = `import { defineStrategy } from 'oddsmith';
export default defineStrategy({
  name: 'slow',
  decide() {
    for (const from = Date.now(); Date.now() < from + 400; );
    return [];
  },
});
`;
