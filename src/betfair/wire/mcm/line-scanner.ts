/**
 * Reads the common stream messages straight from a line's bytes into columns; declines every other line, which
 * JSON.parse then reads.
 */

import { ATB, ATL, BATB, BATL, type RowField, StagedMessage, startingPriceOf, TRD } from './staged-message.ts';

const RETURN = 0x0d;
const QUOTE = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE = 0x5d;
const LETTER_E = 0x65;
const LETTER_F = 0x66;
const LETTER_T = 0x74;
/** This bit makes an ASCII letter lower case. */
const LOWER_CASE = 0x20;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const DECLINED = -1;
/** A key of at most four letters is represented by its bytes in one number; a longer one by LONG. */
const LONG = 0;
const keyOf = (name: string): number => [...Buffer.from(name)].reduce((key, byte) => (key << 8) | byte, 0);
const KEY_OP = keyOf('op');
const KEY_PT = keyOf('pt');
const KEY_CLK = keyOf('clk');
const KEY_MC = keyOf('mc');
const KEY_ID = keyOf('id');
const KEY_RC = keyOf('rc');
const KEY_HC = keyOf('hc');
const KEY_IMG = keyOf('img');
const KEY_LTP = keyOf('ltp');
const KEY_SPN = keyOf('spn');
const KEY_SPF = keyOf('spf');
const KEY_TRD = keyOf('trd');
const KEY_ATB = keyOf('atb');
const KEY_ATL = keyOf('atl');
const KEY_BATB = keyOf('batb');
const KEY_BATL = keyOf('batl');

const MOST_DIGITS = 15;
/** A decimal of at most 15 digits is its digits divided by an exact power of ten, which rounds as JSON.parse does. */
const POWERS = Float64Array.from({ length: MOST_DIGITS + 1 }, (_, exponent) => 10 ** exponent);

/** The bytes of one line: those from `from` to before `to`. */
interface LineBytes {
  readonly bytes: Buffer;
  readonly from: number;
  readonly to: number;
}

/**
 * Reads compact JSON (no spaces) of market changes without a definition, with the fields that an import needs and
 * others that hold scalars or arrays of them. It declines everything else (escapes, objects, a list of changes twice):
 * it never decides that a line is bad.
 */
export class LineScanner {
  #into = new StagedMessage();
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #end = 0;
  /** The market id read last: recordings repeat few ids. */
  #lastId = '';

  /** Whether it could read a line; if not, the staged message must be cleared. */
  scan({ bytes, from, to }: LineBytes, into: StagedMessage): boolean {
    this.#bytes = bytes;
    this.#at = from;
    this.#end = bytes[to - 1] === RETURN ? to - 1 : to;
    this.#into = into;
    into.clear();
    return this.#message() && this.#at === this.#end;
  }

  #message(): boolean {
    let isStream = false;
    let isDated = false;
    let hasChanges = false;
    if (!this.#accept(OPEN_BRACE)) return false;
    do {
      const key = this.#key();
      if (key === KEY_OP) {
        isStream = this.#literal('"mcm"');
        if (!isStream) return false;
      } else if (key === KEY_PT) {
        this.#into.publishedAt = this.#number();
        isDated = Number.isSafeInteger(this.#into.publishedAt) && this.#into.publishedAt >= 0;
        if (!isDated) return false;
      } else if (key === KEY_MC) {
        if (hasChanges || !this.#changes()) return false;
        hasChanges = true;
      } else if (key === KEY_CLK) {
        if (!this.#mark()) return false;
        // Of the long keys of a message, one says which segment it is.
      } else if (key === DECLINED || key === LONG || !this.#skip()) return false;
    } while (this.#accept(COMMA));
    return this.#accept(CLOSE_BRACE) && isStream && isDated && hasChanges;
  }

  #mark(): boolean {
    const start = this.#at + 1;
    const length = this.#string() - 2;
    if (length < 0) return false;
    this.#into.clk = this.#text(start, start + length);
    return true;
  }

  #changes(): boolean {
    if (!this.#accept(OPEN)) return false;
    do if (!this.#change()) return false;
    while (this.#accept(COMMA));
    return this.#accept(CLOSE);
  }

  #change(): boolean {
    const at = this.#into.startChange();
    let hasId = false;
    let hasRunners = false;
    if (!this.#accept(OPEN_BRACE)) return false;
    do {
      const key = this.#key();
      if (key === KEY_ID) {
        if (!this.#marketId(at)) return false;
        hasId = true;
      } else if (key === KEY_RC) {
        if (hasRunners || !this.#runners()) return false;
        hasRunners = true;
      } else if (key === KEY_IMG) {
        const letter = this.#bytes[this.#at];
        if ((letter !== LETTER_T && letter !== LETTER_F) || !this.#skip()) return false;
        this.#into.images[at] = letter === LETTER_T;
        // Of the long keys of a change, one is the definition's.
      } else if (key === DECLINED || key === LONG || !this.#skip()) return false;
    } while (this.#accept(COMMA));
    this.#into.endChange(at);
    return this.#accept(CLOSE_BRACE) && hasId;
  }

  #marketId(change: number): boolean {
    const start = this.#at + 1;
    const length = this.#string() - 2;
    if (length < 0) return false;
    const last = this.#lastId;
    let isLast = length === last.length;
    for (let i = 0; isLast && i < length; i += 1) isLast = this.#bytes[start + i] === last.charCodeAt(i);
    if (!isLast) this.#lastId = this.#text(start, start + length);
    this.#into.ids[change] = this.#lastId;
    return true;
  }

  #runners(): boolean {
    if (!this.#accept(OPEN)) return false;
    if (this.#accept(CLOSE)) return true;
    do if (!this.#runner()) return false;
    while (this.#accept(COMMA));
    return this.#accept(CLOSE);
  }

  #runner(): boolean {
    const into = this.#into;
    const at = into.startRunner();
    let hasId = false;
    if (!this.#accept(OPEN_BRACE)) return false;
    do {
      const key = this.#key();
      if (key === KEY_ID) {
        const id = this.#number();
        if (id === DECLINED) return false;
        into.runnerIds[at] = id;
        hasId = true;
      } else if (key === KEY_LTP) {
        const price = this.#number();
        if (price === DECLINED) return false;
        into.lastPrices[at] = price;
      } else if (key === KEY_TRD || key === KEY_ATB || key === KEY_ATL) {
        if (!this.#rows(at, key === KEY_TRD ? TRD : key === KEY_ATB ? ATB : ATL, false)) return false;
      } else if (key === KEY_BATB || key === KEY_BATL) {
        if (!this.#rows(at, key === KEY_BATB ? BATB : BATL, true)) return false;
      } else if (!this.#rare(key, at)) return false;
    } while (this.#accept(COMMA));
    return this.#accept(CLOSE_BRACE) && hasId;
  }

  /** Reads handicaps and starting prices, and skips fields that are not imported. */
  #rare(key: number, runner: number): boolean {
    if (key === KEY_HC) {
      const isNegative = this.#accept(MINUS);
      const handicap = this.#number();
      this.#into.handicaps[runner] = isNegative ? -handicap : handicap;
      return handicap !== DECLINED;
    }
    if (key === KEY_SPN || key === KEY_SPF) {
      const start = this.#at;
      if (this.#bytes[start] === OPEN || !this.#skip()) return false;
      const text = this.#text(start, this.#at);
      const price = startingPriceOf(JSON.parse(text));
      if (key === KEY_SPN) this.#into.nears[runner] = price;
      else this.#into.fars[runner] = price;
      return true;
    }
    return key !== DECLINED && this.#skip();
  }

  #rows(runner: number, field: RowField, hasPositions: boolean): boolean {
    this.#into.startRows(runner, field);
    if (!this.#accept(OPEN)) return false;
    if (!this.#accept(CLOSE)) {
      do if (!this.#row(hasPositions)) return false;
      while (this.#accept(COMMA));
      if (!this.#accept(CLOSE)) return false;
    }
    this.#into.endRows(runner, field);
    return true;
  }

  #row(hasPosition: boolean): boolean {
    if (!this.#accept(OPEN)) return false;
    const position = hasPosition ? this.#number() : 0;
    if (position === DECLINED || (hasPosition && !this.#accept(COMMA))) return false;
    const price = this.#number();
    if (price === DECLINED || !this.#accept(COMMA)) return false;
    const size = this.#number();
    if (size === DECLINED || !this.#accept(CLOSE)) return false;
    this.#into.row(position, price, size);
    return true;
  }

  #text(from: number, to: number): string {
    return this.#bytes.toString('latin1', from, to);
  }

  /** Reads a key and its colon. */
  #key(): number {
    const bytes = this.#bytes;
    let at = this.#at;
    if (bytes[at] !== QUOTE) return DECLINED;
    let key = 0;
    at += 1;
    const start = at;
    const end = this.#end;
    for (; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) break;
      if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return DECLINED;
      key = (key << 8) | byte;
    }
    if (bytes[at + 1] !== COLON) return DECLINED;
    this.#at = at + 2;
    return at - start <= 4 ? key : LONG;
  }

  /** Skips a string; returns its length with its quotes, or DECLINED. */
  #string(): number {
    const bytes = this.#bytes;
    const start = this.#at;
    const end = this.#end;
    if (bytes[start] !== QUOTE) return DECLINED;
    for (let at = start + 1; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        this.#at = at + 1;
        return at + 1 - start;
      }
      if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return DECLINED;
    }
    return DECLINED;
  }

  /** Reads a number that is not negative; DECLINED for anything else. */
  #number(): number {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    let value = 0;
    let digit = (bytes[at] as number) - ZERO;
    while (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      at += 1;
      digit = (bytes[at] as number) - ZERO;
    }
    const whole = at - start;
    if (whole === 0 || (whole > 1 && bytes[start] === ZERO)) return DECLINED;
    let decimals = 0;
    if (bytes[at] === POINT) {
      at += 1;
      digit = (bytes[at] as number) - ZERO;
      const point = at;
      while (digit >= 0 && digit <= 9) {
        value = value * 10 + digit;
        at += 1;
        digit = (bytes[at] as number) - ZERO;
      }
      decimals = at - point;
      if (decimals === 0) return DECLINED;
    }
    if (whole + decimals > MOST_DIGITS || ((bytes[at] as number) | LOWER_CASE) === LETTER_E) return this.#longNumber();
    this.#at = at;
    return decimals === 0 ? value : value / (POWERS[decimals] as number);
  }

  #longNumber(): number {
    const start = this.#at;
    return this.#passNumber() ? Number(this.#text(start, this.#at)) : DECLINED;
  }

  /** Skips a number as JSON spells it: sign, integer without leading zeros, decimals, exponent. */
  #passNumber(): boolean {
    this.#accept(MINUS);
    if (!this.#accept(ZERO) && !this.#passDigits()) return false;
    if (this.#accept(POINT) && !this.#passDigits()) return false;
    if (((this.#bytes[this.#at] as number) | LOWER_CASE) !== LETTER_E) return true;
    this.#at += 1;
    if (!this.#accept(PLUS)) this.#accept(MINUS);
    return this.#passDigits();
  }

  #passDigits(): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    while ((bytes[at] as number) >= ZERO && (bytes[at] as number) <= NINE) at += 1;
    this.#at = at;
    return at > start;
  }

  /** Skips a scalar, or arrays of scalars; returns false where there is anything else. */
  #skip(): boolean {
    const byte = this.#bytes[this.#at];
    if (byte === QUOTE) return this.#string() !== DECLINED;
    if (byte === LETTER_T) return this.#literal('true');
    if (byte === LETTER_F) return this.#literal('false');
    if (byte !== OPEN) return this.#passNumber();
    this.#at += 1;
    if (this.#accept(CLOSE)) return true;
    do if (!this.#skip()) return false;
    while (this.#accept(COMMA));
    return this.#accept(CLOSE);
  }

  #literal(word: string): boolean {
    for (let i = 0; i < word.length; i += 1) if (this.#bytes[this.#at + i] !== word.charCodeAt(i)) return false;
    this.#at += word.length;
    return true;
  }

  #accept(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at += 1;
    return true;
  }
}
