/** What `oddsmith sandbox --betfair` prints: where it listens, and how a client trusts it. */

import { packageVersion } from '../../package/running-package.ts';
import type { BetfairSandbox } from '../../sandbox-betfair/betfair-sandbox.ts';
import { printable } from '../../words/printable.ts';
import type { SandboxFacts } from './sandbox-messages.ts';

interface BetfairFacts extends Pick<SandboxFacts, 'tapes' | 'flags' | 'dashboard'> {
  readonly sandbox: BetfairSandbox;
}

export function betfairJson({ sandbox, tapes, dashboard, flags }: BetfairFacts): string {
  const { url, streamAddress, authorityFile, controlKey, opening } = sandbox;
  const { memory, state, seed, crowd = false, speed = 1 } = flags;
  const kept = memory === true ? {} : { state: { file: state, isNew: opening.isNew, changes: opening.changes } };
  const facts = {
    command: 'sandbox',
    face: 'betfair',
    version: packageVersion(),
    url,
    streamAddress,
    authorityFile,
    controlKey,
  };
  return `${JSON.stringify({ ...facts, seed, crowd, tapes, speed, dashboard, ...kept })}\n`;
}

export function betfairText({ sandbox, tapes, dashboard, flags }: BetfairFacts): string {
  const { url, streamAddress, authorityFile, controlKey, opening } = sandbox;
  const kept = opening.isNew ? 'new' : `as it was after ${opening.changes} changes`;
  const rows = [
    ['API', `${url}/exchange`],
    ['identity', `${url}/api`],
    ['stream', `${streamAddress}  (TLS)`],
    ['authority', `${authorityFile}  (the certificate that clients must trust)`],
    ['control', `${url}/control  (with the key ${controlKey}, and no part of the API)`],
    ['state', flags.memory === true ? 'in memory, gone at the end' : `${flags.state}  (${kept})`],
    ...tapes.map((path) => ['tape', `${path} at ${flags.speed ?? 1} times its speed`]),
    ...(dashboard === undefined ? [] : [['dashboard', `${dashboard}  (opens it once, within 15 minutes)`]]),
    ...(flags.crowd === true ? [['crowd', `seed ${flags.seed}`]] : []),
  ];
  const login = `curl -s --cacert ${authorityFile} -H 'X-Application: app' -d 'username=me&password=any' ${url}/api/login`;
  return `${rows.map(([label = '', value]) => `${label.padEnd(12)} ${printable(value ?? '')}`).join('\n')}

Any user name gets an account with the password of its first login, any application key is taken, and a login
with a certificate takes any certificate. To try it:
  ${login}

Ctrl-C ends it.
`;
}
