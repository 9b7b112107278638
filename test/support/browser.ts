/** A real Chromium for pages we make; tests that need one are skipped, with a printed reason, where there is none. */

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { describe } from 'vitest';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** $CHROMIUM, else the first of the usual names on the PATH. */
function browserPath(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const candidates = [
    process.env['CHROMIUM'] ?? '',
    ...NAMES.flatMap((name) => folders.map((folder) => join(folder, name))),
  ];
  return candidates.find((path) => path !== '' && existsSync(path));
}

export function describeWithBrowser(name: string, body: () => void): void {
  if (browserPath() !== undefined) describe(name, body);
  else describe.skip(`${name} [no Chromium: install it, or set CHROMIUM to its path]`, body);
}

/** `flags`: further ones of Chromium’s own. */
export function launchBrowser(flags: readonly string[] = []): Promise<Browser> {
  const executablePath = browserPath();
  if (executablePath === undefined) throw new Error('no Chromium on this machine');
  return chromium.launch({ executablePath, args: [...QUIET, ...flags] });
}
