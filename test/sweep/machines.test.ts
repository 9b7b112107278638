/** A sweep on many machines is the sweep on one: the commands as they are built, with a server of pieces and a Redis between them. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { budget } from '../support/budget.ts';
import { DAY, MINUTE } from '../support/made-races.ts';
import { describeWithRedis, type RedisServer, startRedis } from '../support/queue/redis-server.ts';
import { builtCommand, type RunningCommand, startProcess } from '../support/running-command.ts';
import { type StageEnd, SweepStage } from '../support/sweep/sweep-stage.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const running: RunningCommand[] = [];
const servers: RedisServer[] = [];
afterEach(async () => {
  for (const each of running.splice(0)) {
    each.kill();
    await each.ended;
  }
  for (const server of servers.splice(0)) await server.end();
});

function start(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningCommand {
  const command = startProcess(builtCommand(args), { env });
  running.push(command);
  return command;
}

async function redisServer(args: readonly string[] = [], password = ''): Promise<RedisServer> {
  const server = await startRedis(args, password);
  servers.push(server);
  return server;
}

/** Pieces of the stage's tape, and the address that serves them. */
async function served(stage: SweepStage): Promise<{ readonly directory: string; readonly address: string }> {
  const directory = join(stage.directory, 'pieces');
  const split = await start(['tape', 'split', stage.tapes[0] ?? '', '--by', 'event', '--out', directory]).ended;
  expect(split.code, split.note).toBe(0);
  const server = start(['tape', 'serve', directory, '--port', '0', '--json']);
  await server.until('"manifest"');
  return { directory, address: JSON.parse(server.said.out).manifest };
}

interface SweepLine {
  readonly trialsSha256: string;
  readonly units: {
    readonly total: number;
    readonly known: number;
    readonly computed: number;
    readonly failed: number;
  };
}

function lineOf({ said }: RunningCommand): SweepLine {
  return JSON.parse(said.out);
}

/** How many units the workers say they played. */
function playedBy(workers: readonly RunningCommand[]): number {
  return workers.reduce((sum, { said }) => sum + JSON.parse(said.out.trim().split('\n').at(-1) ?? '{}').units, 0);
}

const LARGE = { trials: 20, races: budget({ each: 15, deep: 501 }) };
const UNITS = LARGE.trials * LARGE.races;
/** In each call of the strategy: units take long enough for a worker to be killed in the middle of one. */
const SLOW = `for (let at = 0; at < ${budget({ each: 200_000, deep: 20_000 })}; at += 1) Math.sqrt(at);`;

let alone: Promise<StageEnd> | undefined;

/** The sweep in one thread, without what makes it slow, which changes no row. */
function playedAlone(): Promise<StageEnd> {
  alone ??= new SweepStage(LARGE).play({ jobs: 1 });
  return alone;
}

describeWithRedis(`${UNITS} units on three workers`, () => {
  test('of which one is killed three times, give the hash of trials of one thread', async () => {
    const stage = new SweepStage(LARGE);
    stage.writeStrategy(SLOW);
    const { address: redis } = await redisServer();
    const pieces = await served(stage);
    const cache = temporaryDirectory('cache');
    const places = [pieces.address, pieces.directory, pieces.address];
    const worker = (place = ''): RunningCommand =>
      start(['worker', '--jobs', '1', '--json', '--tapes', place, '--cache', cache], { ODDSMITH_REDIS: redis });
    const steady = places.slice(0, 2).map(worker);
    let victim = worker(places[2]);
    stage.writeConfig();
    const sweep = start(['sweep', stage.config, '--engine', 'bullmq', '--redis', redis, '--json']);
    for (let kills = 0; kills < 3; kills += 1) {
      await victim.until(/taking its jobs/);
      await pause(200);
      expect(sweep.said.out, 'it is not over yet').toBe('');
      victim.kill('SIGKILL');
      await victim.ended;
      victim = worker(places[2]);
    }
    expect((await sweep.ended).code, sweep.said.note).toBe(0);
    expect(lineOf(sweep).units).toEqual({ total: UNITS, known: 0, computed: UNITS, failed: 0 });
    expect(lineOf(sweep).trialsSha256).toBe((await playedAlone()).sha256);
    expect(readdirSync(join(cache, 'pieces')).length).toBeGreaterThan(0);
    for (const each of [...steady, victim]) {
      each.kill('SIGTERM');
      expect((await each.ended).code, each.said.note).toBe(0);
    }
  });

  test('whose coordinator is killed with -9 goes on: each unit is computed once', async () => {
    const stage = new SweepStage(LARGE);
    stage.writeStrategy(SLOW);
    const { address: redis } = await redisServer();
    const workers = [0, 1, 2].map(() =>
      start(['worker', '--jobs', '1', '--json', '--redis', redis, '--tapes', stage.tapes[0] ?? '']),
    );
    stage.writeConfig();
    const command = ['sweep', stage.config, '--engine', 'bullmq', '--redis', redis, '--json'];
    for (let kills = 0; kills < 2; kills += 1) {
      const sweep = start(command);
      await sweep.until(/3 jobs at once/);
      await pause(700);
      sweep.kill('SIGKILL');
      await sweep.ended;
    }
    const last = start(command);
    expect((await last.ended).code, last.said.note).toBe(0);
    expect(lineOf(last).units).toMatchObject({ total: UNITS, failed: 0 });
    for (const each of workers) each.kill('SIGTERM');
    for (const each of workers) expect((await each.ended).code, each.said.note).toBe(0);
    expect(playedBy(workers)).toBe(UNITS);
    expect(lineOf(last).trialsSha256).toBe((await playedAlone()).sha256);
  });
});

describeWithRedis('a worker', () => {
  test('of other recordings takes nothing of a sweep that it would falsify, and says which', async () => {
    const [stage, other] = [new SweepStage({ trials: 4, races: 4 }), new SweepStage({ trials: 4, races: 3 })];
    // The last of the four races is held out.
    stage.sweep = { holdout: { from: new Date(DAY + 3 * 5 * MINUTE).toISOString() } };
    other.tapes = [new SweepStage({ trials: 4, races: 2 }).tapes[0] ?? ''];
    const { address: redis } = await redisServer();
    stage.writeConfig();
    const sweep = start(['sweep', stage.config, '--engine', 'bullmq', '--redis', redis, '--json']);
    const wrong = start(['worker', '--redis', redis, '--tapes', other.tapes[0] ?? '', '--json']);
    const ended = await wrong.ended;
    expect(ended.code, ended.note).toBe(5);
    expect(JSON.parse(ended.out).error.code).toBe('MARKET_NOT_HELD');
    const right = start(['worker', '--once', '--redis', redis, '--tapes', stage.tapes[0] ?? '', '--json']);
    expect((await sweep.ended).code, sweep.said.note).toBe(0);
    expect((await right.ended).code).toBe(0);
    expect(lineOf(sweep).units).toMatchObject({ total: 12, failed: 0 });
    const opened = ['sweep', 'holdout', join(stage.out, 'small'), '--open', '1', '--engine', 'bullmq', '--json'];
    const [look, again] = [
      start([...opened, '--redis', redis]),
      start(['worker', '--once', '--redis', redis, '--tapes', stage.tapes[0] ?? '', '--json']),
    ];
    expect((await look.ended).code, look.said.note).toBe(0);
    expect(JSON.parse(look.said.out)).toMatchObject({ heldOut: { units: 1 }, searched: { units: 3 } });
    expect((await again.ended).code, again.said.note).toBe(0);
    expect(playedBy([again])).toBe(1);
  });

  test('and a sweep never print the password of Redis, nor does a report of a fault hold it', async () => {
    const secret = 'sesam-oeffne-dich';
    const { port } = await redisServer(['--requirepass', secret], secret);
    const stage = new SweepStage({ trials: 2, races: 2 });
    stage.writeConfig();
    const said: string[] = [];
    for (const password of [secret, `${secret}-wrong`]) {
      const redis = `redis://:${password}@127.0.0.1:${port}`;
      const sweep = start(['sweep', stage.config, '--engine', 'bullmq', '--redis', redis]);
      const worker = start(['worker', '--once', '--redis', redis, '--tapes', stage.tapes[0] ?? '']);
      for (const each of [sweep, worker]) {
        const { code, out, note } = await each.ended;
        expect(code, note).toBe(password === secret ? 0 : 4);
        said.push(out, note);
      }
    }
    expect(said.join('\n')).toContain('REDIS_NOT_AUTHORISED');
    expect(said.join('\n')).not.toContain(secret);
    const kept = readdirSync(join(stage.out, 'small')).map((name) =>
      readFileSync(join(stage.out, 'small', name), 'latin1'),
    );
    expect(kept.join('\n')).not.toContain(secret);
  });
});
