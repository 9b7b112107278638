/** What `oddsmith sandbox --betfair` prints: where it listens, and how a client trusts it. */

import { packageVersion } from '../../package/running-package.ts';
import type { BetfairSandbox } from '../../sandbox-betfair/betfair-sandbox.ts';
import { printable } from '../../words/printable.ts';
import type { SandboxFacts } from './sandbox-messages.ts';

interface BetfairFacts extends Pick<SandboxFacts, 'tapes' | 'flags'> {
  readonly sandbox: BetfairSandbox;
}

export function betfairJson({ sandbox, tapes, flags }: BetfairFacts): string {
  const { url, streamAddress, authorityFile, opening } = sandbox;
  const { memory, state, seed, crowd = false, speed = 1 } = flags;
  const kept = memory === true ? {} : { state: { file: state, isNew: opening.isNew, changes: opening.changes } };
  const facts = { command: 'sandbox', face: 'betfair', version: packageVersion(), url, streamAddress, authorityFile };
  return `${JSON.stringify({ ...facts, seed, crowd, tapes, speed, ...kept })}\n`;
}

export function betfairText({ sandbox, tapes, flags }: BetfairFacts): string {
  const { url, streamAddress, authorityFile, opening } = sandbox;
  const kept = opening.isNew ? 'new' : `as it was after ${opening.changes} changes`;
  const rows = [
    ['API', `${url}/exchange`],
    ['identity', `${url}/api`],
    ['stream', `${streamAddress}  (TLS)`],
    ['authority', `${authorityFile}  (the certificate that clients must trust)`],
    ['state', flags.memory === true ? 'in memory, gone at the end' : `${flags.state}  (${kept})`],
    ...tapes.map((path) => ['tape', `${path} at ${flags.speed ?? 1} times its speed`]),
    ...(flags.crowd === true ? [['crowd', `seed ${flags.seed}`]] : []),
  ];
  const login = `curl -s --cacert ${authorityFile} -H 'X-Application: app' -d 'username=me&password=secret' ${url}/api/login`;
  return `${rows.map(([label = '', value]) => `${label.padEnd(12)} ${printable(value ?? '')}`).join('\n')}

Any user name gets an account with the password of its first login, any application key is taken, and a login
with a certificate takes any certificate. To try it:
  ${login}

Ctrl-C ends it.
`;
}
