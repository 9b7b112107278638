/** How figures are written in tables and reports: thousands separated, signs that line up, never an exponent. */

const MINUS = '−';

/** 1234.5 → `1,234.50`. */
export function amount(value: number, decimals = 2): string {
  const text = Math.abs(value).toLocaleString('en-GB', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return value < 0 && /[1-9]/.test(text) ? `${MINUS}${text}` : text;
}

/** A profit: 1.5 → `+1.50`. What rounds to zero has no sign. */
export function signed(value: number, decimals = 2): string {
  const text = amount(value, decimals);
  return value > 0 && /[1-9]/.test(text) ? `+${text}` : text;
}

/** The style class of a profit as it is written: what rounds to nothing is neither gain nor loss. */
export function tone(value: number): 'gain' | 'loss' | '' {
  const text = signed(value);
  return text.startsWith('+') ? 'gain' : text.startsWith('−') ? 'loss' : '';
}

export function count(value: number): string {
  return value.toLocaleString('en-GB');
}

/** A stake as a ladder has it: 12.3, 1,234.56; `<0.01` where there is some, and less than can be written. */
export function ladderStake(value: number): string {
  const rounded = Math.round(value * 100) / 100;
  return rounded === 0 && value > 0 ? '<0.01' : count(rounded);
}

/** A share of 1 as a percentage with one decimal. */
export function percent(share: number): string {
  return `${signed(share * 100, 1)} %`;
}

/** What a figure is counted in. */
export type FigureUnit = 'money' | 'share' | 'count' | 'ratio';

export function inUnit(value: number, unit: FigureUnit | undefined): string {
  switch (unit) {
    case 'share':
      return `${amount(value * 100)} %`;
    case 'count':
      return count(Math.round(value));
    case 'ratio':
      return amount(value, 3);
    case 'money':
    case undefined:
      return amount(value);
  }
}

/** `1 market`, `2 markets`. */
export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** A span of time: `1.5 s`, or `20 ms` where it is shorter than a second. */
export function durationText(ms: number): string {
  return ms < 1_000 ? `${count(ms)} ms` : `${count(ms / 1_000)} s`;
}

/** ms UTC → `01 Aug`, or `01 Aug 2026`: no reader takes the month for the day. */
export function dayText(at: number, hasYear: boolean): string {
  return new Date(at).toUTCString().slice(5, hasYear ? 16 : 11);
}

/** ms UTC → `2026-08-01 14:05:00`. */
export function utc(at: number): string {
  return utcMs(at).slice(0, 19);
}

/** ms UTC → `2026-08-01 14:05:00.250`. */
export function utcMs(at: number): string {
  return new Date(at).toISOString().slice(0, 23).replace('T', ' ');
}
