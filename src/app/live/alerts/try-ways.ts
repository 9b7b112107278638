/** Sends one alert of no importance by each configured way, once, and tells what became of it. */

import type { Clock } from '../../../time/clock.ts';
import { type AlertOptions, privateWordsOf, type WayKind } from '../../run/alert-options.ts';
import type { AlertMessage } from './alert-message.ts';
import type { PostOutcome } from './post-outcome.ts';
import { Poster, transportTo } from './poster.ts';
import { originOf, pingRequest, wayRequest } from './way-request.ts';

export interface WayTried {
  readonly way: WayKind | 'deadMan';
  /** Scheme, host and port. */
  readonly to: string;
  readonly isSent: boolean;
  /** The HTTP status; absent where no answer came. */
  readonly status: number | undefined;
  readonly ms: number;
  /** Why it was not received; empty where it was. */
  readonly details: string;
}

interface Attempt {
  readonly way: WayTried['way'];
  readonly to: string;
  readonly request: ReturnType<typeof pingRequest>;
}

/** All of them at the same time; in the order of the configuration. */
export function tryWays(options: AlertOptions, clock: Clock): Promise<readonly WayTried[]> {
  const privateWords = privateWordsOf(options);
  return Promise.all(attemptsOf(options, clock.now()).map((attempt) => tried(attempt, { clock, privateWords })));
}

function attemptsOf({ name, ways, deadMan }: AlertOptions, at: number): readonly Attempt[] {
  const message = testMessage(name, at);
  const attempts: Attempt[] = ways.map((way) => ({
    way: way.kind,
    to: originOf(way.url),
    request: wayRequest(way, message),
  }));
  if (deadMan === undefined) return attempts;
  return [...attempts, { way: 'deadMan', to: originOf(deadMan.url), request: pingRequest(deadMan) }];
}

function testMessage(name: string, at: number): AlertMessage {
  const notice = {
    code: 'TEST',
    level: 'warn',
    means: 'alerts of this bot reach you',
    subject: '',
    text: 'a test of this way of sending alerts; nothing is wrong',
    at,
    count: 1,
  } as const;
  return { name, notices: [notice], at };
}

async function tried(
  { way, to, request }: Attempt,
  { clock, privateWords }: { readonly clock: Clock; readonly privateWords: readonly string[] },
): Promise<WayTried> {
  const poster = new Poster({ clock, transport: transportTo(to, clock), privateWords });
  const startedAt = clock.now();
  const outcome = await new Promise<PostOutcome>((resolve) => {
    poster.post(request, resolve);
  });
  const ms = clock.now() - startedAt;
  await poster.close();
  const { isSent, status, details } = outcome;
  return { way, to, isSent, status, ms, details };
}
