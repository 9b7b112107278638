/** Tapes of made markets that are long enough for pictures, with all that may happen to a market before its window opens. */

import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { Random } from '../../../src/core/number/random.ts';
import type { Instant } from '../../../src/core/number/units.ts';
import { UpdateBuffer } from '../../../src/recording/segment/update-buffer.ts';
import type { RecordedDefinition } from '../../../src/recording/tape/definition.ts';
import type { MarketKey } from '../../../src/recording/tape/market-packer.ts';
import { TapeWriter } from '../../../src/recording/tape/tape-writer.ts';
import { madeDefinition, madeFacts } from '../made-market.ts';
import { DAY, MINUTE } from '../made-races.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const OUTCOMES = 3;
const UPDATES = 3_200;
const MIDDLE = 120;

/** The same tape without its pictures, as an earlier version wrote it: it is folded from the start. */
export function withoutPictures(tape: string): string {
  const copy = join(temporaryDirectory('folded'), 'folded.tape');
  copyFileSync(tape, copy);
  const database = new Database(copy);
  database.exec('DROP TABLE picture');
  database.close();
  return copy;
}

export function picturedTape(seed: number, markets = 3): string {
  const path = join(temporaryDirectory('pictured'), 'pictured.tape');
  const random = Random.fromSeed(seed);
  const writer = TapeWriter.create(path);
  const made = Array.from({ length: markets }, (_, index) => madeMarket(random, index));
  const keys = made.map(() => writer.startMarket());
  const timed = made.flatMap(({ updates }, market) => updates.map((update) => ({ ...update, market })));
  timed.sort((a, b) => a.at - b.at || a.market - b.market);
  const buffer = new UpdateBuffer();
  for (const { at, market, definition, prices } of timed) {
    const key = keys[market] as MarketKey;
    buffer.start(at as Instant);
    if (definition !== undefined) buffer.definition(writer.addDefinition(key, definition));
    for (let i = 0; i < prices; i += 1) addChange(buffer, random);
    writer.appendUpdate(key, buffer);
  }
  for (const [index, { startAt, depth }] of made.entries())
    writer.finishMarket(keys[index] as MarketKey, {
      facts: madeFacts(`1.${index}`, OUTCOMES, { eventId: `e${index}`, expectedStartTime: startAt as Instant }),
      ...{ bettingType: 'ODDS', grade: depth === undefined ? 'A' : 'B', winnerCount: 1 },
      ...{ source: { file: 'made', sha256: '' }, ...(depth === undefined ? {} : { depth }) },
    });
  writer.finish();
  return path;
}

interface MadeUpdate {
  readonly at: number;
  readonly definition: RecordedDefinition | undefined;
  /** How many levels it changes. */
  readonly prices: number;
}

function madeMarket(random: Random, index: number) {
  const below = (most: number) => Math.floor(random.uniform() * most);
  const first = DAY + index * 7 * MINUTE;
  const startAt = first + (90 + below(60)) * MINUTE;
  const turnsInPlay = below(3) > 0;
  const offAt = turnsInPlay ? startAt + below(4 * MINUTE) - MINUTE : undefined;
  const end = startAt + (5 + below(20)) * MINUTE;
  const defined: { readonly at: number; readonly change: Partial<RecordedDefinition> }[] = [];
  let start = startAt;
  for (let at = first + below(20 * MINUTE); at < startAt; at += below(30 * MINUTE) + 1_000) {
    const what = below(5);
    if (what === 0) start = startAt + (below(20) - 10) * MINUTE;
    // Suspended until the next change, or for a moment, or from there to the off.
    if (what < 4) defined.push({ at, change: { suspended: what === 1 || what === 2 } });
    else defined.push({ at, change: { outcomes: [{ status: 'Active' }, { status: 'Active' }, removedAt(at)] } });
    if (what === 2) defined.push({ at: at + below(MINUTE), change: { suspended: false } });
  }
  if (below(3) > 0) defined.push({ at: startAt - below(12) * MINUTE, change: { suspended: false } });
  const base = { expectedStartTime: start as Instant, commissionPpm: 50_000 };
  const status = (at: number) => {
    const isInPlay = offAt !== undefined && at >= offAt;
    return { inPlayStatus: isInPlay ? 'InPlay' : turnsInPlay ? 'PrePlay' : 'NotApplicable' } as const;
  };
  if (offAt !== undefined) defined.push({ at: offAt, change: {} }, { at: offAt + 2 * MINUTE, change: SUSPENDED });
  defined.sort((a, b) => a.at - b.at);
  const updates: MadeUpdate[] = [];
  const startsLater = below(4) === 0;
  let change: Partial<RecordedDefinition> = {};
  updates.push({
    at: first,
    definition: startsLater ? undefined : madeDefinition(OUTCOMES, { ...base, ...status(first) }),
    prices: 4,
  });
  for (const { at, change: next } of defined) {
    change = { ...change, ...next };
    const definition = madeDefinition(OUTCOMES, { ...base, ...status(at), ...change });
    updates.push({ at, definition, prices: below(3) * 4 });
  }
  if (below(4) > 0)
    updates.push({ at: end, definition: madeDefinition(OUTCOMES, { ...base, ...status(end), ...RESULT }), prices: 0 });
  for (let i = 0; i < UPDATES; i += 1) {
    // Half of them in the last third before the start.
    const at = below(2) === 0 ? first + below(end - first) : startAt - below(40 * MINUTE);
    updates.push({ at: Math.max(first, at), definition: undefined, prices: below(40) === 0 ? 0 : 4 + below(12) });
  }
  return { startAt, depth: below(2) === 0 ? undefined : 3, updates: inOrder(updates) };
}

const SUSPENDED = { suspended: true } as const;
const RESULT: Partial<RecordedDefinition> = {
  status: 'Settled',
  outcomes: [{ status: 'Winner' }, { status: 'Loser' }, { status: 'Loser' }],
};

function removedAt(at: number) {
  return { status: 'Removed', factorPpm: 100_000, removedAt: at as Instant } as const;
}

/** By time, with the first one first. */
function inOrder([first, ...rest]: readonly MadeUpdate[]): readonly MadeUpdate[] {
  rest.sort((a, b) => a.at - b.at);
  return first === undefined ? [] : [first, ...rest];
}

/** Stake that backs can take lies below the middle, stake that lays can take above it. */
function addChange(buffer: UpdateBuffer, random: Random): void {
  const below = (most: number) => Math.floor(random.uniform() * most);
  const outcome = below(OUTCOMES);
  const side = below(2);
  const ticks = 1 + below(30);
  const tick = side === 0 ? MIDDLE + ticks : MIDDLE - ticks;
  const kind = below(13);
  if (kind === 12) buffer.startingPrice(outcome, below(3), 1_000 + below(20_000));
  else if (kind === 0) buffer.trade(outcome, tick, (1 + below(400)) * 5_000 + below(2));
  else if (kind === 1) buffer.lastPrice(outcome, tick);
  else buffer.level(outcome, side, tick, below(4) === 0 ? 0 : (1 + below(9_000)) * 10_000);
}
