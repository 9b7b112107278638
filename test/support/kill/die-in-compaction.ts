/** Loaded into a process before its own code: kills it, as SIGKILL does, at the step of a compaction that ODDSMITH_DIES_AT names. */

import Database from 'better-sqlite3';
import { COMPACTION_STEPS } from './compaction-steps.ts';

const [times = '', name = ''] = (process.env['ODDSMITH_DIES_AT'] ?? '').split(/ (.*)/s);
const step = COMPACTION_STEPS[name];
if (step === undefined) throw new Error(`no step of a compaction is called ${name}`);
const { at, sql: beginning, kind } = step;
let left = Number(times);
let isInTransaction = false;

type Method = (...words: unknown[]) => unknown;

/** Calls the method, and dies in front of it or behind it where the step is there. */
function around(call: () => unknown): unknown {
  if (at === 'before') reached();
  const result = call();
  if (at === 'after') reached();
  if (at === 'committed') isInTransaction = true;
  return result;
}

function reached(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

function isOfStep(sql: string): boolean {
  return sql.trimStart().startsWith(beginning);
}

const { prototype } = Database;
const { prepare, exec, transaction } = prototype;

prototype.exec = function (this: Database.Database, sql: string) {
  const call = () => exec.call(this, sql);
  if (isOfStep(sql)) around(call);
  else call();
  return this;
};

Object.assign(prototype, {
  prepare(this: Database.Database, sql: string) {
    const statement = prepare.call(this, sql);
    if (!isOfStep(sql)) return statement;
    const { run: plain } = statement;
    const run: Method = (...words) => Reflect.apply(plain, statement, words);
    const isMeant = (words: readonly unknown[]) => kind === undefined || words.includes(kind);
    return Object.assign(statement, {
      run: (...words: unknown[]) => (isMeant(words) ? around(() => run(...words)) : run(...words)),
    });
  },
  transaction(this: Database.Database, work: Method) {
    const made = transaction.call(this, work);
    const until =
      (call: Method): Method =>
      (...words) => {
        const result = call(...words);
        if (isInTransaction) reached();
        isInTransaction = false;
        return result;
      };
    return Object.assign(until(made), { immediate: until(made.immediate) });
  },
});
