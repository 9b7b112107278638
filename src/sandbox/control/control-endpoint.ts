/** The description of one control endpoint and the helpers to carry it out; `control-plane.ts` serves them. */

import type { Static, TObject } from '@sinclair/typebox';
import type { PathParameter } from '../../betdex/wire/endpoint.ts';
import type { Written } from '../../codec/notation.ts';
import type { CommandRefusal } from '../../matching/messages/event.ts';
import type { FaceNames } from '../context/face-names.ts';
import type { InjectedFaults } from '../context/injected-faults.ts';
import type { SandboxContext } from '../context/sandbox-context.ts';
import type { ProblemStatus } from '../http/problem-text.ts';
import type { StreamConnection } from '../stream/stream-server.ts';
import type { CatalogueChange, ChangeRefusal, MarketChange, RegistryChange } from '../world/change.ts';

/** The connections of a stream, and the way to cut some. */
export interface StreamControl {
  readonly connections: readonly StreamConnection[];
  /** Cuts the connections that the filter accepts, without a word; returns how many. */
  cut(filter: (connection: StreamConnection) => boolean): number;
}

export interface ControlTools {
  readonly context: SandboxContext;
  readonly faults: InjectedFaults;
  readonly stream: StreamControl;
  readonly names: FaceNames;
}

export interface ControlProblem {
  readonly kind: 'problem';
  readonly status: ProblemStatus;
  readonly detail: string;
}

export interface ControlCall<B extends TObject, P extends string = string> extends ControlTools {
  readonly path: { readonly [Name in PathParameter<P>]: string };
  readonly body: Static<B>;
}

type ControlAnswer<A extends TObject> = { readonly kind: 'answer'; readonly answer: Written<A> } | ControlProblem;

export interface ControlEndpoint<B extends TObject = TObject, A extends TObject = TObject, P extends string = string> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path below /control, with parameters in braces. */
  readonly path: P;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  readonly body: B | undefined;
  readonly answer: A;
  readonly operate: (call: ControlCall<B, P>) => ControlAnswer<A>;
}

/** An endpoint without its type parameters, as the table of endpoints holds it. */
export type AnyControlEndpoint = Omit<ControlEndpoint, 'operate'> & {
  readonly operate: (
    call: ControlTools & { readonly path: Readonly<Record<string, string>>; readonly body: unknown },
  ) => ControlAnswer<TObject>;
};

/** Declares an endpoint: the schemas of body and answer give the types of `operate`. */
export function controlEndpoint<B extends TObject, A extends TObject, const P extends string>(
  endpoint: Omit<ControlEndpoint<B, A, P>, 'body'> & { readonly body?: B },
): AnyControlEndpoint {
  const { operate, body, ...same } = endpoint;
  // Safe cast: the body was read by the schema that gives its type, and the router matched the path.
  return { ...same, body, operate: (call) => operate(call as ControlCall<B, P>) };
}

export function answered<T>(answer: T): { readonly kind: 'answer'; readonly answer: T } {
  return { kind: 'answer', answer };
}

export function refused(status: ProblemStatus, detail: string): ControlProblem {
  return { kind: 'problem', status, detail };
}

/** 404 for an id that names nothing. */
export function unknownId(what: string): ControlProblem {
  return refused(404, `there is no ${what}`);
}

/** Makes a change now; returns a problem where the world refuses it. */
export function change(context: SandboxContext, made: NewChange): ControlProblem | undefined {
  const changed = context.apply({ ...made, at: context.now() });
  return changed.kind === 'done' ? undefined : refusedChange(changed.refusal);
}

/** A change without its time. */
export type NewChange = RegistryChange | CatalogueChange | MarketChange;

function refusedChange({ code, what }: ChangeRefusal): ControlProblem {
  switch (code) {
    case 'UNKNOWN_ID':
      return unknownId(what);
    case 'INVALID':
      return refused(400, what);
    case 'ID_TAKEN':
      return refused(409, `${what} is taken`);
    case 'MACHINE':
      return refused(what === 'INVALID_ARGUMENT' ? 400 : 409, `the exchange refuses it: ${what}`);
  }
}

/** The problem for a move that the market's status does not allow, with the exchange machine's own code. */
export function refusedMove(): ControlProblem {
  return refusedChange({ code: 'MACHINE', what: 'INVALID_MOVE' satisfies CommandRefusal });
}
