/** A second, simple reading of Betfair recordings, sharing no code with the importer that it judges. */

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { type Book, bookOf, keyOf, type Levels, risesOf, tradesAmong } from './betfair-reader-trades.ts';

/** A runner after a message. `back` is what a backer can take (atb, resting Against), `lay` what a layer can (atl). */
export interface ReadRunner {
  /** The whole crowd as known: of a best-few file the window and what is remembered beyond it. */
  readonly back: Levels;
  readonly lay: Levels;
  /** Best-few files: what the windows show, best first. */
  readonly backWindow: [number, number][];
  readonly layWindow: [number, number][];
  lastPrice: number | undefined;
  near: number | undefined;
  far: number | undefined;
}

export interface ReadTrade {
  readonly outcome: string;
  readonly price: number;
  /** Backer's stake in the source's currency: half of what both sides count. */
  readonly stake: number;
}

export interface ReadUpdate {
  readonly market: string;
  readonly publishedAt: number;
  /** Runners that this update may have changed. */
  readonly touched: ReadonlySet<string>;
  readonly runners: ReadonlyMap<string, ReadRunner>;
  readonly trades: readonly ReadTrade[];
  // biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
  readonly definition: any;
}

/** The text of a recording, unpacked by other people's programs. */
export function readText(path: string): string {
  if (path.endsWith('.bz2')) return run(existsOnPath('bzip2') ? ['bzip2', '-dc', path] : python('bz2', path));
  if (path.endsWith('.zip')) return run(python('zip', path));
  if (path.endsWith('.gz')) return run(['gunzip', '-c', path]);
  return readFileSync(path, 'utf8');
}

const PYTHON = `
import sys, bz2, zipfile
kind, path = sys.argv[1:]
if kind == 'bz2': data = bz2.open(path).read()
else:
    archive = zipfile.ZipFile(path)
    data = b''.join(archive.read(name) for name in archive.namelist())
sys.stdout.buffer.write(data)
`;

function python(kind: string, path: string): string[] {
  return ['python3', '-c', PYTHON, kind, path];
}

function existsOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(`${folder}/${program}`));
}

/** A program may complain of a bad checksum at the end: what it wrote before is taken. */
function run([program, ...rest]: string[]): string {
  const done = spawnSync(program as string, rest, { maxBuffer: 2 ** 30 });
  if (done.error !== undefined) throw done.error;
  return done.stdout.toString('utf8');
}

interface Side {
  /** The window by position. */
  shown: ([number, number] | undefined)[];
  remembered: Levels;
}

interface Market {
  runners: Map<string, ReadRunner>;
  windows: Map<string, { back: Side; lay: Side }>;
  volume: Map<string, Levels>;
  marks: Map<string, Levels>;
  // biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
  definition: any;
  reconciledAt: number | undefined;
  full: boolean;
  /** Positions that the windows have, as far as seen. */
  depth: number;
  updates: number;
}

/** Reads until the first line that is no JSON. Lines with one clk and pt are one message. */
export function* readUpdates(text: string): Generator<ReadUpdate> {
  const markets = new Map<string, Market>();
  for (const { pt, mc } of readMessages(text)) for (const change of mergedChanges(mc)) yield apply(markets, pt, change);
}

// biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
function* readMessages(text: string): Generator<{ pt: number; clk?: string; mc: any[] }> {
  // biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
  let held: { pt: number; clk?: string; mc: any[] } | undefined;
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    // biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
    let message: any;
    try {
      message = JSON.parse(line);
    } catch {
      break;
    }
    const mc = message.mc ?? [];
    if (held !== undefined && message.clk && message.clk === held.clk && message.pt === held.pt) {
      held.mc.push(...mc);
      continue;
    }
    if (held !== undefined) yield held;
    held = { pt: message.pt, clk: message.clk, mc: [...mc] };
  }
  if (held !== undefined) yield held;
}

/** A message's entries of one market as one: an image begins anew, the last definition counts. */
// biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
function mergedChanges(entries: any[]): any[] {
  // biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
  const byMarket = new Map<string, any>();
  for (const entry of entries) {
    const before = byMarket.get(entry.id);
    const kept = entry.img ? [] : (before?.rc ?? []);
    byMarket.set(entry.id, {
      ...before,
      ...entry,
      img: entry.img || before?.img,
      marketDefinition: entry.marketDefinition ?? before?.marketDefinition,
      rc: [...kept, ...(entry.rc ?? [])],
    });
  }
  return [...byMarket.values()];
}

// biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
function apply(markets: Map<string, Market>, publishedAt: number, change: any): ReadUpdate {
  let market = markets.get(change.id);
  if (market === undefined) {
    market = {
      runners: new Map(),
      windows: new Map(),
      volume: new Map(),
      marks: new Map(),
      definition: undefined,
      reconciledAt: undefined,
      full: false,
      depth: 0,
      updates: 0,
    };
    markets.set(change.id, market);
  }
  const before = market.definition;
  if (change.marketDefinition) {
    if (change.marketDefinition.bspReconciled && !before?.bspReconciled) market.reconciledAt = publishedAt;
    market.definition = change.marketDefinition;
  }
  const entries = change.rc ?? [];
  const touched = new Set<string>(entries.map(keyOf));
  for (const runner of change.marketDefinition?.runners ?? []) runnerOf(market, keyOf(runner));
  for (const key of touched) runnerOf(market, key);
  const turnsFull = !market.full && entries.some((entry: object) => 'atb' in entry || 'atl' in entry);
  if (change.img || turnsFull) {
    for (const key of market.runners.keys()) {
      touched.add(key);
      forgetLevels(market, key);
    }
  }
  if (turnsFull) market.full = true;
  const depth = Math.max(market.depth, ...entries.flatMap(positionsOf).map((position: number) => position + 1));
  const turnsInPlay = change.marketDefinition?.inPlay === true && before?.inPlay !== true;
  if (depth > market.depth || turnsInPlay) for (const key of market.runners.keys()) forgetUnshown(market, key, touched);
  market.depth = depth;
  if (change.img) market.volume.clear();
  const rises = risesOf(market, change, before, publishedAt);
  const booksBefore = new Map([...rises.keys()].map((key) => [key, bookOf(runnerOf(market, key))]));
  for (const key of touched) {
    const own = entries.filter((entry: { id: number; hc?: number }) => keyOf(entry) === key);
    applyRunner(market, key, own);
  }
  market.updates += 1;
  const trades: ReadTrade[] = [];
  const isOpen = before?.status === 'OPEN' || market.definition === undefined || market.definition.status === 'OPEN';
  for (const [key, rise] of rises) {
    const books = { before: booksBefore.get(key) as Book, after: bookOf(runnerOf(market, key)) };
    trades.push(
      ...(isOpen ? tradesAmong(rise, books) : rise.all).map(({ price, stake }) => ({ outcome: key, price, stake })),
    );
  }
  return { market: change.id, publishedAt, touched, runners: market.runners, trades, definition: market.definition };
}

// biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
function applyRunner(market: Market, key: string, own: any[]): void {
  if (market.full) applyFull(market, key, own);
  else if (own.some((entry: object) => 'batb' in entry || 'batl' in entry)) applyBest(market, key, own);
  const runner = runnerOf(market, key);
  for (const entry of own) {
    if (entry.ltp) runner.lastPrice = entry.ltp;
    if (entry.spn !== undefined) runner.near = startingPrice(entry.spn);
    if (entry.spf !== undefined) runner.far = startingPrice(entry.spf);
  }
}

function startingPrice(value: number | string): number | undefined {
  return Number.isFinite(Number(value)) && Number(value) > 1 ? Number(value) : undefined;
}

function runnerOf(market: Market, key: string): ReadRunner {
  let runner = market.runners.get(key);
  if (runner === undefined) {
    runner = {
      back: new Map(),
      lay: new Map(),
      backWindow: [],
      layWindow: [],
      lastPrice: undefined,
      near: undefined,
      far: undefined,
    };
    market.runners.set(key, runner);
  }
  return runner;
}

function forgetLevels(market: Market, key: string): void {
  const runner = runnerOf(market, key);
  runner.back.clear();
  runner.lay.clear();
  market.windows.delete(key);
}

// biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
function positionsOf(entry: any): number[] {
  return [...(entry.batb ?? []), ...(entry.batl ?? [])].map(([position]: [number]) => position);
}

/** What was remembered beyond the windows is gone. */
function forgetUnshown(market: Market, key: string, touched: Set<string>): void {
  const windows = market.windows.get(key);
  const runner = runnerOf(market, key);
  for (const side of ['back', 'lay'] as const) {
    for (const price of windows?.[side].remembered.keys() ?? []) {
      touched.add(key);
      runner[side].delete(price);
    }
    windows?.[side].remembered.clear();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
function applyFull(market: Market, key: string, entries: any[]): void {
  const runner = runnerOf(market, key);
  for (const entry of entries) {
    for (const [name, levels] of [
      ['atb', runner.back],
      ['atl', runner.lay],
    ] as const) {
      for (const [price, size] of entry[name] ?? []) {
        if (size === 0) levels.delete(price);
        else levels.set(price, size);
      }
    }
  }
}

const better = {
  back: (a: number, b: number) => a > b,
  lay: (a: number, b: number) => a < b,
};

/** The two rules of backtest.md, on plain arrays: newest positions win within a side, and against the other side. */
// biome-ignore lint/suspicious/noExplicitAny: the judge reads raw messages.
function applyBest(market: Market, key: string, entries: any[]): void {
  let windows = market.windows.get(key);
  if (windows === undefined) {
    windows = { back: { shown: [], remembered: new Map() }, lay: { shown: [], remembered: new Map() } };
    market.windows.set(key, windows);
  }
  const written = { back: new Map<number, [number, number]>(), lay: new Map<number, [number, number]>() };
  for (const entry of entries) {
    for (const [position, price, size] of entry.batb ?? []) written.back.set(position, [price, size]);
    for (const [position, price, size] of entry.batl ?? []) written.lay.set(position, [price, size]);
  }
  const sides = ['back', 'lay'] as const;
  for (const side of sides) {
    const { shown, remembered } = windows[side];
    const old = shown.filter((level) => level !== undefined);
    for (const [position, level] of written[side]) shown[position] = level[1] === 0 ? undefined : level;
    for (const position of written[side].keys()) {
      const level = shown[position];
      if (level === undefined) continue;
      for (let other = 0; other < shown.length; other += 1) {
        const rival = shown[other];
        if (rival === undefined || written[side].has(other)) continue;
        const fits = other < position ? better[side](rival[0], level[0]) : better[side](level[0], rival[0]);
        if (!fits) shown[other] = undefined;
      }
    }
    for (const [price, size] of old) if (!shown.some((level) => level?.[0] === price)) remembered.set(price, size);
  }
  for (const side of sides) {
    const facing = windows[side === 'back' ? 'lay' : 'back'];
    const facingWritten = written[side === 'back' ? 'lay' : 'back'];
    for (const position of written[side].keys()) {
      const level = windows[side].shown[position];
      if (level === undefined) continue;
      const crosses = (price: number) => (side === 'back' ? level[0] >= price : level[0] <= price);
      facing.shown.forEach((rival, other) => {
        if (rival !== undefined && !facingWritten.has(other) && crosses(rival[0])) facing.shown[other] = undefined;
      });
      for (const price of facing.remembered.keys()) if (crosses(price)) facing.remembered.delete(price);
    }
  }
  const runner = runnerOf(market, key);
  for (const side of sides) {
    const { shown, remembered } = windows[side];
    const levels = shown.filter((level) => level !== undefined);
    const isWhole = written[side].size > 0 && levels.length < market.depth;
    const worst = levels.at(-1)?.[0];
    for (const price of remembered.keys()) {
      const covered = isWhole || (worst !== undefined && !better[side](worst, price));
      if (covered || levels.some((level) => level[0] === price)) remembered.delete(price);
    }
    const crowd = runner[side];
    crowd.clear();
    for (const [price, size] of [...remembered, ...levels]) crowd.set(price, size);
    runner[`${side}Window`].splice(0, Number.POSITIVE_INFINITY, ...levels);
  }
}
