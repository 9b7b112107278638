/** Small made Betfair streams for tests that need no real recording. */

/** Rows of a ladder as a stream has them: `2 10, 1.9 5` is a stake of 10 at 2 and one of 5 at 1.9. */
export function ladder(rows: string): readonly (readonly number[])[] {
  return rows.split(', ').map((row) => row.split(' ').map(Number));
}

export interface MadeStream {
  readonly updates: number;
  readonly market?: string;
  readonly startAt?: number;
  readonly everyMs?: number;
}

/** One market of two runners; each line moves a level, and every third one trades. */
export function streamLines(options: MadeStream): string[] {
  const { updates, market = '1.100000001', startAt = 1_700_000_000_000, everyMs = 50 } = options;
  const runner = (id: number, sortPriority: number) => ({ id, status: 'ACTIVE', sortPriority, name: `Runner ${id}` });
  const definition = {
    status: 'OPEN',
    bettingType: 'ODDS',
    marketType: 'MATCH_ODDS',
    numberOfWinners: 1,
    marketBaseRate: 5,
    betDelay: 0,
    inPlay: false,
    turnInPlayEnabled: true,
    marketTime: new Date(startAt + 3_600_000).toISOString(),
    eventId: '7',
    runners: [runner(11, 1), runner(12, 2)],
  };
  const lines = [message(startAt, { id: market, marketDefinition: definition })];
  for (let i = 1; i < updates; i += 1) {
    const size = ((i * 7919) % 10_000) / 100;
    const change: Record<string, unknown> = {
      id: 11 + (i % 2),
      atb: [[1.5 + (i % 20) / 100, size]],
      atl: [[1.8 + (i % 9) / 100, size + 1]],
    };
    if (i % 3 === 0) Object.assign(change, { trd: [[1.7, i * 2]], ltp: 1.7 });
    lines.push(message(startAt + i * everyMs, { id: market, rc: [change] }));
  }
  return lines;
}

export function streamText(options: MadeStream): string {
  return `${streamLines(options).join('\n')}\n`;
}

function message(pt: number, change: object): string {
  return JSON.stringify({ op: 'mcm', clk: 'AAA', pt, mc: [change] });
}
