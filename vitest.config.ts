import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { conditions: ['oddsmith-source', 'node', 'import', 'default'] },
  ssr: { resolve: { conditions: ['oddsmith-source', 'node', 'import', 'default'] } },
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});
