/** What each page's code weighs, and that it can stand in a page. */

import { expect, test } from 'vitest';
import { bundledPage } from '../../../src/app/web/web-bundle.ts';
import { WEB_PAGES } from '../../../src/app/web/web-options.ts';

const SCRIPT_MAX = 130 * 1024;
const STYLE_MAX = 20 * 1024;

test.each(WEB_PAGES)('the script of %s is below 130 KB, its style below 20', (name) => {
  const { code, inputs } = bundledPage(name);
  const size = Buffer.byteLength(code.script);
  const largest = [...inputs].toSorted(([, a], [, b]) => b - a).slice(0, 8);
  const parts = `${size} bytes; the largest parts: ${largest.map((part) => part.join(' ')).join(', ')}`;
  expect(size, parts).toBeLessThan(SCRIPT_MAX);
  expect(size).toBeGreaterThan(10_000);
  expect(Buffer.byteLength(code.style)).toBeLessThan(STYLE_MAX);
  expect(code.script).not.toMatch(/<\/script|<!--/i);
});
