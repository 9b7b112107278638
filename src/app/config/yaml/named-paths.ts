/** What turns out to be wrong with what a configuration names is told with the line that names it. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isNode, visit } from 'yaml';
import { shellWord } from '../../../recording/tape/recording-hint.ts';
import { CliError, type CliErrorCode } from '../../cli/cli-error.ts';
import { knownError } from '../../cli/known-error.ts';
import { yamlText } from './yaml-config.ts';

/** Errors whose place is the path of a file that something else names, each with the key under which that stands. */
const KEYS: Readonly<Partial<Record<CliErrorCode, 'strategies' | 'tapes'>>> = {
  STRATEGY_NOT_FOUND: 'strategies',
  TAPE_NOT_FOUND: 'tapes',
  NOT_A_TAPE: 'tapes',
};

/** What `work` gives. `config`: the configuration's path. @throws what `work` throws, with the line of the path or the key that it names */
export async function withPlaces<T>(config: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw placed(error, config);
  }
}

function placed(error: unknown, config: string): unknown {
  const parts = knownError(error)?.parts;
  const said = parts?.where;
  if (parts === undefined || said === undefined) return error;
  if (parts.code === 'CONFIG_INVALID') {
    const where = A_KEY.test(said) ? placeOfKey(said, config) : undefined;
    return where === undefined ? error : new CliError({ ...parts, where });
  }
  const key = KEYS[parts.code];
  const where = key === undefined ? undefined : placeOfPath(said, key, config);
  if (where === undefined) return error;
  const what = parts.what.replace(/\bthis path\b|^The file\b/, () => said);
  const root = rootOf(said, config);
  const next =
    root === undefined
      ? parts.next
      : `Paths begin in the directory in which oddsmith is started. It lies below another one: cd ${shellWord(root)}`;
  return new CliError({ ...parts, what, where, ...(next === undefined ? {} : { next }) });
}

/** The directory around the configuration from which the path does lead to something: oddsmith was started in another one. */
function rootOf(path: string, config: string): string | undefined {
  if (isAbsolute(path) || existsSync(path)) return undefined;
  for (let at = dirname(resolve(config)); ; at = dirname(at)) {
    if (existsSync(join(at, path))) return relative('', at);
    if (at === dirname(at)) return undefined;
  }
}

/** What only the exchange could tell is wrong has the key as its place: `wallets.main.id`. */
const A_KEY = /^[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)+$/;

function placeOfKey(key: string, config: string): string | undefined {
  const read = readAgain(config);
  const value = read?.document.getIn(key.split('.'), true);
  return isNode(value) && value.range ? read?.at(value.range[0]) : undefined;
}

/** The place where the configuration names a path below a key. */
function placeOfPath(path: string, key: string, config: string): string | undefined {
  const read = readAgain(config);
  const named = read?.document.get(key, true);
  if (!isNode(named)) return undefined;
  let place: string | undefined;
  visit(named, {
    Scalar(part, { value, range }) {
      if (part === 'key' || typeof value !== 'string' || resolve(value) !== resolve(path)) return undefined;
      place = range ? read?.at(range[0]) : undefined;
      return visit.BREAK;
    },
  });
  return place;
}

/** Undefined where the configuration is not there any more: a daemon may end months after it was read. */
function readAgain(config: string): ReturnType<typeof yamlText> | undefined {
  try {
    return yamlText(readFileSync(config, 'utf8'), config);
  } catch {
    return undefined;
  }
}
