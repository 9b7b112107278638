/** A hostile page and a hostile program get nothing of a run’s view. */

import { beforeAll, expect, test } from 'vitest';
import { ask } from '../../support/dashboard/dashboard-visit.ts';
import { SAMPLE_TAPE } from '../../support/places.ts';
import { centralRun } from '../../support/view/played-run.ts';
import { startView } from '../../support/view/view-visit.ts';

let played = '';
beforeAll(async () => {
  played = await centralRun(SAMPLE_TAPE);
});

const MARKET = '/market?id=99000101';
const JSON_TYPE = { 'content-type': 'application/json' };

test('requests without what a session has get no word of the run', async () => {
  const { link, cookie: secret, welcome } = await startView(played);
  const { port } = link;
  const origin = { origin: `http://127.0.0.1:${port}` };
  const cookie = { cookie: secret };
  const post = (headers: Readonly<Record<string, string>>, path: string, fields: object = {}) =>
    ({ method: 'POST', path, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(fields) }) as const;
  const tries = {
    'no cookie': { path: MARKET },
    'no cookie for the session': { path: '/session' },
    'no cookie for a part': { path: '/part?id=99000101&part=0' },
    'a wrong cookie': { path: MARKET, headers: { cookie: `oddsmith-view-${port}=wrong` } },
    'the cookie of another port': { path: MARKET, headers: { cookie: secret.replace(String(port), '1') } },
    'the cookie of a dashboard': { path: MARKET, headers: { cookie: secret.replace('oddsmith-view-', 'oddsmith-') } },
    'a rebound name': { path: MARKET, headers: { ...cookie, host: `evil.test:${port}` } },
    'a rebound name for the page': { path: '/', headers: { host: `evil.test:${port}` } },
    'another origin': { path: MARKET, headers: { ...cookie, origin: 'http://evil.test' } },
    'another port’s origin': { path: MARKET, headers: { ...cookie, origin: 'http://127.0.0.1:1' } },
    'another site': { path: MARKET, headers: { ...cookie, 'sec-fetch-site': 'cross-site' } },
    'a page of the same site': { path: MARKET, headers: { ...cookie, 'sec-fetch-site': 'same-site' } },
    'a POST to a market': post({ ...origin, ...cookie }, MARKET),
    'a POST to a part': post({ ...origin, ...cookie }, '/part?id=99000101&part=0'),
    'a POST to the session': post({ ...origin, ...cookie }, '/session'),
    'a command': post({ ...origin, ...cookie }, '/commands', { name: 'halt' }),
    'a login without an origin': post({}, '/login', { link: link.secret }),
    'a login from another origin': post({ origin: 'http://evil.test' }, '/login', { link: link.secret }),
    'a link that was used': post(origin, '/login', { link: link.secret }),
    'a wrong link': post(origin, '/login', { link: 'wrong' }),
    'a link that is no text': post(origin, '/login', { link: [link.secret] }),
    'a body without end': post(origin, '/login', { link: 'x'.repeat(100_000) }),
    'a form of another type': { ...post(origin, '/login'), headers: origin },
    'a path upwards': { path: '/../../../../etc/passwd', headers: cookie },
    'an encoded path upwards': { path: '/%2e%2e/%2e%2e/etc/passwd', headers: cookie },
    'a file beside the page': { path: '/view.js', headers: cookie },
    'the data of the report': { path: '/report-data.gz', headers: cookie },
    'an absolute address': { path: `http://127.0.0.1:${port}/session`, headers: cookie },
    'another method': { method: 'DELETE', path: MARKET, headers: cookie },
    'a question before a POST': { method: 'OPTIONS', path: '/login', headers: { origin: 'http://evil.test' } },
  };
  for (const [what, request] of Object.entries(tries)) {
    const answer = await ask(port, request);
    expect([400, 401, 403, 404, 405, 421], `${what}: ${answer.status}`).toContain(answer.status);
    expect(answer.text, what).not.toContain(welcome.name);
    expect(answer.text, what).not.toContain('Sample Stakes');
    expect(answer.headers['access-control-allow-origin'], what).toBeUndefined();
    expect(answer.headers['set-cookie'], what).toBeUndefined();
    expect(answer.headers['content-security-policy'], what).toContain("frame-ancestors 'none'");
  }
  // The same with all of it: so the tries failed for what they lacked.
  const answer = await ask(port, { path: MARKET, headers: { ...cookie, ...origin, 'sec-fetch-site': 'same-origin' } });
  expect(answer.text).toContain('Sample Stakes');
  expect(answer.headers).toMatchObject({
    ...{ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' },
    'cross-origin-resource-policy': 'same-origin',
  });
});

test('the page holds nothing of the run, and runs no script but its own', async () => {
  const { link } = await startView(played);
  const page = await ask(link.port, { path: '/' });
  expect(page.headers).toMatchObject({
    ...{ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' },
    'content-security-policy': expect.stringMatching(/default-src 'none'.*script-src 'sha256-.*frame-ancestors 'none'/),
  });
  expect(page.headers['content-security-policy']).not.toContain('unsafe');
  expect(page.text).not.toContain(played.split('/').at(-1) ?? '');
  expect(page.text).toContain('<main id="view">');
});

test('the cookie is kept from scripts and from other sites', async () => {
  const { link, cookie, login } = await startView(played);
  expect(login.headers['set-cookie']).toEqual([`${cookie}; HttpOnly; SameSite=Strict; Path=/`]);
  const again = await ask(link.port, { path: '/session', headers: { cookie: `a=b; ${cookie}; c=d` } });
  expect(again.status).toBe(200);
  expect(again.headers['set-cookie']).toBeUndefined();
});

test('ids and numbers of parts that are none are refused, and break nothing', async () => {
  const { get } = await startView(played);
  for (const id of [
    '',
    '../../etc/passwd',
    '%00',
    '__proto__',
    'constructor',
    "1' OR '1'='1",
    '99000101%0d%0aa:b',
    'x'.repeat(8_000),
  ]) {
    const answer = await get(`/market?id=${/%\d/.test(id) ? id : encodeURIComponent(id)}`);
    expect([404, 431], id).toContain(answer.status);
    if (answer.status === 404) expect(JSON.parse(answer.text)).toEqual({ why: 'There is no such market.' });
  }
  for (const part of ['-1', '1.5', 'NaN', 'Infinity', '1e3', '0x1', ' 1', '', '9'.repeat(400), '00000000000001']) {
    const answer = await get(`/part?id=99000101&part=${encodeURIComponent(part)}`);
    expect(answer.status, part).toBe(400);
  }
  expect((await get('/part?id=99000101&part=999999999')).status).toBe(404);
  expect((await get('/part?id=1&part=0')).status).toBe(404);
  expect((await get('/part?id=99000101')).status).toBe(400);
  expect((await get('/part?id=99000101&part=0')).status).toBe(200);
});

test('a caller that goes away in the middle breaks nothing', async () => {
  const { link, cookie, get } = await startView(played);
  await Promise.all(
    Array.from({ length: 20 }, async (_, place) => {
      const path = place % 2 === 0 ? `/market?id=9900010${(place % 3) + 1}` : `/part?id=99000101&part=${place % 5}`;
      const cut = new AbortController();
      const asked = fetch(`http://127.0.0.1:${link.port}${path}`, { headers: { cookie }, signal: cut.signal });
      setTimeout(() => cut.abort(), place);
      await asked.then((answer) => answer.text()).catch(() => undefined);
    }),
  );
  expect((await get(MARKET)).status).toBe(200);
});
