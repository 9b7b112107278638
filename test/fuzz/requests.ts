/** Fuzzed requests, half sound and half spoilt, and raw bytes: `npm run fuzz:requests -- --requests 100000 --seed 1`. */

import { parseArgs } from 'node:util';
import { fuzzSandbox } from '../support/request-fuzz/campaign.ts';
import { startSandbox } from '../support/vendor/sandbox-process.ts';

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
});
const sandbox = await startSandbox();
try {
  const { counts, breaches, memory } = await fuzzSandbox(sandbox, {
    requests: Number(values.requests),
    seed: Number(values.seed),
    onProgress: (done, mib) => {
      if (done % 10_000 === 0) console.log(`${done} requests, ${mib} MiB resident`);
    },
  });
  for (const [name, count] of [...counts].sort()) console.log(`${String(count).padStart(9)}  ${name}`);
  for (const breach of breaches) console.log(`BREACH ${breach}`);
  console.log(`memory: ${memory.join(' ')} MiB`);
  console.log(`${values.requests} requests from seed ${values.seed}: ${breaches.length} breaches`);
  if (breaches.length > 0) process.exitCode = 1;
} finally {
  await sandbox.remove();
}
