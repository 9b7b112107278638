/** Describes what arrives without its secrets, each of which gets a name. */

import { API_PATHS } from '../../betfair/wire/envelope.ts';
import type { ControlRequest } from '../../sandbox/control/control-call.ts';
import type { FaceRequest } from '../face/face-request.ts';
import { IDENTITY } from '../face/identity.ts';
import { type Arrival, type Arrived, type ArrivedRequest, UNREADABLE } from './arrival.ts';

/** What arrived, as it came. */
export type Arriving =
  | { readonly kind: 'request'; readonly request: FaceRequest }
  | { readonly kind: 'line'; readonly connection: string; readonly text: string }
  | ({ readonly kind: 'control' } & ControlRequest)
  | Exclude<Arrived, { readonly kind: 'request' | 'line' | 'control' }>;

/** How a session's token may look, wherever it stands. */
const TOKEN = /[\w-]{43}/g;
const API_PREFIXES = Object.values(API_PATHS).flatMap(({ rpc, rest }) => [rpc, rest]);

export class ArrivalRecorder {
  readonly #record: (arrival: Arrival) => void;
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  constructor(record: (arrival: Arrival) => void) {
    this.#record = record;
  }

  note(at: number, arriving: Arriving): void {
    this.#record({ at, ...this.#described(arriving) });
  }

  /** A secret that the exchange has made. Replays make secrets that are these names. */
  readonly made = (secret: string): void => {
    this.#nameOf('session', secret);
  };

  #described(arriving: Arriving): Arrived {
    if (arriving.kind === 'request') return this.#request(arriving.request);
    if (arriving.kind === 'control') return this.#control(arriving);
    if (arriving.kind !== 'line') return arriving;
    const { connection, text } = arriving;
    return { kind: 'line', connection, line: this.#line(text) };
  }

  #request({ method, path, application, authentication, hasCertificate, body }: FaceRequest): ArrivedRequest {
    const form = Object.hasOwn(IDENTITY, path) ? new URLSearchParams(body) : undefined;
    const [username, password] = [form?.get('username') ?? undefined, form?.get('password') ?? undefined];
    const isApi = API_PREFIXES.some((prefix) => path.startsWith(prefix));
    return {
      ...{ kind: 'request', method, path },
      ...(application === undefined ? {} : { application: this.#nameOf('key', application) }),
      ...(authentication === undefined ? {} : { session: this.#sessionOf(authentication) }),
      ...(hasCertificate ? { hasCertificate } : {}),
      ...(username === undefined ? {} : { username }),
      ...(password === undefined ? {} : { password: this.#nameOf('password', password) }),
      ...(isApi && body !== '' ? { body: this.#json(body) } : {}),
    };
  }

  #control({ method, path, authorization, body }: ControlRequest): Arrived {
    const key = this.#sessionOf(authorization.replace(/^Bearer /, ''));
    return { kind: 'control', method, path, key, ...(body === '' ? {} : { body: this.#json(body) }) };
  }

  #line(text: string): unknown {
    const line = this.#json(text);
    if (typeof line !== 'object' || line === null) return UNREADABLE;
    const { appKey, session } = line as { readonly appKey?: unknown; readonly session?: unknown };
    return {
      ...line,
      ...(typeof appKey === 'string' ? { appKey: this.#nameOf('key', appKey) } : {}),
      ...(typeof session === 'string' ? { session: this.#sessionOf(session) } : {}),
    };
  }

  #json(text: string): unknown {
    try {
      return JSON.parse(text.replaceAll(TOKEN, (found) => this.#names.get(`session ${found}`) ?? found));
    } catch {
      return UNREADABLE;
    }
  }

  /** A name stands for itself: a line has been through here before its fields are. */
  #sessionOf(token: string): string {
    if (/^session-\d+$/.test(token)) return token;
    return this.#names.get(`session ${token}`) ?? this.#nameOf('unknown', token);
  }

  /** Empty texts are no secrets, and mean something. */
  #nameOf(kind: string, secret: string): string {
    if (secret === '') return '';
    const known = this.#names.get(`${kind} ${secret}`);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const name = `${kind}-${count}`;
    this.#names.set(`${kind} ${secret}`, name);
    return name;
  }
}
