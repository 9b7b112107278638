import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['oddsmith-source', 'node', 'import', 'default'] },
  ssr: { resolve: { conditions: ['oddsmith-source', 'node', 'import', 'default'] } },
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
