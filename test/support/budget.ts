/**
 * How much a proof plays: little in `npm test`, where one of its kind is enough; what is enough to notice a mistake in
 * `npm run test:all`; and more in the long proofs, which `npm run test:deep` starts with `ODDSMITH_DEEP=1`.
 */

const isDeep = process.env['ODDSMITH_DEEP'] === '1';
const isBrief = process.env['ODDSMITH_BRIEF'] === '1';

export function budget<T>(sizes: { readonly brief?: T; readonly each: T; readonly deep: T }): T {
  if (isBrief) return sizes.brief ?? sizes.each;
  return isDeep ? sizes.deep : sizes.each;
}
