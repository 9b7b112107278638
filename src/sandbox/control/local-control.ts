/** The control surface for the sandbox's own process: the same endpoints, checks and refusals as over HTTP. */

import type { FaceNames } from '../context/face-names.ts';
import type { ActiveFault } from '../context/injected-faults.ts';
import type { StreamConnection } from '../stream/stream-server.ts';
import { carrierOf } from './control-call.ts';
import type { AnyControlEndpoint, ControlTools } from './control-endpoint.ts';

/** A request below /control. `path` is an endpoint's own, with its parameters in braces. */
export interface ControlAsk {
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export type ControlAnswer = Readonly<Record<string, unknown>>;

type ControlSaid =
  | { readonly kind: 'done'; readonly answer: ControlAnswer }
  | { readonly kind: 'refused'; readonly why: string };

export interface LocalControl {
  ask(request: ControlAsk): ControlSaid;
  /** The faults that may still strike. */
  faults(): readonly ActiveFault[];
  connections(): readonly StreamConnection[];
  /** By which ids the face's clients know things. */
  readonly names: FaceNames;
}

/** The control surface that has these endpoints. */
export function localControl(tools: ControlTools, endpoints: readonly AnyControlEndpoint[]): LocalControl {
  const { context, faults, stream } = tools;
  const asked = askedOf(tools, endpoints);
  return {
    ask: asked,
    faults: () => faults.active(context.now()),
    connections: () => stream.connections,
    names: tools.names,
  };
}

function askedOf(tools: ControlTools, endpoints: readonly AnyControlEndpoint[]): LocalControl['ask'] {
  return ({ method, path, parameters = {}, body }) => {
    const endpoint = endpoints.find((each) => each.method === method && each.path === path);
    if (endpoint === undefined) throw new Error(`the control surface has no ${method} ${path}`);
    const given = body === undefined ? undefined : ({ kind: 'json', value: body } as const);
    const { status, text } = carrierOf(endpoint, tools)({ path: parameters, queryText: '', body: given });
    const said: ControlAnswer = JSON.parse(text);
    return status === 200 ? { kind: 'done', answer: said } : { kind: 'refused', why: whyOf(said) };
  };
}

/** What is wrong, from a problem of the API's shape. */
function whyOf(problem: ControlAnswer): string {
  const { details, title } = problem;
  return Array.isArray(details) && details.length > 0 ? details.map(String).join('; ') : String(title);
}
