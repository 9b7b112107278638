/** `oddsmith record` before the Betfair sandbox where a login is refused: at the start, for some minutes, and for good while it records. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importRecordings } from '../../src/backtest.ts';
import { Tape } from '../../src/recording/tape/tape.ts';
import { verifyTape } from '../../src/recording/verify.ts';
import { BetfairStage, TYPE } from '../support/daemon/betfair-stage.ts';

async function opened() {
  const stage = await BetfairStage.open();
  const { config: lines, control, owner } = stage.exchange;
  const tapes = join(stage.directory, 'tapes');
  const config = join(stage.directory, 'record.yaml');
  const [exchange = ''] = lines.split('wallets:');
  writeFileSync(
    config,
    `${exchange}markets: { types: [${TYPE}] }
feeds: { markets: { mode: stream, rereadMs: 1000 }, prices: { mode: stream, rereadMs: 1000 } }
out: ${tapes}
`,
  );
  return {
    tapes,
    record: (...more: readonly string[]) => stage.start('record', config, ...more),
    refuse: (code: string, more: object = {}) => control.call('POST', '/faults', { kind: 'error', code, ...more }),
    endSession: () => control.call('POST', '/sessions/end', { appId: owner.account }),
  };
}

/** What markets, events and outcomes are called on a tape. */
function namesOf(path: string) {
  const tape = Tape.open(path);
  const names = tape.markets.map(({ facts: { id, name, eventName, outcomes } }) => ({
    ...{ id, name, eventName, titles: outcomes.map(({ title }) => title) },
  }));
  tape.close();
  return names;
}

test('a login that is refused for good while it records ends it with what to do, and the tape is whole', async () => {
  const { tapes, record, refuse, endSession } = await opened();
  const recorder = record();
  await recorder.until('recording onto');
  await refuse('ACCOUNT_NOW_LOCKED');
  await endSession();
  const { code, note } = await recorder.ended;
  expect(code).toBe(4);
  expect(note).toMatch(/no session: ACCOUNT_NOW_LOCKED\. The account is locked/);
  expect(note).toMatch(/error SESSION_LOST {2}The exchange does not let this account in any more\./);
  const [name = ''] = readdirSync(tapes).filter((each) => each.endsWith('.tape'));
  expect(note).toContain(`What was recorded is whole: ${join(tapes, name)}`);
  expect(verifyTape(join(tapes, name))).toEqual([]);
});

test('a ban from login is told and waited for', async () => {
  const { tapes, record, refuse, endSession } = await opened();
  const recorder = record();
  await recorder.until('recording onto');
  await refuse('TEMPORARY_BAN_TOO_MANY_REQUESTS');
  await endSession();
  await recorder.until(/no session: TEMPORARY_BAN_TOO_MANY_REQUESTS; next try in \d+ ms/);
  recorder.kill('SIGTERM');
  const { code, out } = await recorder.ended;
  expect(code).toBe(0);
  const tape = join(tapes, 'native.tape');
  expect(out.match(/ (import|tape|backtest) .*/g)).toEqual([
    ` import betfair ${join(tapes, 'native')} --tape ${tape}`,
    ...[` tape info ${tape}`, ` backtest --tape ${tape} --strategy FILE`],
  ]);
  const catalogue = readFileSync(join(tapes, 'native', 'catalogue.jsonl'), 'utf8');
  expect(catalogue).toContain('"marketName"');
  expect(catalogue, 'a line for each change of it').not.toContain('totalMatched');
  await importRecordings({ files: [join(tapes, 'native')], out: tape });
  const [name = ''] = readdirSync(tapes).filter((each) => each.endsWith('.tape') && each !== 'native.tape');
  const [names, recorded] = [namesOf(tape), namesOf(join(tapes, name))];
  expect(names.length).toBeGreaterThan(0);
  expect(recorded).toEqual(expect.arrayContaining(names));
});

test('a login that is refused at the start ends it there; a ban is waited for', async () => {
  const { record, refuse } = await opened();
  await refuse('INVALID_USERNAME_OR_PASSWORD', { count: 1 });
  const refused = await record('--json').ended;
  expect(refused.code).toBe(4);
  expect(JSON.parse(refused.out)).toMatchObject({
    error: {
      code: 'EXCHANGE_NOT_AUTHORISED',
      why: 'INVALID_USERNAME_OR_PASSWORD',
      next: expect.stringContaining('exchange.betfair.password'),
    },
  });
  await refuse('TEMPORARY_BAN_TOO_MANY_REQUESTS');
  const banned = record();
  await banned.until(/cannot be reached: TEMPORARY_BAN_TOO_MANY_REQUESTS/);
  banned.kill('SIGTERM');
  expect((await banned.ended).code).toBe(0);
});
