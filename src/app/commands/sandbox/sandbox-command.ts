/** `oddsmith sandbox`: the simulated exchange as a server, REST and WebSocket, in the API's own shape. */

import { existsSync } from 'node:fs';
import { dirname, resolve as resolvePath } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { packageVersion } from '../../../package/running-package.ts';
import type { Tape } from '../../../recording/tape/tape.ts';
import type { SandboxOptions } from '../../../sandbox/sandbox.ts';
import type { AllTraffic, TrafficContext } from '../../../sandbox/traffic/traffic.ts';
import type { Said } from '../../../sandbox-betfair/replay.ts';
import { CliError, EXIT } from '../../cli/cli-error.ts';
import type { CommandContext } from '../../cli/command-context.ts';
import { example, hostFlag, jsonFlag, portFlag, repeated, wholeNumber } from '../../cli/flags.ts';
import { makeDirectory } from '../../cli/out-directory.ts';
import { betfairJson, betfairText } from '../../output/betfair-messages.ts';
import { listenError, sandboxJson, sandboxText, warnings } from '../../output/sandbox-messages.ts';
import { verdictJson, verdictText } from '../../output/verdict-text.ts';
import type { SandboxSource } from '../../web/dashboard/sandbox/sandbox-source.ts';
import type { Dashboard } from '../../web/dashboard/server/dashboard.ts';
import { type AccountFlags, accountFlag } from './account-flag.ts';
import { makeArrivalsFile, readArrivalsFile } from './arrivals-file.ts';
import { type BotRun, runBot } from './bot-run.ts';
import { faultFlag, injectFaults } from './fault-flag.ts';
import { lagText, type TapeLag, watchLag } from './tape-lag.ts';

interface SandboxFlags {
  readonly port: number;
  readonly host: string;
  readonly tape?: readonly string[];
  readonly speed?: number;
  readonly crowd?: boolean;
  readonly memory?: boolean;
  readonly state: string;
  readonly seed: number;
  readonly accessTokenMs?: number;
  readonly refreshTokenMs?: number;
  readonly rate?: number;
  readonly dashboard?: number;
  readonly betfair?: boolean;
  readonly account?: AccountFlags;
  readonly fault?: readonly object[];
  readonly report?: string;
  readonly arrivals?: string;
  readonly replay?: string;
  readonly exec?: boolean;
  readonly program: readonly string[];
  readonly json?: boolean;
}

const PORT = 8640;
const STATE = 'runs/sandbox.world';
const BETFAIR_STATE = 'runs/betfair.world';
const SPEED_MIN = 0.001;
const SPEED_MAX = 10_000;
const TOKEN_MS_MAX = 365 * 24 * 3_600_000;

export function sandboxCommand(context: CommandContext): Command {
  const command = new Command('sandbox')
    .description(
      "Serve the simulated exchange over HTTP and WebSocket, in the API's own shape, until Ctrl-C. Its world survives a restart.",
    )
    .option('--betfair', "speak Betfair's API instead, over HTTPS")
    .addOption(accountFlag())
    .addOption(faultFlag())
    .option('--report <file>', 'at the end, write a page of what the exchange holds of each account, with --betfair')
    .addOption(portFlag(PORT))
    .addOption(hostFlag())
    .addOption(repeated('--tape <file>', 'play a tape as live markets, its beginning now (repeatable)'))
    .addOption(new Option('--speed <x>', 'how many times faster than recorded tapes are played').argParser(speed))
    .option('--crowd', 'run seeded synthetic traders on markets of their own')
    .addOption(new Option('--memory', 'keep nothing over a restart').conflicts('state'))
    .addOption(
      new Option('--state <file>', `where the world is kept (default: ${STATE}, with --betfair ${BETFAIR_STATE})`),
    )
    .addOption(wholeNumber('--seed <n>', 'the seed of all chance', { min: 0, max: 4_294_967_295 }).default(1))
    .addOption(wholeNumber('--access-token-ms <n>', 'how long access tokens live', { min: 1, max: TOKEN_MS_MAX }))
    .addOption(wholeNumber('--refresh-token-ms <n>', 'how long refresh tokens live', { min: 1, max: TOKEN_MS_MAX }))
    .addOption(wholeNumber('--rate <n>', 'calls per second of each app, beyond which 429', { min: 1, max: 1_000_000 }))
    .addOption(
      wholeNumber(
        '--dashboard <port>',
        'serve a page that shows its markets, orders and wallets; 0: any port that is free',
        {
          min: 0,
          max: 65_535,
        },
      ),
    )
    .option(
      '--arrivals <file>',
      "write all that reaches Betfair's API and its stream to a new file, without passwords and tokens",
    )
    .addOption(
      new Option(
        '--replay <file>',
        'let what --arrivals wrote reach the same exchange again, and say what it then holds',
      ).conflicts(['tape', 'speed', 'crowd', 'state', 'arrivals', 'exec', 'fault']),
    )
    .option('--exec', 'run the program after -- as a bot that knows nothing of the sandbox, and end with it')
    .addOption(jsonFlag())
    .argument('[program...]', 'the program of --exec with its arguments, after --')
    .action((program: readonly string[], given: SandboxFlags) => {
      const state = given.state ?? (given.betfair === true ? BETFAIR_STATE : STATE);
      const flags = { ...given, state, program };
      refuseTogether(flags);
      return flags.replay === undefined ? serve(context, flags) : replayFile(context, flags, flags.replay);
    });
  return example(
    command,
    `$ oddsmith sandbox --crowd
$ oddsmith sandbox --betfair --crowd
$ oddsmith sandbox --betfair --tape backtest/sample.tape --speed 20 --exec -- python3 bot.py
$ oddsmith sandbox --port 0 --memory --tape backtest/sample.tape --speed 20 --json`,
  );
}

function speed(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value >= SPEED_MIN && value <= SPEED_MAX) return value;
  throw new InvalidArgumentError(`It must be a number from ${SPEED_MIN} to ${SPEED_MAX}.`);
}

async function serve(context: CommandContext, flags: SandboxFlags): Promise<void> {
  const { terminal } = context;
  const tapes = await openTapes(flags);
  const running: { stop(): unknown }[] = [];
  let starting: Promise<void> = Promise.resolve();
  let atEnd: (() => string) | undefined;
  let bot: BotRun | undefined;
  const ending = new AbortController();
  const signal = AbortSignal.any([terminal.signal, ending.signal]);
  try {
    await new Promise<void>((resolve, reject) => {
      if (terminal.signal.aborted) return resolve();
      terminal.signal.addEventListener('abort', () => resolve(), { once: true });
      const opening = flags.betfair === true ? startBetfair : start;
      starting = opening(flags, tapes, running, reject).then((printed) => {
        for (const note of printed.notes) terminal.note(note);
        terminal.out(printed.text);
        atEnd = printed.atEnd;
        if (printed.lag !== undefined) running.push(watchLag(printed.lag, (text) => terminal.note(text)));
        if (!signal.aborted) bot = printed.startBot?.(signal);
        for (const line of bot?.lines ?? []) terminal.note(`the bot has ${line}\n`);
        bot?.ended.then(() => resolve(), reject);
      });
      starting.catch(reject);
    });
    const botCode = await bot?.ended;
    if (atEnd !== undefined) terminal.out(atEnd());
    if (botCode !== undefined) context.exitCode = botCode;
    else if (terminal.signal.reason !== 'SIGTERM') context.exitCode = EXIT.interrupted;
  } finally {
    ending.abort();
    // The signal may come while the sandbox is still opening: what has opened by then must be closed too. A failure was thrown above.
    await Promise.allSettled([starting]);
    // Last opened, first closed: the traffic before the sandbox that it trades in.
    for (const part of running.reverse()) await part.stop();
    for (const tape of tapes) tape.close();
  }
}

/** What belongs to the other face, and a bot without a program or a program without a bot. */
function refuseTogether(flags: SandboxFlags): void {
  const { exec = false, betfair = false, program } = flags;
  if (exec !== program.length > 0 || (exec && !betfair))
    throw usage(
      "--exec runs the program after -- as a bot of the sandbox that speaks Betfair's API.",
      undefined,
      'Write: sandbox --betfair --exec -- python3 bot.py',
    );
  if (!betfair) {
    const alone = (['account', 'report', 'arrivals', 'replay'] as const).find((name) => flags[name] !== undefined);
    if (alone === undefined) return;
    throw usage(`--${alone} is for a sandbox that speaks Betfair's API.`, undefined, 'Add --betfair.');
  }
  const given = (['rate', 'accessTokenMs', 'refreshTokenMs'] as const).find((name) => flags[name] !== undefined);
  if (given === undefined) return;
  const flag = `--${given.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  throw usage(`${flag} is not for a sandbox that speaks Betfair's API.`, undefined, `Leave out ${flag} or --betfair.`);
}

interface Printed {
  /** Lines for stderr. */
  readonly notes: readonly string[];
  /** The text or JSON for stdout. */
  readonly text: string;
  /** What stdout gets at the end, while the sandbox is still open. */
  readonly atEnd?: () => string;
  /** How far the tapes are behind. */
  readonly lag?: () => TapeLag;
  /** Starts the bot of --exec. */
  readonly startBot?: (signal: AbortSignal) => BotRun;
}

/** Does what `start` does, with Betfair's API. */
async function startBetfair(
  flags: SandboxFlags,
  tapes: readonly Tape[],
  running: { stop(): unknown }[],
  onBug: (error: unknown) => void,
): Promise<Printed> {
  const { openBetfairSandbox } = await import('../../../sandbox-betfair/betfair-sandbox.ts');
  const { wallClock } = await import('../../../time/wall-clock.ts');
  const { host, port, seed, memory, state } = flags;
  const authorityDirectory = dirname(state);
  makeDirectory(authorityDirectory, 'Name another file with --state.');
  const arrivals = flags.arrivals === undefined ? undefined : startArrivals(flags.arrivals, flags, tapes);
  if (arrivals !== undefined) running.push(arrivals);
  const sandbox = await openBetfairSandbox({
    ...{ clock: wallClock, authorityDirectory, host, port, seed, onBug },
    invents: tapes.length === 0,
    ...(arrivals === undefined ? {} : { onArrival: arrivals.record }),
    ...(memory === true ? {} : { file: state }),
    ...(flags.account === undefined ? {} : { settings: { accounts: flags.account } }),
  }).catch((error: unknown) => {
    throw listenError(error, flags) ?? error;
  });
  running.push({ stop: () => sandbox.close() });
  injectFaults(sandbox.control, flags.fault);
  const source = async () => (await import('../../web/dashboard/sandbox/betfair-sandbox.ts')).betfairSource(sandbox);
  const dashboard = await openDashboardOf(source, flags, onBug);
  if (dashboard !== undefined) running.push({ stop: () => dashboard.close() });
  const traffic = sandbox.startTraffic(await trafficOf(flags, tapes, onBug));
  running.push(...traffic.paced, ...traffic.others);
  const facts = { sandbox, tapes: tapes.map(({ path }) => path), dashboard: dashboard?.link(), flags };
  const isJson = flags.json === true;
  const lag = () => ({ lagMs: sandbox.lagMs(), speed: flags.speed ?? 1 });
  const { report } = flags;
  const page = report === undefined ? undefined : await import('../../output/verdict-page.ts');
  const atEnd = () => {
    if (report !== undefined) page?.writeVerdict(sandbox.face, report);
    const verdict = sandbox.verdict();
    return isJson ? verdictJson(verdict, lag()) : verdictText(verdict) + lagText(lag());
  };
  const { program, exec } = flags;
  const api = new URL(sandbox.url).host;
  const bot = { command: program, api, stream: sandbox.streamAddress, authorityFile: sandbox.authorityFile };
  const startBot = (signal: AbortSignal) => runBot({ ...bot, isQuiet: isJson, signal });
  const text = isJson ? betfairJson(facts) : betfairText(facts);
  return { notes: warnings(facts), text, atEnd, lag, ...(exec === true ? { startBot } : {}) };
}

/** Adds each part to `running` as soon as it runs, so that it is stopped even if a later one fails. */
async function start(
  flags: SandboxFlags,
  tapes: readonly Tape[],
  running: { stop(): unknown }[],
  onBug: (error: unknown) => void,
): Promise<Printed> {
  const { openSandbox } = await import('../../../sandbox/sandbox.ts');
  const options = await sandboxOptions(flags, onBug);
  const sandbox = await openSandbox(options).catch((error: unknown) => {
    throw listenError(error, flags) ?? error;
  });
  running.push({ stop: () => sandbox.close() });
  injectFaults(sandbox.control, flags.fault);
  const source = async () => (await import('../../web/dashboard/sandbox/betdex-sandbox.ts')).betdexSource(sandbox);
  const dashboard = await openDashboardOf(source, flags, onBug);
  if (dashboard !== undefined) running.push({ stop: () => dashboard.close() });
  const traffic = (await trafficOf(flags, tapes, onBug))(sandbox.context);
  running.push(...traffic.paced, ...traffic.others);
  const facts = { sandbox, tapes: tapes.map(({ path }) => path), dashboard: dashboard?.link(), flags };
  return { notes: warnings(facts), text: flags.json === true ? sandboxJson(facts) : sandboxText(facts) };
}

/** Opens the dashboard on loopback alone, wherever the sandbox itself listens. */
async function openDashboardOf(
  sourceOf: () => Promise<SandboxSource>,
  { dashboard: port }: SandboxFlags,
  onFault: (error: unknown) => void,
): Promise<Dashboard | undefined> {
  if (port === undefined) return undefined;
  const { openDashboard } = await import('../../web/dashboard/server/dashboard.ts');
  const source = await sourceOf();
  const now = () => source.head().at;
  return await openDashboard({ source, port, onFault, setting: '--dashboard', host: '127.0.0.1', hosts: [], now });
}

async function sandboxOptions(flags: SandboxFlags, onBug: (error: unknown) => void): Promise<SandboxOptions> {
  const { wallClock } = await import('../../../time/wall-clock.ts');
  const { accessTokenMs, refreshTokenMs, rate, host, port, seed, memory, state } = flags;
  if (memory !== true) makeDirectory(dirname(state), 'Name another file with --state, or keep nothing with --memory.');
  return {
    clock: wallClock,
    version: packageVersion(),
    host,
    port,
    seed,
    onBug,
    // For our own tests: an answer that the OpenAPI document does not describe then ends the process as a bug.
    checksAnswers: process.env['ODDSMITH_CHECK_ANSWERS'] === '1',
    ...(memory === true ? {} : { file: state }),
    settings: {
      ...(accessTokenMs === undefined ? {} : { accessTokenMs }),
      ...(refreshTokenMs === undefined ? {} : { refreshTokenMs }),
    },
    ...(rate === undefined ? {} : { rate: { perSecond: rate, burst: rate } }),
  };
}

/** A replay begins with a world that knows nothing: so must what it replays. */
function startArrivals(
  path: string,
  { memory, state, speed = 1, crowd = false }: SandboxFlags,
  tapes: readonly Tape[],
) {
  if (memory !== true && existsSync(state))
    throw usage('--arrivals begins with a new world.', state, 'Add --memory, or name a new file with --state.');
  const played = tapes.map(({ path: file, sha256 }) => ({ path: resolvePath(file), sha256 }));
  return makeArrivalsFile(path, { tapes: played, speed, crowd });
}

/** Prints, with JSON, a line for each thing that the exchange said, and then the verdict. */
async function replayFile({ terminal }: CommandContext, flags: SandboxFlags, path: string): Promise<void> {
  const { replay } = await import('../../../sandbox-betfair/replay.ts');
  const { head, arrivals } = readArrivalsFile(path);
  const { speed, crowd } = head;
  const tapes = await openTapes({ ...flags, tape: head.tapes.map(({ path: file }) => file) });
  try {
    const other = tapes.find(({ sha256 }, at) => sha256 !== head.tapes[at]?.sha256);
    if (other !== undefined)
      throw usage('This is not the tape that was played.', other.path, 'Put back the tape of that time.');
    const onBug = (error: unknown) => {
      throw error;
    };
    const [start] = arrivals;
    const seed = start?.kind === 'start' ? (start.seed ?? flags.seed) : flags.seed;
    const startTraffic = await trafficOf({ ...flags, speed, crowd, seed }, tapes, onBug);
    const isJson = flags.json === true;
    const onSaid = (said: Said) => (isJson ? terminal.out(`${JSON.stringify(said)}\n`) : undefined);
    const { accounts } = replay({ arrivals, startTraffic, onSaid });
    terminal.out(isJson ? verdictJson(accounts) : verdictText(accounts));
  } finally {
    for (const tape of tapes) tape.close();
  }
}

async function trafficOf(
  flags: SandboxFlags,
  tapes: readonly Tape[],
  onBug: (error: unknown) => void,
): Promise<(context: TrafficContext) => AllTraffic> {
  const { startTape } = await import('../../../sandbox/traffic/tape.ts');
  const { startCrowd } = await import('../../../sandbox/traffic/crowd.ts');
  const { speed = 1, crowd, seed, betfair: showsRecorded = false } = flags;
  return (context) => ({
    paced: tapes.map((tape) => startTape(context, { tape, speed, showsRecorded, onBug })),
    others: crowd === true ? [startCrowd(context, { seed, onBug })] : [],
  });
}

/** @throws CliError, TapeFailure */
async function openTapes({ tape: paths = [], speed: given }: SandboxFlags): Promise<readonly Tape[]> {
  const twice = paths.find((path, index) => paths.indexOf(path) !== index);
  if (twice !== undefined) throw usage('The same tape is named twice.', twice, 'Name each tape once.');
  if (given !== undefined && paths.length === 0)
    throw usage(
      '--speed is the speed of tapes, and none is named.',
      undefined,
      'Add --tape FILE, or leave out --speed.',
    );
  const { Tape } = await import('../../../recording/tape/tape.ts');
  const { playable } = await import('../../../sandbox/traffic/tape.ts');
  const tapes: Tape[] = [];
  try {
    for (const path of paths) {
      const tape = Tape.open(path);
      tapes.push(tape);
      if (playable(tape).length === 0) throw nothingToPlay(path);
    }
    return tapes;
  } catch (error) {
    for (const tape of tapes) tape.close();
    throw error;
  }
}

function nothingToPlay(path: string): CliError {
  return new CliError({
    code: 'NO_MARKETS',
    what: 'No market of this tape can be played.',
    where: path,
    why: 'Each is one that the exchange could not settle, or has prices off its ladder.',
    next: 'See `oddsmith tape info`.',
  });
}

function usage(what: string, where: string | undefined, next: string): CliError {
  return new CliError({ code: 'USAGE', what, ...(where === undefined ? {} : { where }), next });
}
