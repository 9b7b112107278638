/** Which requests the dashboard hears at all: by host, origin and site, before any session is looked at. */

import { expect, test } from 'vitest';
import { type Caller, turnedAway } from '../../../src/app/web/dashboard/server/gate.ts';

const HOST = '127.0.0.1:9465';
const OWN: Caller = {
  method: 'GET',
  path: '/events',
  host: HOST,
  origin: undefined,
  fetchSite: 'same-origin',
  localAddress: '127.0.0.1',
};
const POST: Caller = { ...OWN, method: 'POST', path: '/commands', origin: `http://${HOST}` };

function statusOf(caller: Caller, names: readonly string[] = []): number | undefined {
  return turnedAway(caller, new Set(names))?.status;
}

test.each<[string, Caller, readonly string[]]>([
  ['its own page', OWN, []],
  ['its own page, with an origin', { ...OWN, origin: `http://${HOST}` }, []],
  ['a program that is no browser', { ...OWN, fetchSite: undefined }, []],
  ['a person who types the address', { ...OWN, path: '/', fetchSite: 'none' }, []],
  ['a link on another site to the page, which holds nothing', { ...OWN, path: '/', fetchSite: 'cross-site' }, []],
  ['localhost', { ...OWN, host: 'localhost:9465' }, []],
  ['IPv6', { ...OWN, host: '[::1]:9465', localAddress: '::1' }, []],
  ['a tunnel from another port', { ...POST, host: 'localhost:8000', origin: 'http://localhost:8000' }, []],
  ['the address at which it came in', { ...OWN, host: '10.0.0.7:9465', localAddress: '::ffff:10.0.0.7' }, []],
  ['a name that was configured', { ...OWN, host: 'Bots.example.org' }, ['bots.example.org']],
  ['a proxy with TLS', { ...POST, host: 'bots.example.org', origin: 'https://bots.example.org' }, ['bots.example.org']],
  ['a POST of its page', POST, []],
])('%s is heard', (_, caller, names) => {
  expect(turnedAway(caller, new Set(names))).toBeUndefined();
});

test.each<[string, Caller, number]>([
  ['a name that somebody lets point here', { ...OWN, host: 'evil.test:9465' }, 421],
  ['a name that only begins like ours', { ...OWN, host: 'localhost.evil.test:9465' }, 421],
  ['an address that is not the one it came in at', { ...OWN, host: '10.0.0.7:9465' }, 421],
  ['no host', { ...OWN, host: undefined }, 421],
  ['a host with a path in it', { ...OWN, host: '127.0.0.1:9465/../x' }, 421],
  ['a page of another origin', { ...OWN, origin: 'http://evil.test' }, 403],
  ['a page of another port of this machine', { ...POST, origin: 'http://127.0.0.1:8000' }, 403],
  ['a sandboxed frame', { ...POST, origin: 'null' }, 403],
  ['a POST that hides its origin', { ...POST, origin: undefined }, 403],
  ['an image of another site', { ...OWN, fetchSite: 'cross-site' }, 403],
  ['a script of another port of this machine', { ...OWN, fetchSite: 'same-site' }, 403],
  ['a question before a POST', { ...OWN, method: 'OPTIONS' }, 405],
  ['any other method', { ...OWN, method: 'PUT' }, 405],
])('%s is turned away', (_, caller, status) => {
  expect(statusOf(caller)).toBe(status);
});
