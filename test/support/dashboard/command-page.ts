/** The Commands page of a dashboard as a nervous person uses it: clicks twice, holds Enter down, loads it anew in the middle. */

import type { Browser, Page } from 'playwright-core';

export interface CommandForm {
  readonly name: string;
  /** Typed to confirm it; empty where a click is enough. */
  readonly word: string;
  readonly reason?: string;
  /** By the names of the fields. */
  readonly choose?: Readonly<Record<string, string>>;
}

export interface VisitedPage {
  readonly page: Page;
  /** What it said in its console, and whom else it asked. */
  readonly troubles: readonly string[];
}

/** A page that must say nothing in its console, and ask nobody but its own server. */
export async function visitPage(browser: Browser, url: string): Promise<VisitedPage> {
  const page = await browser.newPage({ viewport: { width: 1_400, height: 900 } });
  const troubles: string[] = [];
  const own = url.split('#')[0] ?? '';
  page.on('console', (message) => troubles.push(message.text()));
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(own)) troubles.push(request.url());
  });
  await page.goto(url);
  await page.waitForSelector('.card');
  return { page, troubles };
}

/** Chooses and types all that the command needs; nothing is sent yet. */
export async function prepared(page: Page, { name, word, reason, choose = {} }: CommandForm) {
  const form = page.locator(`#command-${name}`);
  await form.locator('form').waitFor();
  for (const [field, value] of Object.entries(choose)) {
    const control = form.locator(`[name=${field}]`);
    if (await form.locator(`select[name=${field}]`).count()) await control.selectOption(value);
    else await control.fill(value);
  }
  if (reason !== undefined) await form.locator('label:has-text("Why") input').fill(reason);
  if (word !== '') await form.locator('label:has-text("confirm") input').fill(word);
  return form;
}

/** How a form is sent more than once. */
export const NERVOUS = {
  'a double click': async (page: Page, form: CommandForm) => {
    await (await prepared(page, form)).locator('button[type=submit]').dblclick();
  },
  'Enter held down': async (page: Page, form: CommandForm) => {
    await (await prepared(page, form)).locator('input, select, button[type=submit]').last().focus();
    for (let repeat = 0; repeat < 8; repeat += 1) await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
  },
  'three times within one task': async (page: Page, form: CommandForm) => {
    await prepared(page, form);
    await page.evaluate(
      `for (let n = 0; n < 3; n += 1) document.querySelector('#command-${form.name} form').requestSubmit()`,
    );
  },
  'Enter again while the answer is slow': async (page: Page, form: CommandForm) => {
    await page.route('**/commands', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 800));
      await route.continue();
    });
    const box = await prepared(page, form);
    await box.locator('button[type=submit]').press('Enter');
    for (let again = 0; again < 3; again += 1) await page.keyboard.press('Enter');
  },
} as const;
