/** The port between a call and the network: one request out, one reply back. */

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query, escaped. */
  readonly path: string;
  /** Names and values in turn. */
  readonly headers: string[];
  readonly body?: string;
}

export type WireReply =
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly retryAfter?: string;
      /** When the server says it answered. */
      readonly date?: string;
      /** What the server says the body is, empty where it says nothing; absent where the transport has no headers. */
      readonly contentType?: string;
      /** Of a refusal, no more than its beginning. */
      readonly body: string;
    }
  /** Not one byte was written: the exchange cannot have seen it. */
  | { readonly kind: 'unsent'; readonly details: string }
  /** The connection ended, or could not be made out, before the reply did. */
  | { readonly kind: 'lost'; readonly details: string }
  /** What came is no HTTP, is compressed, or is larger than any answer. */
  | { readonly kind: 'garbled'; readonly details: string };

export interface Sending {
  /** Whether any of it may have been written. */
  readonly hasBegun: boolean;
  /** Nothing is heard any more; a request that has not begun never will. */
  cancel(): void;
}

/** `hear` is called once, and never while `send` runs. */
export interface Transport {
  send(request: WireRequest, hear: (reply: WireReply) => void): Sending;
  /** Cuts what is under way; ends when the connections are closed. */
  close(): Promise<void>;
}
