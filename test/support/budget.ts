/**
 * How much a proof plays: what is enough to notice a mistake in every run of the tests, and more in the long proofs, which
 * `npm run test:deep -- --only test` starts with `ODDSMITH_DEEP=1`.
 */

const isDeep = process.env['ODDSMITH_DEEP'] === '1';

export function budget<T>({ each, deep }: { readonly each: T; readonly deep: T }): T {
  return isDeep ? deep : each;
}
