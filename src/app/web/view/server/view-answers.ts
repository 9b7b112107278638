/** What the view answers to each request: the page, a session for a link, markets and their parts. Nothing changes anything. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { knownError } from '../../../cli/known-error.ts';
import { turnedAway } from '../../dashboard/server/gate.ts';
import { readBody } from '../../dashboard/server/request-body.ts';
import type { Sessions } from '../../dashboard/server/sessions.ts';
import { cookiesOf, hostOf, one, refuse, refuseWith, sendPackedJson, sendPage, splitOnce } from '../../http/answer.ts';
import { pageDocument } from '../../page-document.ts';
import type { Found, ViewSource } from '../view-source.ts';

export interface AnswersParts {
  readonly source: ViewSource;
  readonly sessions: Sessions;
  /** Names of this server beside those of loopback. */
  readonly host: string;
  /** Called once, with a bug of ours: nothing is answered any more. */
  readonly onFault: (error: unknown) => void;
}

interface Heard {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

const NO_SESSION = 'There is no session: open the view by the link that it printed.';
const NEW_LINK = 'End the command (Ctrl-C) and start it again: it prints a new link.';
const PART = /^\d{1,9}$/;

export class ViewAnswers {
  readonly #parts: AnswersParts;
  readonly #names: ReadonlySet<string>;
  /** Cookies of one host are shared by all its ports: each server has a name of its own. */
  #cookie = '';
  #isBroken = false;

  constructor(parts: AnswersParts) {
    this.#parts = parts;
    this.#names = new Set([parts.host.toLowerCase()]);
  }

  listensOn(port: number): void {
    this.#cookie = `oddsmith-view-${port}`;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const [path = '', query = ''] = splitOnce(request.url ?? '', '?');
    const { headers, method = '' } = request;
    const caller = { method, path, host: hostOf(request), origin: headers.origin };
    const { localAddress } = request.socket;
    const turned = turnedAway({ ...caller, localAddress, fetchSite: one(headers['sec-fetch-site']) }, this.#names);
    if (turned?.status === 421) return refuse(response, 421, 'This is no name of the view: see --host.');
    if (turned !== undefined) return refuse(response, turned.status, turned.why);
    if (this.#isBroken) return refuse(response, 500, 'The view met a bug of oddsmith, and ends.');
    const heard = { request, response, query: new URLSearchParams(query) };
    this.#route(`${method} ${path}`, heard).catch((error: unknown) => this.#notRead(response, error));
  }

  async #route(what: string, heard: Heard): Promise<void> {
    const { response, query } = heard;
    const { source } = this.#parts;
    switch (what) {
      case 'GET /':
        return sendPage(response, pageDocument('view'));
      case 'POST /login':
        return this.#login(heard);
      case 'GET /session':
        return this.#withSession(heard, async () => ({ kind: 'found', value: source.welcome() }));
      case 'GET /market':
        return this.#withSession(heard, () => source.market(query.get('id') ?? ''));
      case 'GET /part': {
        const part = query.get('part') ?? '';
        if (!PART.test(part)) return refuse(response, 400, 'A part is a whole number from 0 on.');
        return this.#withSession(heard, () => source.part(query.get('id') ?? '', Number(part)));
      }
      default:
        return refuse(response, 404, 'There is nothing here.');
    }
  }

  async #login({ request, response }: Heard): Promise<void> {
    const { source, sessions } = this.#parts;
    const fields = await readBody(request);
    const session = sessions.open(fields?.['link'] ?? '');
    if (session === undefined)
      return refuseWith(response, 401, { why: 'The link was used, is too old, or is none.', next: NEW_LINK });
    const cookie = `${this.#cookie}=${session.secret}; HttpOnly; SameSite=Strict; Path=/`;
    await sendPackedJson(request, response, source.welcome(), { 'set-cookie': cookie });
  }

  async #withSession({ request, response }: Heard, find: () => Promise<Found<object>>): Promise<void> {
    const session = this.#parts.sessions.ofAny(cookiesOf(request, this.#cookie));
    if (session === undefined) return refuseWith(response, 401, { why: NO_SESSION, next: NEW_LINK });
    const found = await find();
    if (found.kind === 'not') return refuseWith(response, found.status, found.body);
    await sendPackedJson(request, response, found.value);
  }

  /** A file of the run that cannot be read is no bug of ours: others may be, and it may be mended. */
  #notRead(response: ServerResponse, error: unknown): void {
    const known = knownError(error);
    if (known === undefined || response.headersSent) {
      if (known === undefined) this.#break(error);
      response.destroy();
      return;
    }
    const { code, what, where, why, next } = known.parts;
    refuseWith(response, 409, { why: why === undefined ? what : `${what} ${why}`, code, where, next });
  }

  #break(error: unknown): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#parts.onFault(error);
  }
}
