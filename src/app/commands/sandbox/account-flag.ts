/** `--account mary:EUR:20%`: what a sandbox that speaks Betfair's API agrees with an account. */

import { InvalidArgumentError, Option } from 'commander';
import { type AccountTerms, USUAL_TERMS } from '../../../sandbox-betfair/names/account-terms.ts';
import { CURRENCIES } from '../../../sandbox-betfair/names/currencies.ts';

export type AccountFlags = ReadonlyMap<string, AccountTerms>;

const OLD_FIELDS = 'old-fields';
const PPM_PER_PERCENT = 10_000;

export function accountFlag(): Option {
  const terms = `a currency, a discount on the commission such as 20%, ${OLD_FIELDS} (no fields that came since 2025)`;
  return new Option(
    '--account <name:terms>',
    `what an account has, such as mary:EUR:20%: ${terms} (repeatable)`,
  ).argParser((text: string, all: AccountFlags | undefined) => {
    const [name = '', ...terms] = text.split(':');
    if (name === '' || terms.length === 0)
      throw new InvalidArgumentError('It must be a user name and terms, such as mary:EUR.');
    return new Map([...(all ?? []), [name, terms.reduce(withTerm, USUAL_TERMS)]]);
  });
}

function withTerm(before: AccountTerms, term: string): AccountTerms {
  if (CURRENCIES.includes(term)) return { ...before, currency: term };
  if (term === OLD_FIELDS) return { ...before, newFields: false };
  const percent = /^(\d{1,3}(?:\.\d{1,2})?)%$/.exec(term)?.[1];
  if (percent !== undefined && Number(percent) <= 100)
    return { ...before, discountPpm: Math.round(Number(percent) * PPM_PER_PERCENT) };
  throw new InvalidArgumentError(
    `"${term}" is none of its terms: ${CURRENCIES.join(', ')}, a discount from 0% to 100%, ${OLD_FIELDS}.`,
  );
}
