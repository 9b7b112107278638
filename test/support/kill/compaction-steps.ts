/** The steps of a compaction at which a process can be made to die, in their order, and how to make it. */

/** Between which statements of SQLite a step is: in front of one, behind it, or behind the transaction that it is part of. */
export interface CompactionStep {
  readonly at: 'before' | 'after' | 'committed';
  /** The beginning of the statement. */
  readonly sql: string;
  /** Of rows of this kind alone. */
  readonly kind?: string;
}

const INSERT = { sql: 'INSERT INTO record', kind: 'checkpoint' } as const;
const MOVE = "UPDATE journal SET value = ? WHERE name = 'base'";
const REMOVE = 'DELETE FROM record';
const PACK = 'INSERT OR REPLACE INTO packet';

export const COMPACTION_STEPS: Readonly<Record<string, CompactionStep>> = {
  'the checkpoint is made': { at: 'before', ...INSERT },
  'the checkpoint is written': { at: 'after', ...INSERT },
  'the checkpoint is committed': { at: 'committed', ...INSERT },
  'the file for packets is there': { at: 'before', sql: 'CREATE TABLE IF NOT EXISTS packet' },
  'the packet is made': { at: 'before', sql: PACK },
  'the packet is written': { at: 'after', sql: PACK },
  'the head is on the disk': { at: 'before', sql: MOVE },
  'the beginning is moved': { at: 'after', sql: MOVE },
  'the records are deleted': { at: 'after', sql: REMOVE },
  'the records have left': { at: 'committed', sql: REMOVE },
};

export const COMPACTION_STEP_NAMES: readonly string[] = Object.keys(COMPACTION_STEPS);

/** The environment of a process that dies when it comes to the step for the nth time. */
export function diesAt(step: string, times: number): Readonly<Record<string, string>> {
  const preload = `--import=${new URL('die-in-compaction.ts', import.meta.url).href}`;
  return {
    NODE_OPTIONS: [process.env['NODE_OPTIONS'], preload].filter(Boolean).join(' '),
    ODDSMITH_DIES_AT: `${times} ${step}`,
  };
}
