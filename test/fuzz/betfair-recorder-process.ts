/** A recorder of the Betfair sandbox as a process of its own, to be killed: `betfair-recorder.ts` starts it with a description of what to record as JSON. */

import { of } from 'rxjs';
import { NativeRecording } from '../../src/app/live/record/native-recording.ts';
import { STREAM_LIMITS } from '../../src/betfair/stream/connection/stream-settings.ts';
import { tlsCarrier } from '../../src/betfair/stream/connection/tls-carrier.ts';
import { nativeNews } from '../../src/betfair/stream/native-news.ts';
import { StreamClient } from '../../src/betfair/stream/stream-client.ts';
import { Random } from '../../src/core/number/random.ts';
import { wallClock } from '../../src/time/wall-clock.ts';

const { directory, address, authority, token, marketIds } = JSON.parse(process.argv[2] ?? '{}');
const [host, port] = String(address).split(':');
const client = new StreamClient({
  openCarrier: tlsCarrier(
    { host: host === '127.0.0.1' ? 'localhost' : String(host), port: Number(port), authority },
    STREAM_LIMITS,
  ),
  clock: wallClock,
  random: Random.fromSeed(process.pid),
  session: () => of({ appKey: 'soak', token }),
});
const fail = (error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
};
const recording = new NativeRecording({
  directory,
  news$: nativeNews(client.events$),
  clock: wallClock,
  onFault: fail,
});
client.events$.subscribe((event) => {
  if (event.kind === 'down' || event.kind === 'trouble') process.stderr.write(`${JSON.stringify(event)}\n`);
});
const fields = ['EX_MARKET_DEF', 'EX_ALL_OFFERS', 'EX_TRADED', 'EX_LTP', 'EX_TRADED_VOL'] as const;
client.markets({ marketFilter: { marketIds }, marketDataFilter: { fields: [...fields] } });
client.start();
process.once('SIGTERM', () => {
  client.close();
  process.stdout.write(`${JSON.stringify(recording.finish())}\n`);
});
