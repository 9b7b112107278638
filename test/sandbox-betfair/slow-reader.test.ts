/** A tape does not run ahead of a raw client that stops reading, and goes on when it reads on, or never does. */

import { once } from 'node:events';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { Tape } from '../../src/recording/tape/tape.ts';
import { startTape } from '../../src/sandbox/traffic/tape.ts';
import { openBetfairSandbox } from '../../src/sandbox-betfair/betfair-sandbox.ts';
import { wallClock } from '../../src/time/wall-clock.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const SAMPLE = fileURLToPath(new URL('../../backtest/sample.tape', import.meta.url));
const PACE_BYTES = 20_000;
const PACE_MS = 1_000;
/** Longer than any turn of the exchange takes. */
const STANDS_MS = 250;

const isAsked = (path: string, body: string) => ({
  ...{ method: 'POST', path, body, application: 'app', authentication: undefined, hasCertificate: false },
});

test('bytes that a client has not read hold the tape', async () => {
  const bugs: unknown[] = [];
  const onBug = (error: unknown) => bugs.push(error);
  const authorityDirectory = temporaryDirectory('slow-reader');
  const limits = { paceBytes: PACE_BYTES, paceMs: PACE_MS };
  const sandbox = await openBetfairSandbox({ clock: wallClock, authorityDirectory, limits, onBug });
  const tape = Tape.open(SAMPLE);
  let token = '';
  sandbox.face.answer(isAsked('/api/login', 'username=a&password=b')).subscribe(({ text }) => {
    token = JSON.parse(text).token;
  });
  const [, port] = sandbox.streamAddress.split(':');
  const socket = connect({ port: Number(port), host: '127.0.0.1', rejectUnauthorized: false });
  let bytes = 0;
  socket.on('data', (chunk) => {
    bytes += chunk.length;
  });
  await once(socket, 'secureConnect');
  const requests = [
    { op: 'authentication', id: 1, appKey: 'app', session: token },
    { op: 'marketSubscription', id: 2, marketFilter: {}, heartbeatMs: 5_000 },
  ];
  socket.write(requests.map((request) => `${JSON.stringify(request)}\r\n`).join(''));
  sandbox.startTraffic((context) => {
    return { paced: [startTape(context, { tape, speed: 100, showsRecorded: true, onBug })], others: [] };
  });
  try {
    /** Until the tape has stood, or has played, for a while on end. */
    const until = async (isStanding: boolean): Promise<void> => {
      let lag = sandbox.lagMs();
      for (let since = performance.now(); performance.now() - since < STANDS_MS; ) {
        await new Promise((resolve) => wallClock.schedule(() => resolve(undefined), 50));
        const now = sandbox.lagMs();
        if (now - lag > 25 !== isStanding) since = performance.now();
        lag = now;
      }
    };
    await until(false);
    const atPause = bytes;
    socket.pause();
    await until(true);
    // It stands: what the client has not read is about what it may be behind.
    socket.resume();
    await until(false);
    expect(bytes).toBeGreaterThan(atPause);
    const before = sandbox.lagMs();
    socket.pause();
    // The client never reads again: the tape stands for as long as it may, and plays on without it. On a busy machine it waits for itself, too.
    await expect.poll(() => sandbox.lagMs() - before).toBeGreaterThan(0.9 * PACE_MS);
    await until(false);
    expect(bugs).toEqual([]);
  } finally {
    socket.destroy();
    await sandbox.close();
    tape.close();
  }
});
