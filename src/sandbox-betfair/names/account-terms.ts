/** What is agreed with an account. Its currency is that of its first login. */

import { POUND } from './currencies.ts';

export interface AccountTerms {
  readonly currency: string;
  /** The share of commission that it need not pay, in parts per million. */
  readonly discountPpm: number;
  /** Whether it is sent the fields that came since 2025: a client that refuses unknown fields may be older. */
  readonly newFields: boolean;
}

export const USUAL_TERMS: AccountTerms = { currency: POUND, discountPpm: 0, newFields: true };
