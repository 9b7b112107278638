/** A recording that goes through the Betfair face and comes back through our importer: the tape it was, and the tape of what a client read. */

import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { MARKET_DATA_FIELDS } from '../../../src/betfair/wire/stream/requests.ts';
import { importBetfair } from '../../../src/recording/betfair/import.ts';
import { Tape } from '../../../src/recording/tape/tape.ts';
import { playable, startTape } from '../../../src/sandbox/traffic/tape.ts';
import { recordedTape } from '../recorded-tape.ts';
import { START } from '../sandbox/world-builder.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { StreamStage } from './stream-stage.ts';

export interface ReplayedRecording {
  readonly recorded: Tape;
  readonly read: Tape;
  /** By how much a time of the recording is later in what was read, in ms. */
  readonly shiftMs: number;
}

const LINES_AT_ONCE = 1_000;
/** Time for what the last update leaves to be done. */
const REST_MS = 1_000;

/**
 * Plays every update of a recording at its own moment of simulated time, and imports all lines that a client with all
 * fields is sent. Undefined where no market of the recording can be played.
 */
export async function replayed(name: string): Promise<ReplayedRecording | undefined> {
  const recorded = Tape.open(await recordedTape(name));
  const markets = playable(recorded);
  if (markets.length === 0) {
    recorded.close();
    return undefined;
  }
  const directory = temporaryDirectory('replayed');
  const [file, tape] = [join(directory, 'lines'), join(directory, 'read.tape')];
  const firstAt = Math.min(...markets.map((market) => market.firstAt));
  const lastAt = Math.max(...markets.map((market) => market.lastAt));
  writeRead(file, {
    tape: recorded,
    marketIds: markets.map(({ facts }) => facts.id),
    playMs: lastAt - firstAt + REST_MS,
  });
  await importBetfair({ files: [file], tape });
  rmSync(file);
  return { recorded, read: Tape.open(tape), shiftMs: START - firstAt };
}

interface Played {
  readonly tape: Tape;
  readonly marketIds: readonly string[];
  readonly playMs: number;
}

/** Writes all that a client is sent while the tape is played. */
function writeRead(file: string, { tape, marketIds, playMs }: Played): void {
  const stage = new StreamStage();
  const handle = openSync(file, 'w');
  const lines: string[] = [];
  const write = () => writeSync(handle, lines.splice(0).join(''));
  const send = (line: string) => {
    if (lines.push(`${line}\n`) >= LINES_AT_ONCE) write();
  };
  const over = () => onBug('the stream ended');
  const connection = stage.stream.connect({ isBehind: false, send, end: over, cut: over });
  const ask = (request: object) => connection?.receive(JSON.stringify(request));
  ask({ op: 'authentication', id: 1, appKey: 'app', session: stage.login().token });
  const marketDataFilter = { fields: MARKET_DATA_FIELDS };
  ask({ op: 'marketSubscription', id: 2, marketFilter: { marketIds }, marketDataFilter });
  const traffic = startTape(stage.builder.context, { tape, showsRecorded: true, onBug });
  stage.builder.pass(playMs);
  traffic.stop();
  write();
  closeSync(handle);
}

function onBug(error: unknown): void {
  throw error;
}
