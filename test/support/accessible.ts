/** What axe finds wrong with a page for those who use it by keyboard, with a screen reader, or see little. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const WIDTHS = [390, 1400];
const SCHEMES = ['light', 'dark'] as const;

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
}

/** Nothing at both widths, light and dark; `prepare` opens what the page folds, at each of them. */
export async function expectAccessible(
  page: Page,
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<void> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    for (const colorScheme of SCHEMES) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await prepare(page);
      await page.evaluate(AXE);
      const violations: readonly Violation[] = await page.evaluate(runOf(colorScheme));
      for (const { id, nodes } of violations)
        for (const { target, failureSummary = '' } of nodes.slice(0, 4))
          found.push(`${width} ${colorScheme} ${id} ${target.join(' ')}: ${failureSummary.replaceAll(/\s+/g, ' ')}`);
    }
  }
  expect(found).toEqual([]);
}

/** What does not hang on colours is the same in the dark. */
function runOf(colorScheme: (typeof SCHEMES)[number]): string {
  const only = colorScheme === 'dark' ? ", runOnly: ['color-contrast']" : '';
  return `axe.run(document, { resultTypes: ['violations']${only} }).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })) })))`;
}
