/** A request to the face as it came over HTTP, without its socket. */

import type { Caller } from './called-operation.ts';

export interface FaceRequest extends Caller {
  readonly method: string;
  /** The path of the address, without its query. */
  readonly path: string;
  /** The body's text; empty where there was none. */
  readonly body: string;
  /** Whether the client showed a certificate of its own. */
  readonly hasCertificate: boolean;
}
