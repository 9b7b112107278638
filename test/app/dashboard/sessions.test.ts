/** Links work once and for a while, sessions as long as they are used; of both there are only so many. */

import { expect, test } from 'vitest';
import { isTokenOf, LINK_MS, Sessions } from '../../../src/app/web/dashboard/server/sessions.ts';

function sessionsAt() {
  const clock = { now: 1_000 };
  return { clock, sessions: new Sessions(() => clock.now) };
}

test('a link opens one session, once', () => {
  const { sessions } = sessionsAt();
  const link = sessions.newLink();
  const session = sessions.open(link);
  expect(sessions.of(session?.secret)).toEqual(expect.objectContaining({ token: session?.token }));
  expect(sessions.open(link)).toBeUndefined();
  expect(sessions.of(session?.secret), 'a second try ends nothing').toBeDefined();
});

test('what was never given opens nothing', () => {
  const { sessions } = sessionsAt();
  sessions.newLink();
  for (const wrong of ['', 'wrong', 'x'.repeat(1_000)]) expect(sessions.open(wrong)).toBeUndefined();
  expect(sessions.of(undefined)).toBeUndefined();
  expect(sessions.of('wrong')).toBeUndefined();
});

test('a link that waits too long is worth nothing, and so is the oldest of many', () => {
  const { sessions, clock } = sessionsAt();
  const late = sessions.newLink();
  clock.now += LINK_MS + 1;
  expect(sessions.open(late)).toBeUndefined();
  const links = Array.from({ length: 9 }, () => sessions.newLink());
  expect(links.map((link) => sessions.open(link) !== undefined)).toEqual([false, ...links.slice(1).map(() => true)]);
});

test('a session ends when it is not used for a week, or when many newer ones are', () => {
  const { sessions, clock } = sessionsAt();
  const open = () => sessions.open(sessions.newLink())?.secret;
  const used = open();
  const unused = open();
  clock.now += 6 * 86_400_000;
  expect(sessions.of(used)).toBeDefined();
  clock.now += 2 * 86_400_000;
  expect(sessions.of(used)).toBeDefined();
  expect(sessions.of(unused)).toBeUndefined();
  for (let more = 0; more < 16; more += 1) open();
  expect(sessions.of(used)).toBeUndefined();
});

test('the token in the header is the session’s own', () => {
  const { sessions } = sessionsAt();
  const open = () => sessions.open(sessions.newLink());
  const [mine, other] = [open(), open()];
  if (mine === undefined || other === undefined) return expect.fail('two sessions');
  expect(isTokenOf(mine, mine.token)).toBe(true);
  for (const wrong of [other.token, mine.secret, '', undefined]) expect(isTokenOf(mine, wrong)).toBe(false);
});
