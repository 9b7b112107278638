/** Visits to a view: the command in this process, its link opened as the page opens it, and raw requests. */

import { onTestFinished } from 'vitest';
import { runCli } from '../../../src/app/start/cli.ts';
import type { ViewMarket, ViewPart, ViewWelcome } from '../../../src/pages/view-data.ts';
import { ask, linkIn, type PrintedLink, type RawAnswer } from '../dashboard/dashboard-visit.ts';
import { terminalOf } from '../dashboard/open-command.ts';

export interface ViewVisit {
  readonly link: PrintedLink;
  readonly said: { readonly out: string; readonly note: string };
  readonly welcome: ViewWelcome;
  readonly cookie: string;
  /** The answer to its link. */
  readonly login: RawAnswer;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<RawAnswer>;
  market(id: string): Promise<ViewMarket>;
  part(id: string, part: number): Promise<ViewPart>;
  end(signal: NodeJS.Signals): Promise<number>;
}

/** `oddsmith view` with these words, on a port of its own, until the test is done. */
export async function startView(...words: readonly string[]): Promise<ViewVisit> {
  const { said, until, end } = terminalOf((terminal) => runCli(['view', ...words, '--port', '0', '--json'], terminal));
  onTestFinished(async () => void (await end('SIGTERM')));
  await until(/"(link|error)"/);
  const link = linkIn(said.out);
  const login = await loginBy(link);
  if (login.status !== 200) throw new Error(`the link opened nothing: ${login.text}`);
  const cookie = String(login.headers['set-cookie']).split(';')[0] ?? '';
  const get: ViewVisit['get'] = (path, headers = {}) => ask(link.port, { path, headers: { cookie, ...headers } });
  const found = async (path: string) => {
    const answer = await get(path);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
    return JSON.parse(answer.text);
  };
  return {
    ...{ link, said, cookie, login, get, end, welcome: JSON.parse(login.text) },
    market: (id) => found(`/market?id=${encodeURIComponent(id)}`),
    part: (id, part) => found(`/part?id=${encodeURIComponent(id)}&part=${part}`),
  };
}

export function loginBy({ port, secret }: PrintedLink): Promise<RawAnswer> {
  const headers = { origin: `http://127.0.0.1:${port}`, 'content-type': 'application/json' };
  return ask(port, { method: 'POST', path: '/login', headers, body: JSON.stringify({ link: secret }) });
}
