/** What is wrong with a value that was read from the wire: a fault with a stable code, never an exception. */

/** What can be wrong with a value, by its stable code. */
export const WIRE_FAULTS = {
  MISSING: 'a required field is absent or null',
  WRONG_TYPE: 'the value has another JSON type than the field',
  UNKNOWN_WORD: 'the value is none of the words allowed',
  OUT_OF_RANGE: 'the value, or the number of items, is outside the limits',
  BAD_FORMAT: 'the text is not of the form the field has',
  BAD_INSTANT: 'the text is no date-time, or names a moment that does not exist',
  BAD_AMOUNT: 'the number is no amount of money that can be held exactly',
  BAD_STAKE: 'the stake is not positive, too large, or has more than three decimals',
  BAD_PRICE: 'the price is not above 1 or too large',
  OFF_LADDER: 'the price is not one of the 350 ladder prices',
  BAD_ID: 'the id is no whole number in decimal digits',
  NOT_JSON: 'the text is no JSON',
} as const;

/** What can be wrong with a value that came over the wire. */
export type WireFaultCode = keyof typeof WIRE_FAULTS;

/** One thing that is wrong with a value that came over the wire. */
export interface WireFault {
  /** What is wrong. */
  readonly code: WireFaultCode;
  /** The place of the fault, such as `requests[3].price`; empty for the whole value. */
  readonly path: string;
}

/** A value that was read, or the faults in what came. */
export type WireResult<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'faults'; readonly faults: readonly [WireFault, ...WireFault[]] };

/** After this many faults no more are looked for. */
const FAULTS_MAX = 100;

/** Collects faults while a value is read; `result` returns the value or the faults. */
export class FaultList {
  readonly #faults: WireFault[] = [];

  get count(): number {
    return this.#faults.length;
  }

  get all(): readonly WireFault[] {
    return this.#faults;
  }

  get isFull(): boolean {
    return this.#faults.length >= FAULTS_MAX;
  }

  add(code: WireFaultCode, path = ''): undefined {
    if (!this.isFull) this.#faults.push({ code, path });
    return undefined;
  }

  /** Returns the value of a result, or adds its faults with `path` in front of theirs and returns undefined. */
  take<T>(
    result: WireResult<T> | { readonly kind: 'faults'; readonly faults: readonly WireFault[] },
    path: string,
  ): T | undefined {
    if (result.kind === 'read') return result.value;
    for (const fault of result.faults) this.add(fault.code, joinPath(path, fault.path));
    return undefined;
  }

  /**
   * Puts `key` in front of the paths of all faults from index `from` on, so that paths cost nothing as long as there is no
   * fault.
   */
  prefix(from: number, key: string): void {
    for (let at = from; at < this.#faults.length; at += 1) {
      const fault = this.#faults[at];
      if (fault !== undefined) this.#faults[at] = { code: fault.code, path: joinPath(key, fault.path) };
    }
  }

  /** Takes the faults from index `from` on out of the list and returns them. */
  cut(from: number): readonly WireFault[] {
    return this.#faults.splice(from);
  }

  result<T>(value: T): WireResult<T> {
    const [first, ...others] = this.#faults;
    return first === undefined ? { kind: 'read', value } : { kind: 'faults', faults: [first, ...others] };
  }
}

export function faulty(
  code: WireFaultCode,
  path = '',
): { readonly kind: 'faults'; readonly faults: readonly [WireFault] } {
  return { kind: 'faults', faults: [{ code, path }] };
}

export function read<T>(value: T): WireResult<T> {
  return { kind: 'read', value };
}

/** At most this many faults are named in a text; the others are only counted. */
const FAULTS_SHOWN = 3;

/** Says in one line what is wrong. The text never holds a value that was read. */
export function faultsText(faults: readonly WireFault[]): string {
  const shown = faults.slice(0, FAULTS_SHOWN).map(faultText).join('; ');
  const others = faults.length - FAULTS_SHOWN;
  return others > 0 ? `${shown}; and ${others} more` : shown;
}

/** A fault as one line of a problem's `details`. */
export function faultText({ code, path }: WireFault): string {
  return `${path === '' ? 'the body' : path}: ${WIRE_FAULTS[code]} (${code})`;
}

function joinPath(outer: string, inner: string): string {
  if (outer === '' || inner === '') return `${outer}${inner}`;
  return inner.startsWith('[') ? `${outer}${inner}` : `${outer}.${inner}`;
}
