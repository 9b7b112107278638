/** A bot polls and places while its tokens live 2 s and 10 s: `npm run soak:sessions -- --seconds 60`. */

import { parseArgs } from 'node:util';
import { soakSessions } from '../support/session-soak.ts';
import { startSandbox } from '../support/vendor/sandbox-process.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });
const args = ['--memory', '--access-token-ms', '2000', '--refresh-token-ms', '10000'];
const sandbox = await startSandbox({ args });
try {
  const { breaches, ...figures } = await soakSessions(sandbox, Number(values.seconds));
  console.log(JSON.stringify(figures));
  for (const breach of breaches) console.log(`BREACH ${breach}`);
  console.log(`${values.seconds} s: ${breaches.length} breaches`);
  if (breaches.length > 0) process.exitCode = 1;
} finally {
  await sandbox.remove();
}
