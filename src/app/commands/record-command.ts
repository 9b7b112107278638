/** `oddsmith record`: live markets onto tapes, as they happen. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import type { GatewayNotice } from '../../exchange-live/notice.ts';
import { packageVersion } from '../../package/running-package.ts';
import type { FinishedTape, MarketGap } from '../../recording/live/recorder.ts';
import { shellWord } from '../../recording/tape/recording-hint.ts';
import { plural, utc } from '../../words/numbers.ts';
import { printable } from '../../words/printable.ts';
import { EXIT } from '../cli/cli-error.ts';
import type { CommandContext } from '../cli/command-context.ts';
import { example, jsonFlag } from '../cli/flags.ts';
import { makeWritable } from '../cli/out-directory.ts';
import { ownCommand } from '../cli/own-command.ts';
import type { Terminal } from '../cli/terminal.ts';
import { readConfigFile } from '../config/yaml/config-file.ts';
import { ofKind } from '../config/yaml/config-kind.ts';
import { DELAYED_PRICES, streamGapText } from '../live/log/edge-line.ts';

interface RecordFlags {
  readonly json?: boolean;
}

/** Pause between two progress lines, and between two lines that are alike but for their numbers. */
const LINE_EVERY_MS = 60_000;
/** How many kinds of lines are remembered; lines of one kind are alike but for their numbers. */
const KINDS_MAX = 1_000;

export function recordCommand(context: CommandContext): Command {
  const command = new Command('record')
    .description(
      'Record the live markets of an exchange onto a tape for each day, until Ctrl-C. At most a second is lost if it is killed; what is recorded backtests at once.',
    )
    .argument('<config>', 'the configuration, such as config/record.yaml')
    .addOption(jsonFlag())
    .action((file: string, flags: RecordFlags) => run(context, file, flags));
  return example(command, '$ ODDSMITH_APP_ID=… ODDSMITH_API_KEY=… oddsmith record config/record.yaml');
}

async function run(context: CommandContext, file: string, flags: RecordFlags): Promise<void> {
  const { terminal } = context;
  const { resolveRecord } = await import('../config/resolve/resolve-record.ts');
  const config = { text: readConfigFile(file), file };
  const options = ofKind('record', config, () => resolveRecord(config, process.env));
  makeWritable(options.out, 'Name another directory under out.');
  const { NATIVE, record } = await import('../live/record/record-run.ts');
  const { wallClock } = await import('../../time/wall-clock.ts');
  const print = flags.json === true ? () => undefined : (line: string) => terminal.note(`${printable(line)}\n`);
  const printThrottled = throttled(print, () => wallClock.now());
  const startedAt = wallClock.now();
  const tapes = await record(options, {
    clock: wallClock,
    signal: terminal.signal,
    onCommit: progress(terminal, print, () => wallClock.now()),
    onGaps: (gaps) => printThrottled(gapsLine(gaps)),
    onNotice: (notice) => printThrottled(noticeLine(notice)),
    onAway: (cause, pauseMs) =>
      printThrottled(`the exchange cannot be reached: ${cause}; next try in ${pauseMs / 1_000} s`),
    onNoSession: printThrottled,
    onSealed: (path) => print(`sealed ${path}: its recorder was killed`),
  });
  const native = join(options.out, NATIVE);
  const text = () => recordText(tapes, existsSync(native) ? native : undefined);
  terminal.out(flags.json === true ? recordJson(tapes, startedAt, wallClock.now()) : text());
  if (terminal.signal.reason !== 'SIGTERM') context.exitCode = EXIT.interrupted;
}

/** Prints a line of each kind once a minute at most: what goes wrong may do so at every poll. */
function throttled(print: (line: string) => void, now: () => number): (line: string) => void {
  const printedAt = new Map<string, number>();
  return (line) => {
    const key = line.replaceAll(/\d+/g, '#');
    if (now() - (printedAt.get(key) ?? Number.NEGATIVE_INFINITY) < LINE_EVERY_MS) return;
    if (printedAt.size >= KINDS_MAX) printedAt.clear();
    printedAt.set(key, now());
    print(line);
  };
}

function progress(terminal: Terminal, print: (line: string) => void, now: () => number) {
  let printedAt = Number.NEGATIVE_INFINITY;
  let printedPath = '';
  return ({
    path,
    markets,
    updates,
  }: {
    readonly path: string;
    readonly markets: number;
    readonly updates: number;
  }) => {
    if (path !== printedPath)
      print(`recording onto ${path}; ${terminal.interactive ? 'Ctrl-C' : 'SIGINT or SIGTERM'} ends it`);
    else if (now() - printedAt < LINE_EVERY_MS) return;
    else print(`${utc(now())}  ${plural(markets, 'market')}, ${plural(updates, 'update')}`);
    printedPath = path;
    printedAt = now();
  };
}

/** One line for a gap of several markets at the same time. */
function gapsLine(gaps: readonly MarketGap[]): string {
  const from = Math.min(...gaps.map((gap) => gap.from));
  const to = Math.max(...gaps.map((gap) => gap.to));
  const why = [...new Set(gaps.map((gap) => gap.why))].join('; ');
  return `gap of ${plural(new Set(gaps.map(({ market }) => market)).size, 'market')}, ${utc(from)} to ${utc(to)}: ${why}`;
}

function noticeLine(notice: GatewayNotice): string {
  switch (notice.kind) {
    case 'readFailed':
      return `${notice.what} could not be read: ${notice.code} ${notice.details}`;
    case 'unreadable':
      return `${notice.what}: ${notice.details}`;
    case 'notStreamed':
      return `${notice.what} of ${plural(notice.ids.length, 'id')} beyond the limits of the stream: read over REST alone`;
    case 'delayedPrices':
      return DELAYED_PRICES;
    case 'streamGap':
      return streamGapText(notice);
    case 'notFound':
      return `${plural(notice.markets.length, 'market')} not found: ${notice.markets.join(', ')}`;
    case 'pollingStretched':
      return `prices are read every ${notice.urgentMs} to ${notice.everyMs} ms`;
    case 'foreignOrder':
      return `foreign order ${notice.order}`;
    case 'commissionUnproven':
      return `commission of market ${notice.market} unproven`;
  }
}

function recordJson(tapes: readonly FinishedTape[], startedAt: number, endedAt: number): string {
  return `${JSON.stringify({ command: 'record', version: packageVersion(), tapes, startedAt, endedAt })}\n`;
}

/** `native`: the folder of what the exchange told in its own lines, where it is kept. */
function recordText(tapes: readonly FinishedTape[], native: string | undefined): string {
  const last = tapes.at(-1);
  if (last === undefined) return 'nothing was recorded\n';
  const lines = tapes.map(
    ({ path, markets, updates, gaps }) =>
      `${path}: ${plural(markets, 'market')}, ${plural(updates, 'update')}, ${gaps === 0 ? 'no gap' : plural(gaps, 'gap')}`,
  );
  const oddsmith = ownCommand();
  const tape = shellWord(native === undefined ? last.path : join(dirname(last.path), 'native.tape'));
  const next = [
    // The lines hold what was traded, and the tape that was recorded beside them does not.
    ...(native === undefined ? [] : [`import betfair ${shellWord(native)} --tape ${tape}`]),
    ...[`tape info ${tape}`, `backtest --tape ${tape} --strategy FILE`],
  ];
  return `${lines.join('\n')}\n\nNext:\n${next.map((each) => `  ${oddsmith} ${each}\n`).join('')}`;
}
