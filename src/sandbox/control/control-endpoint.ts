/** How one request of the control surface is described and carried out; `control-plane.ts` serves them. */

import type { Static, TObject } from '@sinclair/typebox';
import type { Written } from '../../betdex/wire/codec/notation.ts';
import type { CommandRefusal } from '../../matching/messages/event.ts';
import type { InjectedFaults } from '../context/injected-faults.ts';
import type { SandboxContext } from '../context/sandbox-context.ts';
import type { ProblemStatus } from '../http/problem-text.ts';
import type { StreamServer } from '../stream/stream-server.ts';
import type { CatalogueChange, ChangeRefusal, HolderChange, MarketChange } from '../world/change.ts';

export interface ControlTools {
  readonly context: SandboxContext;
  readonly faults: InjectedFaults;
  readonly stream: Pick<StreamServer, 'connections' | 'cut'>;
}

export interface ControlProblem {
  readonly kind: 'problem';
  readonly status: ProblemStatus;
  readonly detail: string;
}

export interface ControlCall<B extends TObject> extends ControlTools {
  readonly path: Readonly<Record<string, string>>;
  readonly body: Static<B>;
}

type ControlAnswer<A extends TObject> = { readonly kind: 'answer'; readonly answer: Written<A> } | ControlProblem;

export interface ControlEndpoint<B extends TObject = TObject, A extends TObject = TObject> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Beneath /control; parameters stand in braces. */
  readonly path: string;
  /** One sentence for the document. */
  readonly summary: string;
  readonly body: B | undefined;
  readonly answer: A;
  readonly operate: (call: ControlCall<B>) => ControlAnswer<A>;
}

/** The same endpoint with its shapes forgotten, as a table holds it. */
export type AnyControlEndpoint = Omit<ControlEndpoint, 'operate'> & {
  readonly operate: (
    call: ControlTools & Pick<ControlCall<TObject>, 'path'> & { readonly body: unknown },
  ) => ControlAnswer<TObject>;
};

/** Types one endpoint by its own shapes. */
export function controlEndpoint<B extends TObject, A extends TObject>(
  endpoint: Omit<ControlEndpoint<B, A>, 'body'> & { readonly body?: B },
): AnyControlEndpoint {
  const { operate, body, ...same } = endpoint;
  // A codec's cast: the body was read by the schema that types it.
  return { ...same, body, operate: (call) => operate(call as ControlCall<B>) };
}

export function answered<T>(answer: T): { readonly kind: 'answer'; readonly answer: T } {
  return { kind: 'answer', answer };
}

export function refused(status: ProblemStatus, detail: string): ControlProblem {
  return { kind: 'problem', status, detail };
}

export function unknownId(what: string): ControlProblem {
  return refused(404, `there is no ${what}`);
}

/** Makes a change now; a problem where the world refuses it. */
export function change(context: SandboxContext, made: NewChange): ControlProblem | undefined {
  const changed = context.apply({ ...made, at: context.now() });
  return changed.kind === 'done' ? undefined : refusedChange(changed.refusal);
}

/** A change before it has a time. */
export type NewChange = HolderChange | CatalogueChange | MarketChange;

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

/** What a market's status does not allow, in the machine's own word for it. */
export function refusedMove(): ControlProblem {
  return refusedChange({ code: 'MACHINE', what: 'INVALID_MOVE' satisfies CommandRefusal });
}
