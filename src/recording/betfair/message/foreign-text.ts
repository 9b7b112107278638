/** Says what a text is that holds no market changes, as far as it shows, and what would be read. */

const WANTED = 'files of market changes (op mcm), one message a line, would be read';

/** The streams of Betfair and of its recorders, by the `op` of their messages. */
const STREAMS: Readonly<Record<string, string>> = {
  rcm: 'the race stream',
  ocm: 'the order stream',
  ccm: 'the cricket stream',
  mcm: 'heartbeats of the market stream',
};

/** Says what a text is whose messages hold no market change, by the `op` of the first. */
export function otherStream(op: string | undefined): string {
  if (op === undefined) return 'no market change in it';
  return `it holds ${STREAMS[op] ?? 'messages of another kind'} (op ${op}) and no market change; ${WANTED}`;
}

/** Says what a text is whose first line is no message; undefined where nothing shows it. */
export function otherText(line: string): string | undefined {
  const text = line.trimStart();
  if (text.startsWith('[')) {
    const items = text.includes('"op"')
      ? 'messages'
      : text.includes('"marketId"')
        ? 'markets of the betting API'
        : 'JSON';
    return `it is one array of ${items}; ${WANTED}`;
  }
  if (!text.startsWith('{')) return undefined;
  if (text.includes('"jsonrpc"') || text.includes('"marketId"')) return `it is an answer of the betting API; ${WANTED}`;
  return undefined;
}
