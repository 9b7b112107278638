/** Sends one alert by each configured way, once, and tells what became of it. */

import type { Clock } from '../../../time/clock.ts';
import { type AlertOptions, privateWordsOf, type WayKind } from '../../run/alert-options.ts';
import type { AlertNotice } from './alert-notice.ts';
import { type PostOutcome, timedOut } from './post-outcome.ts';
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

/** A test alert by all of them at the same time, and a call of the dead-man service; in the order of the configuration. */
export function tryWays(options: AlertOptions, clock: Clock): Promise<readonly WayTried[]> {
  const { deadMan } = options;
  const calls: readonly Attempt[] =
    deadMan === undefined ? [] : [{ way: 'deadMan', to: originOf(deadMan.url), request: pingRequest(deadMan) }];
  return allTried([...attemptsOf(options, testNotice(clock.now())), ...calls], options, { clock });
}

/** Says a notice by all ways at the same time, for `limitMs` at most on each. Every way takes errors. */
export function sayOnce(
  options: AlertOptions,
  notice: AlertNotice,
  { clock, limitMs }: { readonly clock: Clock; readonly limitMs: number },
): Promise<readonly WayTried[]> {
  return allTried(attemptsOf(options, notice), options, { clock, limitMs });
}

function attemptsOf({ name, ways }: AlertOptions, notice: AlertNotice): readonly Attempt[] {
  const message = { name, notices: [notice], at: notice.at };
  return ways.map((way) => ({ way: way.kind, to: originOf(way.url), request: wayRequest(way, message) }));
}

function testNotice(at: number): AlertNotice {
  return {
    code: 'TEST',
    level: 'warn',
    means: 'alerts of this bot reach you',
    subject: '',
    text: 'a test of this way of sending alerts; nothing is wrong',
    at,
    count: 1,
  };
}

interface Trying {
  readonly clock: Clock;
  /** Less than a request may take anyway. */
  readonly limitMs?: number;
}

function allTried(attempts: readonly Attempt[], options: AlertOptions, trying: Trying): Promise<readonly WayTried[]> {
  const privateWords = privateWordsOf(options);
  return Promise.all(attempts.map((attempt) => tried(attempt, privateWords, trying)));
}

async function tried(
  { way, to, request }: Attempt,
  privateWords: readonly string[],
  { clock, limitMs }: Trying,
): Promise<WayTried> {
  const poster = new Poster({ clock, transport: transportTo(to, clock), privateWords });
  const startedAt = clock.now();
  const outcome = await new Promise<PostOutcome>((resolve) => {
    const giveUp = poster.post(request, (posted) => {
      limit?.unsubscribe();
      resolve(posted);
    });
    const limit =
      limitMs === undefined
        ? undefined
        : clock.schedule(() => {
            giveUp();
            resolve(timedOut(limitMs));
          }, limitMs);
  });
  const ms = clock.now() - startedAt;
  await poster.close();
  const { isSent, status, details } = outcome;
  return { way, to, isSent, status, ms, details };
}
