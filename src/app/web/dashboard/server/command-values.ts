/** Whether what was chosen for a command is what its offer allows, and how it reads. */

import type { CommandField, CommandOffer } from '../../../../pages/panels.ts';
import type { CommandValues } from './source.ts';

const VALUE_MAX = 500;

/** What is wrong with them; undefined where nothing is. */
export function faultOfValues({ fields }: CommandOffer, values: CommandValues): string | undefined {
  const unknown = Object.keys(values).find((name) => !fields.some((field) => field.name === name));
  if (unknown !== undefined) return 'Something was chosen that this command does not take.';
  for (const field of fields) {
    const fault = faultOf(field, values[field.name]);
    if (fault !== undefined) return `${field.label}: ${fault}`;
  }
  return undefined;
}

/** A command that was offered, in words: `Arsenal v Chelsea · winner: Arsenal`. */
export function aboutText({ about, fields }: CommandOffer, values: CommandValues): string {
  const chosen = fields.map((field) => `${field.label}: ${wordsOf(field, values[field.name] ?? '')}`);
  return [about, ...chosen].filter((part) => part !== '').join(' · ');
}

/** The values of a choice. */
export function chosenValues(value: string): readonly string[] {
  return value.split(',');
}

function faultOf(field: CommandField, value: string | undefined): string | undefined {
  if (value === undefined || value.length > VALUE_MAX) return 'choose it.';
  if (field.kind === 'number') {
    const { least, most, decimals } = field;
    const shape = decimals === 0 ? /^\d{1,12}$/ : new RegExp(`^\\d{1,12}(\\.\\d{1,${decimals}})?$`);
    const isWithin = shape.test(value) && Number(value) >= least && Number(value) <= most;
    return isWithin ? undefined : `a number from ${least} to ${most}${decimals === 0 ? ', without decimals' : ''}.`;
  }
  const { options, least, most } = field;
  const chosen = least === 0 && value === '' ? [] : chosenValues(value);
  if (new Set(chosen).size !== chosen.length) return 'one of them is named twice.';
  if (chosen.length < least || chosen.length > most)
    return least === most ? `choose ${least}.` : `choose ${least} to ${most}.`;
  const isOffered = chosen.every((each) => options.some((option) => option.value === each));
  return isOffered ? undefined : 'this is not, or no longer, among what may be chosen.';
}

function wordsOf(field: CommandField, value: string): string {
  if (field.kind === 'number') return value;
  const labels = chosenValues(value).map(
    (each) => field.options.find((option) => option.value === each)?.label ?? each,
  );
  return labels.join(', ');
}
