/** The client's document is true: its example runs, as a file of the package's, against a sandbox. */

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { ROOT } from '../support/places.ts';
import { startSandbox } from '../support/vendor/sandbox-process.ts';

// Inside the package, where `oddsmith/client` is the built one.
mkdirSync(join(ROOT, 'runs'), { recursive: true });
const directory = mkdtempSync(join(ROOT, 'runs', 'client-docs-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('the example lists open markets and the rows of their books', async () => {
  const code = /```ts\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/client.md'), 'utf8'))?.[1] ?? '';
  const file = join(directory, 'example.ts');
  writeFileSync(file, code);
  const sandbox = await startSandbox({ args: ['--memory'] });
  try {
    const env = { ...process.env, EXCHANGE_URL: sandbox.url, APP_ID: sandbox.appId, API_KEY: sandbox.apiKey };
    const run = promisify(execFile)(process.execPath, [file], { env, cwd: ROOT });
    const { stdout, stderr } = await run;
    expect(stderr).toBe('');
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(4);
    for (const line of lines.slice(0, 3)) expect(line).toMatch(/^\d+ .+ (PrePlay|InPlay|NotApplicable)$/);
    expect(JSON.parse(lines[3] ?? '')).toHaveLength(3);
  } finally {
    await sandbox.remove();
  }
});
