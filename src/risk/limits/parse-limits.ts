/** Reads limits from their configured form, in decimals, and says which key is wrong. */

import { defined } from '../../core/checks/assert.ts';
import { moneyFromDecimal } from '../../core/number/units.ts';
import type { LimitForm, PartForms, ValueForm } from './limit-forms.ts';
import { LIMIT_FORMS, type Limits, type LimitsConfig } from './limits.ts';

interface LimitFault {
  readonly kind: 'fault';
  readonly key: string;
  readonly given: unknown;
  readonly expected: string;
}

type ParsedLimits = { readonly kind: 'limits'; readonly limits: Limits } | LimitFault;

const FORMS: ReadonlyMap<string, LimitForm> = new Map(LIMIT_FORMS);

/** Limits from their configured form, or the first key that is wrong or unknown. A key that is undefined is absent. */
export function parseLimits(config: LimitsConfig | Readonly<Record<string, unknown>>): ParsedLimits {
  const givenByKey: Readonly<Record<string, unknown>> = config;
  for (const [key, given] of Object.entries(givenByKey)) {
    const fault = given === undefined ? undefined : faultOf(key, given);
    if (fault !== undefined) return fault;
  }
  const limits: Record<string, unknown> = {};
  for (const [key, form] of FORMS) {
    const given = givenByKey[key];
    if (given !== undefined && !isLifted(form, given)) limits[key] = read(form, given);
  }
  return { kind: 'limits', limits: limits as Limits };
}

function faultOf(key: string, given: unknown): LimitFault | undefined {
  const form = FORMS.get(key);
  if (form === undefined) return { kind: 'fault', key, given, expected: `one of ${[...FORMS.keys()].join(', ')}` };
  if (form.kind === 'parts') return partFault(key, given, form.parts);
  return isAccepted(form, given) ? undefined : { kind: 'fault', key, given, expected: expectedText(form) };
}

function partFault(key: string, given: unknown, forms: PartForms): LimitFault | undefined {
  const names = Object.keys(forms);
  if (typeof given !== 'object' || given === null) {
    return { kind: 'fault', key, given, expected: `a map with ${names.join(', ')}` };
  }
  const parts = new Map<string, unknown>(Object.entries(given));
  for (const [name, form] of Object.entries(forms)) {
    const part = parts.get(name);
    if (!isAccepted(form, part))
      return { kind: 'fault', key: `${key}.${name}`, given: part, expected: expectedText(form) };
  }
  for (const [name, part] of parts) {
    if (names.includes(name)) continue;
    return { kind: 'fault', key: `${key}.${name}`, given: part, expected: `one of ${names.join(', ')}` };
  }
  return undefined;
}

function isAccepted(form: ValueForm, given: unknown): boolean {
  switch (form.kind) {
    case 'amount': {
      const money = typeof given === 'number' && given >= 0 ? moneyFromDecimal(given) : undefined;
      return money !== undefined && (money > 0 || form.isZeroAllowed);
    }
    case 'whole':
      return Number.isSafeInteger(given) && Number(given) >= form.least && Number(given) <= form.most;
    case 'ratio':
      return typeof given === 'number' && given >= form.least && given <= form.most;
    case 'word':
      return form.words.some((word) => word === given);
    case 'flag':
      return typeof given === 'boolean';
  }
}

function expectedText(form: ValueForm): string {
  switch (form.kind) {
    case 'amount':
      return form.isZeroAllowed ? 'an amount, zero or more' : 'an amount above zero';
    case 'whole':
      return `a whole number from ${form.least} to ${form.most}`;
    case 'ratio':
      return `a number of at least ${form.least}`;
    case 'word':
      return form.words.join(' or ');
    case 'flag':
      return 'true or false';
  }
}

/** To allow is not to limit: the same run has one identity, whether it was written or left out. */
function isLifted(form: LimitForm, given: unknown): boolean {
  return form.kind === 'word' && given === form.lifting;
}

/** What is accepted, as risk compares it: amounts become money, and maps are copied. */
function read(form: LimitForm | ValueForm, given: unknown): unknown {
  switch (form.kind) {
    case 'amount':
      return defined(moneyFromDecimal(Number(given)), 'no amount that is too large is accepted');
    case 'parts': {
      const parts = Object.entries<unknown>({ ...Object(given) });
      return Object.fromEntries(
        parts.map(([name, part]) => [name, read(defined(form.parts[name], 'each part is known'), part)]),
      );
    }
    case 'whole':
    case 'ratio':
    case 'word':
    case 'flag':
      return given;
  }
}
