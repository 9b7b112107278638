/** What the dashboard answers to each request: the page, a session for a link, the stream of what is shown, commands. */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { packageVersion } from '../../../../package/running-package.ts';
import type { Ask, Head, Panel, SourceKind, Welcome } from '../../../../pages/panels.ts';
import { ownCommand } from '../../../cli/own-command.ts';
import type { DashboardPlace } from '../../../run/run-options.ts';
import {
  cookiesOf,
  hostOf,
  JSON_TYPE,
  NO_PAGE,
  one,
  refuse,
  refuseWith,
  SECURITY,
  send,
  sendJson,
  sendPage,
  splitOnce,
} from '../../http/answer.ts';
import { pageDocument } from '../../page-document.ts';
import type { MemoryFile } from '../memory/memory-file.ts';
import { CommandLog } from './command-log.ts';
import { EVERY_MS, EventStreams, READERS_MAX } from './event-streams.ts';
import { turnedAway } from './gate.ts';
import { readAsk } from './read-ask.ts';
import { readBody } from './request-body.ts';
import { isTokenOf, type Session, type Sessions } from './sessions.ts';
import type { DashboardSource } from './source.ts';

/** A request that came through the gate. */
interface Heard {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly query: URLSearchParams;
}

type Fields = Readonly<Record<string, string>>;

const NO_SESSION = 'There is no session: open the dashboard by a new link.';
/** The command that makes one, with words in capitals for what is another one each time. */
const OF_RUN = `${ownCommand()} dashboard link CONFIG`;
const NEW_LINK: Readonly<Record<SourceKind, string>> = {
  live: OF_RUN,
  paper: OF_RUN,
  sandbox: `${ownCommand()} sandbox --dashboard PORT`,
  bots: `${ownCommand()} dashboard DIR`,
};

export class Answers {
  readonly #parts: DashboardParts;
  readonly #sessions: Sessions;
  readonly #streams: EventStreams;
  readonly #commands: CommandLog | undefined;
  readonly #load = new LoadMeter(EVERY_MS);
  readonly #names: ReadonlySet<string>;
  /** Cookies of one host are shared by all its ports: each dashboard has a name of its own. */
  #cookie = '';
  #isBroken = false;

  constructor(parts: DashboardParts, sessions: Sessions) {
    const { source, host, hosts, now, memory } = parts;
    this.#parts = parts;
    this.#sessions = sessions;
    this.#names = new Set([host, ...hosts].map((name) => name.toLowerCase()));
    this.#commands = source.commands && new CommandLog(source.commands, now, memory);
    this.#streams = new EventStreams({
      head: () => this.#head(),
      panel: (ask) => this.#panel(ask),
      ring: source.ring,
      onFault: (error) => this.#break(error),
      onRound: (ms) => this.#load.add(ms),
    });
  }

  listensOn(port: number): void {
    this.#cookie = `oddsmith-${port}`;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    const [path = '', query = ''] = splitOnce(request.url ?? '', '?');
    const { headers, method = '' } = request;
    const caller = {
      method,
      path,
      host: hostOf(request),
      origin: headers.origin,
      localAddress: request.socket.localAddress,
    };
    const turned = turnedAway({ ...caller, fetchSite: one(headers['sec-fetch-site']) }, this.#names);
    if (turned !== undefined) return refuse(response, turned.status, turned.why);
    // The page itself is still served, since it says so better than a browser shows a refusal.
    if (this.#isBroken && path !== '/')
      return refuse(response, 500, 'The dashboard met a bug of oddsmith; see the log.');
    const heard = { request, response, query: new URLSearchParams(query) };
    this.#route(`${method} ${path}`, heard).catch((error: unknown) => {
      this.#break(error);
      response.destroy();
    });
  }

  close(): void {
    this.#streams.close();
    this.#commands?.close();
  }

  async #route(what: string, heard: Heard): Promise<void> {
    const { response } = heard;
    switch (what) {
      case 'GET /':
        return sendPage(response, pageDocument('dashboard'));
      case 'POST /login':
        return this.#login(heard);
      case 'GET /session':
        return this.#withSession(heard, (session) => sendJson(response, this.#welcome(session)));
      case 'GET /events':
        return this.#withSession(heard, () => this.#stream(heard));
      case 'POST /commands':
        return this.#post(heard, (fields) => this.#command(response, fields));
      case 'POST /open':
        return this.#post(heard, (fields) => this.#open(response, fields));
      default:
        return refuse(response, 404, 'There is nothing here.');
    }
  }

  async #login({ request, response }: Heard): Promise<void> {
    const fields = await readBody(request);
    const session = this.#sessions.open(fields?.['link'] ?? '');
    if (session === undefined) return this.#noSession(response, 'The link was used, is too old, or is none.');
    const cookie = `${this.#cookie}=${session.secret}; HttpOnly; SameSite=Strict; Path=/`;
    send(response, 200, JSON.stringify(this.#welcome(session)), { 'content-type': JSON_TYPE, 'set-cookie': cookie });
  }

  #withSession({ request, response }: Heard, go: (session: Session) => void): void {
    const session = this.#sessions.ofAny(cookiesOf(request, this.#cookie));
    if (session === undefined) return this.#noSession(response, NO_SESSION);
    go(session);
  }

  /** A POST of a page that has a session, and that knows the session’s token: no other page can read it. */
  async #post({ request, response }: Heard, go: (fields: Fields) => Promise<void>): Promise<void> {
    const session = this.#sessions.ofAny(cookiesOf(request, this.#cookie));
    if (session === undefined || !isTokenOf(session, one(request.headers['x-oddsmith-token'])))
      return this.#noSession(response, NO_SESSION);
    const fields = await readBody(request);
    if (fields === undefined) return refuse(response, 400, 'The body is one small JSON object of texts.');
    return go(fields);
  }

  /** Whoever may be there is told no more than which command makes a link: no directory, and no name. */
  #noSession(response: ServerResponse, why: string): void {
    refuseWith(response, 401, { why, next: NEW_LINK[this.#parts.source.kind] });
  }

  #stream({ response, query }: Heard): void {
    if (this.#streams.size >= READERS_MAX)
      return refuse(response, 503, `At most ${READERS_MAX} pages are served at once.`);
    response.writeHead(200, { ...SECURITY, 'content-security-policy': NO_PAGE, 'content-type': 'text/event-stream' });
    this.#streams.add(response, readAsk(query));
  }

  async #command(response: ServerResponse, fields: Fields): Promise<void> {
    const { key = '', name = '', of = '', reason = '', word = '', ...values } = fields;
    const answer = await this.#commands?.ask({ key, name, of, reason, word, values });
    if (answer === undefined) return refuse(response, 404, 'There are no commands here.');
    if (answer.kind === 'invalid') return refuse(response, 400, answer.why);
    sendJson(response, answer.entry);
  }

  async #open(response: ServerResponse, { dir = '' }: Fields): Promise<void> {
    const link = await this.#parts.source.linkOf?.(dir);
    if (link === undefined) return refuse(response, 404, 'There are no runs here.');
    if ('why' in link) return refuse(response, 409, link.why);
    sendJson(response, link);
  }

  #welcome({ token }: Session): Welcome {
    const { kind, name, pages, currency, newLink } = this.#parts.source;
    return { kind, name, pages, currency, newLink, token, version: packageVersion() };
  }

  #head(): Head {
    return { ...this.#parts.source.head(), pending: this.#commands?.pending ?? 0, load: this.#load.share };
  }

  #panel(ask: Ask): Panel | undefined {
    const { source } = this.#parts;
    if (!source.pages.includes(ask.page)) return undefined;
    if (ask.page === 'record') return { page: 'record', alerts: source.ring?.alerts ?? [] };
    if (ask.page !== 'commands') return source.panel(ask);
    const { commands } = source;
    return {
      page: 'commands',
      subjects: commands?.subjects(ask),
      offers: commands?.offers(ask.id) ?? [],
      entries: this.#commands?.entries ?? [],
    };
  }

  #break(error: unknown): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    this.#streams.drop();
    this.#commands?.close();
    this.#parts.onFault(error);
  }
}

/** Rounds over which it is averaged. */
const ROUNDS = 40;

/** What share of a core something takes that is done in rounds. */
class LoadMeter {
  readonly #everyMs: number;
  readonly #rounds: number[] = [];
  #next = 0;
  #sum = 0;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  add(ms: number): void {
    this.#sum += ms - (this.#rounds[this.#next] ?? 0);
    this.#rounds[this.#next] = ms;
    this.#next = (this.#next + 1) % ROUNDS;
  }

  /** Undefined before there were so many: the first ones are slow, since nothing is compiled yet. */
  get share(): number | undefined {
    return this.#rounds.length < ROUNDS ? undefined : Math.max(0, this.#sum) / (ROUNDS * this.#everyMs);
  }
}

/** What a dashboard is made of: where it listens, what it shows, and whom it tells of a bug of ours. */
export interface DashboardParts extends DashboardPlace {
  readonly source: DashboardSource;
  /** What says on which port: a key of the configuration, or a flag. */
  readonly setting: string;
  readonly now: () => number;
  /** What it knew before its process was started again; without one, each start begins with nobody and nothing. */
  readonly memory?: MemoryFile | undefined;
  /** Called once, with a bug of ours: the dashboard shows nothing more, and whatever it belongs to goes on. */
  readonly onFault: (error: unknown) => void;
}
