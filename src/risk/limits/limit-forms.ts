/** The forms that a limit can have: an amount, a whole number, a word, a switch, or a map of several parts. */

import type { Money } from '../../core/number/units.ts';

/** A decimal amount of currency, which risk holds as `Money`. */
export interface AmountForm {
  readonly kind: 'amount';
  /** What the configuration's schema says of it. */
  readonly about: string;
  readonly isZeroAllowed: boolean;
}

export interface WholeForm {
  readonly kind: 'whole';
  readonly about: string;
  readonly least: number;
  readonly most: number;
}

/** Any number in a range. */
export interface RatioForm {
  readonly kind: 'ratio';
  readonly least: number;
  readonly most: number;
}

export interface WordForm<Word extends string = string> {
  readonly kind: 'word';
  readonly about: string;
  readonly words: readonly [Word, ...Word[]];
}

/** A limit that is on or off. It is no key of the configuration's block: the run sets it itself. */
interface FlagForm {
  readonly kind: 'flag';
}

/** The form of one part of a limit that has several. */
export type PartForm = AmountForm | WholeForm | RatioForm | WordForm;
export type PartForms = Readonly<Record<string, PartForm>>;

/** What a limit of this form is for risk. */
export type ValueOf<Form> = Form extends { readonly kind: 'amount' } ? Money : Plain<Form>;

/** What a limit of this form is in the configuration and in the journal: amounts are decimals. */
export type GivenOf<Form> = Form extends { readonly kind: 'amount' } ? number : Plain<Form>;

type Plain<Form> = Form extends WholeForm | RatioForm
  ? number
  : Form extends WordForm<infer Word>
    ? Word
    : Form extends FlagForm
      ? boolean
      : never;

export type PartValues<Parts> = { readonly [Name in keyof Parts]: ValueOf<Parts[Name]> };
export type PartsGiven<Parts> = { readonly [Name in keyof Parts]: GivenOf<Parts[Name]> };

/** What every limit says besides its form. `usual`: the configuration's default. */
export interface AmountLimit extends AmountForm {
  readonly usual: number | 'none';
}

export interface WholeLimit extends WholeForm {
  readonly usual: number | 'none';
  /** The value in a report, for people. */
  text(value: number): string;
}

/** The first word is the default. */
export interface WordLimit<Word extends string = string, Lifting extends Word = Word> extends WordForm<Word> {
  /** The word that stands for no limit at all. */
  readonly lifting: Lifting;
  readonly text: string;
}

export interface FlagLimit extends FlagForm {
  /** The text of a report if it is on. */
  readonly text: string;
}

/** All parts are needed. The default is none. */
export interface PartsLimit<Parts extends PartForms = PartForms> {
  readonly kind: 'parts';
  readonly about: string;
  /** The limit as a configuration writes it. */
  readonly example: string;
  readonly parts: Parts;
  text(value: PartValues<Parts>): string;
}

export type LimitForm = AmountLimit | WholeLimit | WordLimit | FlagLimit | PartsLimit;

/** The form of one value: of a limit that has but one, or of a part. */
export type ValueForm = PartForm | FlagForm;

export function amount(about: string, usual: number | 'none'): AmountLimit {
  return { kind: 'amount', about, usual, isZeroAllowed: true };
}

export function whole(limit: Omit<WholeLimit, 'kind'>): WholeLimit {
  return { kind: 'whole', ...limit };
}

export function word<Word extends string, Lifting extends Word>(
  limit: Omit<WordLimit<Word, Lifting>, 'kind'>,
): WordLimit<Word, Lifting> {
  return { kind: 'word', ...limit };
}

export function flag(text: string): FlagLimit {
  return { kind: 'flag', text };
}

export function parts<Parts extends PartForms>(limit: Omit<PartsLimit<Parts>, 'kind'>): PartsLimit<Parts> {
  return { kind: 'parts', ...limit };
}

export function amountPart(about: string): AmountForm {
  return { kind: 'amount', about, isZeroAllowed: false };
}

export function wholePart(about: string, least: number, most: number): WholeForm {
  return { kind: 'whole', about, least, most };
}

export function ratioPart(least: number, most: number): RatioForm {
  return { kind: 'ratio', least, most };
}

export function wordPart<Word extends string>(about: string, ...words: readonly [Word, ...Word[]]): WordForm<Word> {
  return { kind: 'word', about, words };
}
