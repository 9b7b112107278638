/** Two apps hammer one market of a sandbox from two processes: `npm run hammer -- --seconds 60 --seed 1`. */

import { parseArgs } from 'node:util';
import { hammerWithTwoApps } from '../support/hammer/two-apps.ts';
import { startSandbox } from '../support/vendor/sandbox-process.ts';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const sandbox = await startSandbox();
try {
  const { findings, breaches } = await hammerWithTwoApps(sandbox, {
    seconds: Number(values.seconds),
    seed: Number(values.seed),
  });
  for (const { appId, accepted, refused, cancelled, trades } of findings) {
    console.log(`${appId}: ${accepted} accepted, ${refused} refused, ${cancelled} cancelled, ${trades} trades`);
  }
  for (const breach of breaches) console.log(`BREACH ${breach}`);
  console.log(breaches.length === 0 ? `${values.seconds} s from seed ${values.seed}: all books agree` : 'FAILED');
  if (breaches.length > 0) process.exitCode = 1;
} finally {
  await sandbox.remove();
}
