/** What the benches run on: the user's own files, the longest shared recording, or made data, all prepared beforehand. */

import { spawnSync } from 'node:child_process';
import { createReadStream, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileBytes } from '../../src/recording/betfair/decompress/file-bytes.ts';
import { importBetfair } from '../../src/recording/betfair/import.ts';
import { sourcesIn } from '../../src/recording/betfair/sources.ts';
import { exportTape } from '../../src/recording/export.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import { streamText } from '../support/made-stream.ts';
import { sharedDir } from '../support/shared.ts';
import { hasBzip2 } from './bzip2.ts';
import { claim } from './figure.ts';
import type { BenchSize } from './size.ts';

const LONGEST_CRICKET = 'profitbox__ADVANCED__1.231480071.bz2';
const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SAMPLE_TAPE = join(ROOT, 'backtest/sample.tape');

/** Paths, and the names by which the figures say what they ran on. Plain data: it crosses processes. */
export interface BenchData {
  /** The package's own. */
  readonly root: string;
  readonly directory: string;
  /** One recording, uncompressed. */
  readonly plain: string;
  /** The recording as bzip2; absent if no program could compress it. */
  readonly bz2?: string;
  readonly recordingName: string;
  /** All shared ones; none where the bench runs on something else. */
  readonly recordings: readonly string[];
  readonly tape: string;
  readonly tapeName: string;
  /** The updates of the tape as JSON lines: the recording it was made from, or its export. */
  readonly tapeLines: string;
  readonly tapeLinesName: string;
}

export interface DataChoice {
  readonly directory: string;
  readonly size: BenchSize;
  /** Prefer small made data to the shared recordings. */
  readonly quick: boolean;
  readonly tape: string | undefined;
  readonly file: string | undefined;
}

export async function prepareData(choice: DataChoice): Promise<BenchData> {
  const { directory } = choice;
  const recording = await recordingFor(choice);
  const replayed = await tapeFor(choice, recording);
  const isShared = !choice.quick && choice.tape === undefined && choice.file === undefined;
  return { root: ROOT, directory, ...recording, ...replayed, recordings: isShared ? sharedRecordings() : [] };
}

type Recording = Pick<BenchData, 'plain' | 'bz2' | 'recordingName'> & { readonly isMade: boolean };
type Replayed = Pick<BenchData, 'tape' | 'tapeName' | 'tapeLines' | 'tapeLinesName'>;

async function recordingFor({ directory, size, quick, file }: DataChoice): Promise<Recording> {
  const shared = quick ? undefined : sharedRecording();
  const source = file ?? shared;
  const plain = join(directory, 'recording.jsonl');
  if (source === undefined) {
    writeFileSync(plain, streamText({ updates: size.madeLines }));
    const recordingName = `made recording of ${size.madeLines} lines`;
    return { plain, recordingName, isMade: true, ...(await compressed(plain)) };
  }
  const isBz2 = await uncompress(source, plain);
  const recordingName = basename(source);
  return { plain, recordingName, isMade: false, ...(isBz2 ? { bz2: source } : await compressed(plain)) };
}

function sharedRecording(): string | undefined {
  return sharedRecordings().find((path) => basename(path) === LONGEST_CRICKET);
}

function sharedRecordings(): readonly string[] {
  const shared = sharedDir();
  const directory = shared === undefined ? undefined : join(shared, 'data', 'betfair');
  if (directory === undefined || !existsSync(directory)) return [];
  return readdirSync(directory)
    .sort()
    .map((name) => join(directory, name));
}

/** A tape of one's own, the recording imported, or the sample. */
async function tapeFor({ directory, size, tape, file }: DataChoice, recording: Recording): Promise<Replayed> {
  if (tape !== undefined) return exported(tape, directory, size);
  if (recording.isMade) return exported(SAMPLE_TAPE, directory, size);
  const path = join(directory, 'replay.tape');
  await importBetfair({ files: [recording.plain], tape: path, onError: file === undefined ? 'fail' : 'skip' });
  const name = recording.recordingName;
  return { tape: path, tapeName: `${name}, imported`, tapeLines: recording.plain, tapeLinesName: PARSE_OF_RECORDING };
}

const PARSE_OF_RECORDING = 'split and JSON.parse of the recording';

function exported(tape: string, directory: string, size: BenchSize): Replayed {
  const tapeLines = join(directory, 'tape.jsonl');
  const opened = Tape.open(tape);
  try {
    const markets = opened.markets.slice(0, size.markets).map(({ index }) => index);
    writeFileSync(tapeLines, [...exportTape(opened, 'jsonl', { markets })].join(''));
  } finally {
    opened.close();
  }
  return { tape, tapeName: basename(tape), tapeLines, tapeLinesName: 'split and JSON.parse of the tape as JSON lines' };
}

/** Writes the one recording of a file out as it is inside; says whether the file is bzip2. */
async function uncompress(file: string, plain: string): Promise<boolean> {
  const bytes = await FileBytes.open(file);
  const chunks: Uint8Array[] = [];
  let recordings = 0;
  try {
    for await (const source of sourcesIn(bytes)) {
      if (source.kind !== 'recording') continue;
      recordings += 1;
      for await (const chunk of source.chunks) chunks.push(Uint8Array.from(chunk));
    }
  } finally {
    await bytes.close();
  }
  claim(recordings === 1, `${file} holds ${recordings} recordings: the bench takes a file of one`);
  writeFileSync(plain, Buffer.concat(chunks));
  return (await head(file)) === 'BZh';
}

async function head(file: string): Promise<string> {
  for await (const chunk of createReadStream(file, { end: 2 })) return String(chunk);
  return '';
}

async function compressed(plain: string): Promise<{ bz2?: string }> {
  if (!hasBzip2()) return {};
  const { stdout, status } = spawnSync('bzip2', ['-c', plain], { maxBuffer: 2 ** 30 });
  claim(status === 0, 'bzip2 could not compress the recording');
  const bz2 = `${plain}.bz2`;
  writeFileSync(bz2, stdout);
  return { bz2 };
}
