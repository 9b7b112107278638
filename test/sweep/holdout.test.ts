/** What a sweep holds out: nobody sees it before it is opened, and each opening is written down. */

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../app/fake-terminal.ts';
import { DAY, type MadeRace, MINUTE, racesTape } from '../support/made-races.ts';
import { raceTape, SweepStage } from '../support/sweep/sweep-stage.ts';

/** Races 0 to 2 are searched, 3 and 4 are held out. */
const FROM = new Date(DAY + 15 * MINUTE).toISOString();

function heldStage(search: unknown = 'grid', heldSeed = 1): SweepStage {
  const stage = new SweepStage({ trials: 4, races: 1 });
  stage.tapes = [raceTape(0, 3), raceTape(3, 5, heldSeed)];
  stage.sweep = { holdout: { from: FROM }, search };
  stage.writeConfig();
  return stage;
}

const json = async (...args: readonly string[]) => {
  const { code, out } = await run(...args, '--json');
  return { code, ...JSON.parse(out) };
};

const TPE = { method: 'tpe', trials: 12, generation: 4, startup: 4 };

test.each([
  { name: 'a grid', search: 'grid', units: 12 },
  { name: 'a search that learns', search: TPE, units: 36 },
  { name: 'a race', search: { method: 'race', start: 'grid', events: 5 }, units: 12 },
])('$name is the same whatever is recorded of the events that are held out', async ({ search, units }) => {
  const [one, two] = [heldStage(search, 1), heldStage(search, 2)];
  if (search === TPE) {
    for (const stage of [one, two]) {
      stage.space = { 'params.stake': { from: 2, to: 20, step: 0.5 }, 'params.ticks': { from: 0, to: 9 } };
      stage.writeConfig();
    }
  }
  const [first, second] = [
    await json('sweep', one.config, '--jobs', '1'),
    await json('sweep', two.config, '--jobs', '1'),
  ];
  expect(first.units).toEqual({ total: units, known: 0, computed: units, failed: 0 });
  expect(second.trialsSha256).toBe(first.trialsSha256);
  expect(second.statistics).toEqual(first.statistics);
  expect(first.statistics.events).toBe(3);
  const csv = join(one.directory, 'markets.csv');
  await run('sweep', 'export', join(one.out, 'small'), '--rows', 'markets', '--csv', csv);
  expect(await marketsIn(csv)).toEqual(['win-0', 'win-1', 'win-2']);
  const opened = await Promise.all(
    [one, two].map((stage) => json('sweep', 'holdout', join(stage.out, 'small'), '--open', '0')),
  );
  expect(opened.map(({ heldOut }) => heldOut.units)).toEqual([2, 2]);
  expect(opened[0]?.searched).toEqual(opened[1]?.searched);
  // They were recorded otherwise, so that a leak would have been seen.
  expect(opened[0]?.heldOut).not.toEqual(opened[1]?.heldOut);
});

async function marketsIn(csv: string): Promise<readonly string[]> {
  const { readFileSync } = await import('node:fs');
  return [...new Set(readFileSync(csv, 'utf8').match(/win-\d+/g))].sort();
}

test('each opening is written down, counted and printed, and the date stays', async () => {
  const stage = heldStage();
  const directory = join(stage.out, 'small');
  const played = await run('sweep', stage.config, '--jobs', '1');
  expect(played.note).toMatch(/Events from .* on are held out, and were not opened\.\n/);
  expect((await json('sweep', 'holdout', directory)).openings).toEqual([]);
  const once = await run('sweep', 'holdout', directory, '--open', '2');
  expect(once.out).toMatch(/^Trial 2, pessimistic bound\nfigure +searched +held out\nunits +3 +2\nprofitNet +/);
  expect(once.out).toMatch(/held out, and were opened once, for trial 2 at \d{4}-/);
  await run('sweep', 'holdout', directory, '--open', '2');
  const third = await run('sweep', 'holdout', directory, '--open', '0');
  expect(third.out).toMatch(
    /opened 3 times, for trials 2, 2, 0 \(first at .*\): what they show is worth less each time\./,
  );
  expect((await run('sweep', 'show', directory)).out).toMatch(/opened 3 times/);
  const again = await json('sweep', stage.config, '--jobs', '1');
  expect(again).toMatchObject({
    code: 0,
    units: { total: 12, computed: 0 },
    holdout: { searchedBefore: { here: 0, others: [] } },
  });
  for (const sweep of [{}, { holdout: { from: '2026-01-01' } }]) {
    stage.sweep = sweep;
    stage.writeConfig();
    expect((await json('sweep', stage.config)).error).toMatchObject({ code: 'HOLDOUT_OPENED' });
  }
});

test.each([
  { isolate: 'market', units: 12 },
  { isolate: 'none', units: 4 },
])('with isolate: $isolate they are in no unit either', async ({ isolate, units }) => {
  const stages = [heldStage('grid', 1), heldStage('grid', 2)];
  const hashes: string[] = [];
  for (const stage of stages) {
    stage.set({ isolate });
    stage.writeConfig();
    const dry = await json('sweep', stage.config, '--dry-run', '--jobs', '1');
    expect(dry).toMatchObject({ trials: 4, units });
    const played = await json('sweep', stage.config, '--jobs', '1');
    expect(played.units).toMatchObject({ total: units, computed: units });
    hashes.push(played.trialsSha256);
  }
  expect(hashes[0]).toBe(hashes[1]);
});

test('openings by another sweep of the strategy beside it are named', async () => {
  const stage = heldStage();
  await run('sweep', stage.config, '--jobs', '1');
  await run('sweep', 'holdout', join(stage.out, 'small'), '--open', '1');
  stage.sweep = { ...stage.sweep, name: 'second' };
  stage.writeConfig();
  const { note } = await run('sweep', stage.config, '--jobs', '1');
  expect(note).toMatch(/held out, and were not opened\.\nThe sweep in .*small opened what it holds out 1 times\./);
});

test('rerun plays no event that is held out', async () => {
  const stage = heldStage();
  await run('sweep', stage.config, '--jobs', '1');
  const { code, note } = await run('sweep', 'rerun', join(stage.out, 'small'), '--trial', '1');
  expect({ code, note }).toEqual({ code: 0, note: expect.stringMatching(/Equal to the figures .* of its 3 units/) });
});

test('events that were searched before are named as that', async () => {
  const stage = heldStage();
  stage.sweep = {};
  stage.writeConfig();
  await run('sweep', stage.config, '--jobs', '1');
  const directory = join(stage.out, 'small');
  expect((await json('sweep', 'holdout', directory)).error).toMatchObject({ code: 'NO_HOLDOUT' });
  stage.sweep = { holdout: { from: FROM } };
  stage.writeConfig();
  const { note } = await run('sweep', stage.config, '--jobs', '1');
  expect(note).toMatch(/4 trials of this directory were searched on them as well/);
});

test('so are those that another sweep of the strategy searched', async () => {
  const stage = heldStage();
  stage.sweep = { name: 'open' };
  stage.writeConfig();
  await run('sweep', stage.config, '--jobs', '1');
  stage.sweep = { holdout: { from: FROM } };
  stage.writeConfig();
  const { note } = await run('sweep', stage.config, '--jobs', '1');
  expect(note).toMatch(/not opened\.\n4 trials in .*open were searched on them as well/);
});

test('those that were searched on other events of the same days are not', async () => {
  const stage = heldStage();
  // As late as those that are held out, but of other meetings.
  const other = stage.tapes;
  stage.tapes = [racesTape([5, 6].map((race) => otherRace(race)))];
  stage.sweep = { name: 'open' };
  stage.writeConfig();
  await run('sweep', stage.config, '--jobs', '1');
  stage.tapes = other;
  stage.sweep = { holdout: { from: FROM } };
  stage.writeConfig();
  const { note } = await run('sweep', stage.config, '--jobs', '1');
  expect(note).toMatch(/not opened\.\n/);
  expect(note).not.toMatch(/were searched on them as well/);
});

/** Its scheduled start is that of the races that are held out, or later. */
function otherRace(race: number): MadeRace {
  const startAt = DAY + race * 5 * MINUTE;
  return {
    ...{ id: `other-${race}`, startAt, firstAt: startAt - 10 * MINUTE, lastAt: startAt + 2 * MINUTE, updates: 80 },
    ...{ facts: { eventId: `other-${race}` }, offAt: startAt + 10_000, settledAt: startAt + MINUTE },
  };
}

test('where a tape is gone it is not known whether its events were searched before', async () => {
  const stage = heldStage();
  await run('sweep', stage.config, '--jobs', '1');
  rmSync(stage.tapes[1] ?? '', { recursive: true });
  const directory = join(stage.out, 'small');
  const { out } = await run('sweep', 'show', directory);
  expect(out).toMatch(/Whether trials were searched on them before is not known: .+/);
  expect((await json('sweep', 'show', directory)).holdout.searchedBefore).toMatchObject({ kind: 'notKnown' });
});

test.each(['yesterday', '2026-02-30', '2026-9-1', '2026-09-01T12:00'])(
  'the date %s is refused where it stands',
  async (from) => {
    const stage = heldStage();
    stage.sweep = { holdout: { from } };
    stage.writeConfig();
    const { error } = await json('sweep', stage.config);
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', where: expect.stringMatching(/sweep\.yaml:\d+:\d+$/) });
  },
);

test('where no event is held out nothing is opened', async () => {
  const stage = heldStage();
  stage.sweep = { holdout: { from: '2126-01-01' } };
  stage.writeConfig();
  await run('sweep', stage.config, '--jobs', '1');
  const directory = join(stage.out, 'small');
  expect((await json('sweep', 'holdout', directory, '--open', '0')).error).toMatchObject({ code: 'NO_MARKETS' });
  expect((await json('sweep', 'holdout', directory)).openings).toEqual([]);
});

test('a trial is opened by more threads than one, and a dry run or a Redis that is not there opens nothing', async () => {
  const stage = heldStage();
  await run('sweep', stage.config, '--jobs', '1');
  const directory = join(stage.out, 'small');
  for (const flag of ['--dry-run', '--retry'])
    expect((await json('sweep', 'holdout', directory, '--open', '0', flag)).error).toMatchObject({
      code: 'USAGE',
      what: expect.stringContaining(flag),
    });
  const away = ['--engine', 'bullmq', '--redis', 'redis://127.0.0.1:1'];
  expect((await json('sweep', 'holdout', directory, '--open', '0', ...away)).error.code).toBe('REDIS_UNREACHABLE');
  const opened = await json('sweep', 'holdout', directory, '--open', '0', '--jobs', '2');
  expect(opened.heldOut.units).toBe(2);
  expect(opened.openings).toHaveLength(1);
});
