import { defineConfig } from 'vitest/config';
import { PROCESSES, PROOFS } from './test/tiers.ts';

const ALL = ['test/**/*.test.ts'];

export default defineConfig({
  resolve: { conditions: ['oddsmith-source', 'node', 'import', 'default'] },
  ssr: { resolve: { conditions: ['oddsmith-source', 'node', 'import', 'default'] } },
  test: {
    pool: 'forks',
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'fast', include: ALL, exclude: [...PROCESSES, ...PROOFS], testTimeout: 10_000 } },
      { extends: true, test: { name: 'proofs', include: [...PROOFS], testTimeout: 180_000, hookTimeout: 300_000 } },
      {
        extends: true,
        test: {
          name: 'processes',
          include: [...PROCESSES],
          testTimeout: 180_000,
          hookTimeout: 300_000,
          // They wait most of their time, and are run by themselves: what they wait for must not stand behind the proofs.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
