/** Limits as they were configured: flat and in decimals for the journal, and in words for a report. */

import { defined } from '../../core/checks/assert.ts';
import { money, moneyToDecimal } from '../../core/number/units.ts';
import type { LimitForm, ValueForm } from './limit-forms.ts';
import { LIMIT_FORMS, type Limits } from './limits.ts';

/** Limits by name; the parts of a limit that has several have names such as `rollingLoss.amount`. */
type FlatLimits = Readonly<Record<string, number | boolean | string>>;

/** A limit that is set, and its form. */
type SetLimit = readonly [name: string, form: LimitForm, value: unknown];

export function flatLimits(limits: Limits): FlatLimits {
  const flat: Record<string, number | boolean | string> = {};
  const inOrder = [...setLimits(limits)].sort(([, a], [, b]) => journalRank(a) - journalRank(b));
  for (const [name, form, value] of inOrder) {
    if (form.kind !== 'parts') flat[name] = decimalOf(form, value);
    else {
      for (const [part, partValue] of Object.entries<unknown>({ ...Object(value) }))
        flat[`${name}.${part}`] = decimalOf(defined(form.parts[part], 'each part is known'), partValue);
    }
  }
  return flat;
}

/** What `flatLimits` wrote, as the configuration has it: `parseLimits` reads it. */
export function nestedLimits(flat: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const nested: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(flat)) {
    const [key = name, part] = name.split('.');
    nested[key] = part === undefined ? value : { ...Object(nested[key]), [part]: value };
  }
  return nested;
}

export function limitsText(limits: Limits): string {
  const texts = setLimits(limits).flatMap((limit) => textOf(limit));
  return texts.length === 0 ? 'none' : texts.join(', ');
}

function setLimits(limits: Limits): readonly SetLimit[] {
  const values: Readonly<Record<string, unknown>> = limits;
  return LIMIT_FORMS.flatMap(([name, form]): readonly SetLimit[] =>
    values[name] === undefined ? [] : [[name, form, values[name]]],
  );
}

/** Journals hold amounts first, then whole numbers, then words, and last limits of several parts, the longest at the end. */
function journalRank(form: LimitForm): number {
  switch (form.kind) {
    case 'amount':
      return 0;
    case 'whole':
      return 1;
    case 'word':
    case 'flag':
      return 2;
    case 'parts':
      return 2 + Object.keys(form.parts).length;
  }
}

function decimalOf(form: ValueForm, value: unknown): number | boolean | string {
  switch (form.kind) {
    case 'amount':
      return moneyToDecimal(money(Number(value)));
    case 'whole':
    case 'ratio':
      return Number(value);
    case 'word':
      return String(value);
    case 'flag':
      return value === true;
  }
}

/** One entry, or none for a limit that is switched off. */
function textOf([name, form, value]: SetLimit): readonly string[] {
  switch (form.kind) {
    case 'amount':
      return [`${name} ${moneyToDecimal(money(Number(value)))}`];
    case 'whole':
      return [form.text(Number(value))];
    case 'word':
      return [form.text];
    case 'flag':
      return value === true ? [form.text] : [];
    case 'parts':
      return [form.text(Object(value))];
  }
}
