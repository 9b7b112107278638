import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { BRIEFLY, ESSENTIALS, LONGEST, PROCESSES, PROOFS } from './test/tiers.ts';

const ALL = ['test/**/*.test.ts'];
const TIDY = 'test/tidy.test.ts';

/** Limits are for hangs alone: a busy machine takes many times what an idle one does. */
const FAST = { testTimeout: 300_000, expect: { poll: { timeout: 60_000 } } } as const;
const PATIENT = { testTimeout: 600_000, hookTimeout: 600_000, expect: { poll: { timeout: 120_000 } } } as const;

/** They wait most of their time, and are run by themselves: what they wait for must not stand behind the proofs. */
const WAITING = { ...PATIENT, maxWorkers: 5, isolate: false, sequence: { groupOrder: 1 } } as const;

/** The order of vitest, but for the longest files of a tier, which begin first also where no earlier run is known. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const index = new Map(sorted.map((file, at) => [file, at]));
    const inOrder = (a: TestSpecification, b: TestSpecification) => (index.get(a) ?? 0) - (index.get(b) ?? 0);
    return sorted.toSorted((a, b) => (a.project === b.project ? placeOf(a) - placeOf(b) : 0) || inOrder(a, b));
  }
}

function placeOf({ moduleId }: TestSpecification): number {
  const place = LONGEST.findIndex((path) => moduleId.endsWith(`/${path}`));
  return place < 0 ? LONGEST.length : place;
}

export default defineConfig({
  resolve: { conditions: ['oddsmith-source', 'node', 'import', 'default'] },
  ssr: { resolve: { conditions: ['oddsmith-source', 'node', 'import', 'default'] } },
  test: {
    pool: 'forks',
    setupFiles: ['test/support/clean-up.ts'],
    // What tests start from its sources would compile them each time: a second of processor time.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ALL,
          exclude: [...PROCESSES, ...PROOFS, TIDY],
          ...FAST,
          // The files of a worker share the modules that they import: loading them anew took two fifths of the time.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'essentials',
          include: [...ESSENTIALS, ...BRIEFLY],
          env: { ODDSMITH_BRIEF: '1' },
          ...WAITING,
        },
      },
      // What reads the sources is `npm run check`'s.
      { extends: true, test: { name: 'tidy', include: [TIDY], ...FAST } },
      { extends: true, test: { name: 'proofs', include: [...PROOFS], exclude: [...ESSENTIALS], ...PATIENT } },
      {
        extends: true,
        test: { name: 'processes', include: [...PROCESSES], exclude: [...ESSENTIALS], ...WAITING },
      },
    ],
  },
});
