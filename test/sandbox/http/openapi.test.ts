/** The OpenAPI documents as they are served, judged by a public validator. */

import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStand, type Stand } from './stand.ts';

let stand: Stand;
beforeAll(async () => {
  stand = await openStand();
});
afterAll(async () => {
  await stand.close();
});

test.each(['/openapi.json', '/control/openapi.json'])('%s is valid OpenAPI 3.1', async (path) => {
  const { json } = await stand.call('GET', path);
  const validator = new Validator();
  const verdict = await validator.validate(structuredClone(json));
  expect(verdict).toEqual({ valid: true });
  expect(validator.version).toBe('3.1');
});

test('the validator finds what is wrong', async () => {
  const { json } = await stand.call('GET', '/openapi.json');
  const spoilt = { ...structuredClone(json), paths: { '/orders': { get: { responses: 'none' } } } };
  expect((await new Validator().validate(spoilt)).valid).toBe(false);
});
