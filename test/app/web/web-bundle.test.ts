/** What each page's code weighs, and that it can stand in a page. */

import { expect, test } from 'vitest';
import { bundledPage } from '../../../src/app/web/web-bundle.ts';
import { WEB_PAGES } from '../../../src/app/web/web-options.ts';

const LARGEST = 130 * 1024;

test.each(WEB_PAGES)('the code of %s is below 130 KB', (name) => {
  const { code, inputs } = bundledPage(name);
  const size = Buffer.byteLength(code.script) + Buffer.byteLength(code.style);
  const largest = [...inputs].toSorted(([, a], [, b]) => b - a).slice(0, 8);
  expect(size, `${size} bytes; the largest parts: ${largest.map((part) => part.join(' ')).join(', ')}`).toBeLessThan(
    LARGEST,
  );
  expect(size).toBeGreaterThan(10_000);
  expect(code.script).not.toMatch(/<\/script|<!--/i);
});
