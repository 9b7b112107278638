/** Numbers and durations of a space as exact decimals: from 0.1 in steps of 0.1 there is 0.3, not 0.30000000000000004. */

export interface Quantity {
  readonly unit: Unit;
  /** The number itself, or milliseconds: digits · 10^−decimals. */
  readonly digits: bigint;
  readonly decimals: number;
}

export type Unit = 'number' | 'duration';

const DECIMAL = /^([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;
const DURATION = /^([+-]?\d+(?:\.\d+)?)\s*(ms|s|m|h)$/;
const UNIT_MS: Readonly<Record<string, bigint>> = { ms: 1n, s: 1_000n, m: 60_000n, h: 3_600_000n };
/** More digits than that no double holds. */
const DECIMALS_MAX = 400;

/** A number, a text such as `0.5`, or a duration such as `90s` or `-10m`; undefined for anything else. */
export function quantityOf(raw: unknown): Quantity | undefined {
  if (typeof raw === 'number') return Number.isFinite(raw) ? decimalOf(String(raw)) : undefined;
  if (typeof raw !== 'string') return undefined;
  const [, amount, unit] = DURATION.exec(raw.trim()) ?? [];
  if (amount === undefined || unit === undefined) return decimalOf(raw.trim());
  const plain = decimalOf(amount);
  return plain && { ...plain, unit: 'duration', digits: plain.digits * (UNIT_MS[unit] ?? 1n) };
}

function decimalOf(text: string): Quantity | undefined {
  const [, sign, whole, fraction = '', power = '0'] = DECIMAL.exec(text) ?? [];
  if (whole === undefined || Math.abs(Number(power)) > DECIMALS_MAX) return undefined;
  const decimals = fraction.length - Number(power);
  const digits = BigInt(whole + fraction) * (sign === '-' ? -1n : 1n);
  return decimals < 0
    ? { unit: 'number', digits: digits * 10n ** BigInt(-decimals), decimals: 0 }
    : { unit: 'number', digits, decimals };
}

/** The digits at a number of decimals that is at least the quantity's own. */
export function digitsAt({ digits, decimals }: Quantity, wanted: number): bigint {
  return digits * 10n ** BigInt(wanted - decimals);
}

/** The nearest double. */
export function toNumber({ digits, decimals }: Pick<Quantity, 'digits' | 'decimals'>): number {
  return Number(`${digits}e-${decimals}`);
}
