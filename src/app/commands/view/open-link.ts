/** Opens a link that holds a secret: by a file that only its owner can read, since the arguments of a program can be read by all. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { html } from '../../../report/html/html-text.ts';
import { CliError } from '../../cli/cli-error.ts';
import { openInBrowser } from '../report/open-in-browser.ts';

/** The browser has read the file by then; what it leads to is worth nothing any more. */
const KEPT_MS = 60_000;

/** @throws CliError NOT_OPENED */
export async function openLinkInBrowser(link: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'oddsmith-view-'));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  process.once('exit', remove);
  const file = join(directory, 'view.html');
  const page = html`<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>oddsmith view</title><meta http-equiv="refresh" content="0;url=${link}">`;
  writeFileSync(file, page.html, { mode: 0o600 });
  try {
    await openInBrowser(file);
  } catch (error) {
    remove();
    if (!(error instanceof CliError)) throw error;
    const [what, next] = [
      'The system could not open the link.',
      'Open the link that is printed in a browser yourself.',
    ];
    throw new CliError({
      code: 'NOT_OPENED',
      what,
      ...(error.parts.why === undefined ? {} : { why: error.parts.why }),
      next,
    });
  }
  setTimeout(remove, KEPT_MS).unref();
}
