/** What the server sends for a page of a dashboard: its newest panel, and the line above it. */

import type { Head, Panel } from '../../../src/pages/panels.ts';
import { ask, type OpenSession, type PrintedLink } from './dashboard-visit.ts';

type PanelOf<Page extends Panel['page']> = Extract<Panel, { readonly page: Page }>;

export async function panelOf<Page extends Panel['page']>(
  { port }: Pick<PrintedLink, 'port'>,
  { cookie }: Pick<OpenSession, 'cookie'>,
  { page, ...more }: { readonly page: Page; readonly id?: string },
): Promise<PanelOf<Page>> {
  const query = new URLSearchParams({ page, ...more });
  const { text } = await ask(port, { path: `/events?${query}`, headers: { cookie } });
  return JSON.parse(last(text, 'panel'));
}

export async function headOf(
  { port }: Pick<PrintedLink, 'port'>,
  { cookie }: Pick<OpenSession, 'cookie'>,
): Promise<Head> {
  const { text } = await ask(port, { path: '/events?page=commands', headers: { cookie } });
  return JSON.parse(last(text, 'head'));
}

function last(text: string, event: string): string {
  const found = [...text.matchAll(new RegExp(`^event: ${event}\\ndata: (.*)$`, 'gm'))];
  return found.at(-1)?.[1] ?? 'null';
}
