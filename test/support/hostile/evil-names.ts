/** Names that are markup, formulas, or commands of a terminal, and a recording and a strategy that are full of them. */

import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { SAMPLE_TAPE } from '../places.ts';

/** Each would do something somewhere: run in a page, be calculated by a spreadsheet, rewrite a terminal, turn a line around, break a record or a layout. */
export const EVIL_NAMES: readonly string[] = [
  '</script><script>window.hit = 1</script><img src=x onerror="window.hit = 1">',
  '"\' onmouseover="window.hit = 1" x="</style></title><svg onload=window.hit=1>',
  "=cmd|' /C calc'!A0",
  '+1',
  '-1',
  '@SUM(1+1)*cmd',
  '\t=1+1',
  '\r=1+1',
  'semicolon;=1+1',
  '\u001b[2J\u001b]0;title\u0007\u009b31m',
  'turned \u202egnp.exe\u2066 around',
  'nul \u0000 line\r\nbreak\u2028 lone \ud800',
  'javascript:window.hit=1',
  `long ${'x'.repeat(3_000)}`,
];

/** For files and directories, which can hold neither a slash nor NUL. */
export const EVIL_FILE = '=cmd \u001b[2J\u202e <img src=x onerror="window.hit=1">\'';

/** The sample recording with evil names for events, markets, types and outcomes, and evil ids. */
export function evilTape(folder: string): string {
  const tape = join(folder, `${EVIL_FILE}.tape`);
  copyFileSync(SAMPLE_TAPE, tape);
  const database = new Database(tape);
  const rows = database.prepare('SELECT key, description FROM market').all() as { key: number; description: string }[];
  let next = 0;
  const evil = (): string => EVIL_NAMES[next++ % EVIL_NAMES.length] ?? '';
  for (const { key, description } of rows) {
    const { facts, ...rest } = JSON.parse(description);
    const outcomes = facts.outcomes.map((outcome: object) => ({ ...outcome, title: evil() }));
    const named = { ...facts, id: `${key} ${evil()}`, name: evil(), eventName: evil(), marketTypeId: evil(), outcomes };
    database
      .prepare('UPDATE market SET description = ? WHERE key = ?')
      .run(JSON.stringify({ ...rest, facts: named }), key);
  }
  database.close();
  return tape;
}

/** Backs what it can with evil notes, plots, and asks for much that is refused. */
export function evilStrategy(folder: string): string {
  const file = join(folder, `${EVIL_FILE}.ts`);
  writeFileSync(
    file,
    `import { defineStrategy, param } from 'oddsmith';
const NOTES = ${JSON.stringify(EVIL_NAMES.map((name) => name.slice(0, 200)))};
let next = 0;
export default defineStrategy({
  name: 'evil',
  params: { word: param.text({ default: NOTES[0] }) },
  decide({ market, orders, plot }) {
    const note = NOTES[Math.floor(next++ / 7) % NOTES.length];
    if (!market.tradable || next % 7 !== 0) return [];
    plot?.({ 'p <img src=x onerror=window.hit=1>': next });
    const outcome = market.outcomes[next % market.outcomes.length];
    const place = { kind: 'place', market: market.id, outcome: outcome.id, note } as const;
    return [
      ...(orders.length > 20 || outcome.bestAgainst === undefined ? [] : [{ ...place, side: 'For', price: outcome.bestAgainst.price, stake: 5 } as const]),
      { ...place, side: 'For', price: 2, stake: 1e5 },
      { ...place, outcome: note, side: 'Against', price: 2, stake: 5 },
    ];
  },
});
`,
  );
  return file;
}
