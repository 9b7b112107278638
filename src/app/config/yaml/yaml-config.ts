/** Reads a YAML configuration against its schema; every fault names file, line and column. */

import type { Static, TSchema } from '@sinclair/typebox';
import { Ajv } from 'ajv';
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
} from 'yaml';
import type { LoadedConfig } from '../../../backtest/options/loaded-config.ts';
import { type Fault, faultsOf } from '../../../backtest/options/schema-faults.ts';
import { OWN_SCHEMAS } from '../../../core/own-schemas.ts';
import { proposeSideWords, type SideWords } from '../../../words/side-words.ts';
import { CliError } from '../../cli/cli-error.ts';
import { withSides } from '../schema/sides.ts';

/** Throws a CliError (CONFIG_SYNTAX, CONFIG_UNKNOWN_KEY or CONFIG_INVALID). Absent keys get the schema's defaults. */
export function parseConfig<S extends TSchema>(text: string, file: string, schema: S): LoadedConfig<Static<S>> {
  const { document, at } = yamlText(text, file);
  const broken = document.errors[0];
  if (broken !== undefined) throw syntaxError(at(broken.pos[0]), isTooDeep(broken) ? TOO_DEEP : broken.message);
  keepParamsAsWritten(document);
  const where = (path: readonly (string | number)[]): string => at(offsetOf(document, path, 'value'));
  const value = dataOf(document, at);
  const ajv = new Ajv({ ...OWN_SCHEMAS, allErrors: true, verbose: true, useDefaults: true, code: ONCE });
  const validate = ajv.compile<Static<S> & { sides?: SideWords }>(withSides(schema));
  const writtenNumber = (path: readonly (string | number)[]): string | undefined => {
    const node = document.getIn(path, true);
    return isScalar(node) ? sourceOfNumber(node) : undefined;
  };
  if (validate(value)) {
    const { sides, ...options } = value;
    proposeSideWords(sides);
    return { value: options as Static<S>, where, writtenNumber };
  }
  const faults = faultsOf(validate.errors ?? [])
    .map((fault) => ({ fault, offset: offsetOf(document, fault.path, fault.kind === 'unknownKey' ? 'key' : 'value') }))
    .sort((a, b) => a.offset - b.offset);
  throw faultError(faults, at);
}

/** A text as YAML, with the place of each of its letters as `file:line:column`. */
export function yamlText(text: string, file: string) {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  return { document, at };
}

/** Deeper than any configuration; what comes after the parser calls itself, too. */
const DEPTH_MAX = 64;
const TOO_DEEP = `Lists and maps are nested more than ${DEPTH_MAX} deep.`;

/** The parser calls itself for what is nested, and tells as an error of the text where that goes too deep. */
function isTooDeep({ message }: Error): boolean {
  return message.includes('call stack');
}

/** What the document says. @throws CliError CONFIG_SYNTAX, where its aliases or what is nested in it have no end */
function dataOf(document: Document.Parsed, at: (offset: number) => string): unknown {
  let fault: { readonly node: unknown; readonly why: string } | undefined;
  visit(document, {
    Node(_, node, path) {
      const why = isAlias(node) ? aliasFault(document, node, path) : undefined;
      if (why !== undefined) fault = { node, why };
      else if (path.filter((each) => isMap(each) || isSeq(each)).length > DEPTH_MAX) fault = { node, why: TOO_DEEP };
      return fault === undefined ? undefined : visit.BREAK;
    },
  });
  if (fault !== undefined) throw syntaxError(at(startOf(fault.node) ?? 0), fault.why);
  try {
    return document.toJS() ?? {};
  } catch (error) {
    // The parser counts what aliases stand for, all together, and ends where that grows and grows.
    if (error instanceof ReferenceError) throw syntaxError(at(0), `${error.message}.`);
    throw error;
  }
}

function aliasFault(document: Document, alias: Alias, path: readonly unknown[]): string | undefined {
  const node = alias.resolve(document);
  if (node === undefined) return `*${alias.source} stands for nothing: no &${alias.source} comes before it.`;
  return path.includes(node) ? `*${alias.source} stands inside of what it stands for.` : undefined;
}

function syntaxError(where: string, why: string): CliError {
  return new CliError({
    code: 'CONFIG_SYNTAX',
    what: 'The configuration is not valid YAML.',
    where,
    why,
    next: 'Mend the line; the YAML stops making sense at that column.',
  });
}

/** A param may be a text, for which 007 is no 7 and 1.90 no 1.9: numbers that read otherwise than they are written stay texts. */
function keepParamsAsWritten(document: Document.Parsed): void {
  visit(document, {
    Pair(_, { key, value }) {
      if (!isScalar(key) || key.value !== 'params' || !isMap(value)) return;
      for (const { value: node } of value.items) if (isScalar(node)) node.value = sourceOfNumber(node) ?? node.value;
    },
  });
}

/** A number as it was written, where that is not how it is printed. */
export function sourceOfNumber({ value, source }: Scalar): string | undefined {
  const isOther = typeof value === 'number' && source !== undefined && source !== String(value);
  return isOther && Number(source) === value ? source : undefined;
}

/** The check is used for one text only: optimizing its code would take longer than it saves. */
const ONCE = { optimize: false };

type Placed = { readonly fault: Fault; readonly offset: number };

function faultError(faults: readonly Placed[], at: (offset: number) => string): CliError {
  const first = faults[0];
  if (first === undefined) throw new Error('a schema refused a value without saying why');
  const others = faults.slice(1).map((each) => `${at(each.offset)} ${each.fault.what}`);
  const why = [first.fault.why, ...others.map((other) => `also ${other}`)]
    .filter((line) => line !== undefined)
    .join('\n');
  return new CliError({
    code: first.fault.kind === 'unknownKey' ? 'CONFIG_UNKNOWN_KEY' : 'CONFIG_INVALID',
    what: first.fault.what,
    where: at(first.offset),
    ...(why === '' ? {} : { why }),
    next: first.fault.next,
  });
}

/** The place of a path in the text; for a path that is not written there, the place of the innermost part of it that is. */
function offsetOf(document: Document.Parsed, path: readonly (string | number)[], part: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const [depth, step] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document);
    if (isSeq(node)) {
      node = node.items[Number(step)];
    } else if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step));
      const last = depth === path.length - 1;
      offset = startOf(pair?.key) ?? offset;
      if (pair === undefined || (last && part === 'key')) return offset;
      node = pair.value;
    }
    offset = startOf(node) ?? offset;
  }
  return offset;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | undefined | null)?.range?.[0];
}
