/** What a face says to the control surface: its names for markets and apps, its operations and kinds of faults. */

import type { Static, TObject, TProperties } from '@sinclair/typebox';
import type { FaceNames } from '../context/face-names.ts';
import type { FaultAction } from '../context/injected-faults.ts';
import type { AnyControlEndpoint, ControlProblem } from './control-endpoint.ts';

export interface FaceControl {
  readonly names: FaceNames;
  readonly faults: FaultTerms;
  /** What this face alone offers. */
  readonly endpoints: readonly AnyControlEndpoint[];
}

/** The faults of a face, beside late answers, statuses and cut connections, which all faces have. */
export interface FaultTerms {
  /** What a fault can be for. */
  readonly operations: readonly string[];
  readonly kinds: readonly string[];
  /** What these kinds do, in words. */
  readonly summary: string;
  /** The fields of a request that these kinds have, and of a listed fault. */
  readonly fields: TProperties;
  readonly shown: TProperties;
  readonly actionOf: (body: OwnFault) => FaultAction | ControlProblem;
  /** Which operations a fault strikes that names none; undefined: all. */
  readonly operationsOf: (action: FaultAction) => readonly string[] | undefined;
  /** Why a fault cannot be for these operations. */
  readonly refusalOf: (action: FaultAction, operations: readonly string[] | undefined) => ControlProblem | undefined;
  readonly fieldsOf: (action: FaultAction) => Readonly<Record<string, unknown>>;
}

/** A request for a fault of one of the face's own kinds. */
interface OwnFault {
  readonly kind: string;
}

/** Declares the faults of a face: the schema of the fields gives their types. */
export function faultTerms<P extends TProperties>(
  terms: Omit<FaultTerms, 'fields' | 'actionOf'> & {
    readonly fields: P;
    readonly actionOf: (body: OwnFault & Static<TObject<P>>) => FaultAction | ControlProblem;
  },
): FaultTerms {
  // Safe cast: the body was read by the schema that gives its type.
  return { ...terms, actionOf: (body) => terms.actionOf(body as OwnFault & Static<TObject<P>>) };
}
