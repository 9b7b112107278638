/** The port between a call and the network: one request is sent, one reply is received. */

/** A request as it is put on the wire. */
export interface WireRequest {
  /** As HTTP has it. */
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query, escaped. */
  readonly path: string;
  /** Names and values alternate. */
  readonly headers: string[];
  /** JSON; absent where the request has none. */
  readonly body?: string;
}

/** What became of a request, by `kind`; `details` is a text for people. */
export type WireReply =
  /** An HTTP answer of whatever `status`; `retryAfter` is the Retry-After header as it came. */
  | {
      readonly kind: 'reply';
      readonly status: number;
      readonly retryAfter?: string;
      /** The Date header, when the server answered. */
      readonly date?: string;
      /** The Content-Type header, empty if the server sent none; undefined if the transport has no headers. */
      readonly contentType?: string;
      /** Of a refusal, only the beginning is kept. */
      readonly body: string;
    }
  /** Not one byte was written: the exchange cannot have received the request. */
  | { readonly kind: 'unsent'; readonly details: string }
  /** The connection ended or failed before the reply was complete. */
  | { readonly kind: 'lost'; readonly details: string }
  /** The reply is not HTTP, is compressed, or is larger than any answer of the API. */
  | { readonly kind: 'garbled'; readonly details: string };

/** A request that was handed to the network. */
export interface Sending {
  /** Whether any byte of the request may have been written. */
  readonly hasBegun: boolean;
  /** Gives the request up: no reply is delivered, and a request that has not begun is never sent. */
  cancel(): void;
}

/** `send` calls `onReply` once, and never before it has returned. */
export interface Transport {
  /** Sends a request; `onReply` is told what became of it. */
  send(request: WireRequest, onReply: (reply: WireReply) => void): Sending;
  /** Ends all requests under way; resolves when the connections are closed. */
  close(): Promise<void>;
}
