/** The messages between a bench and the servers it starts. */

/** To the server. Seconds of processor time are asked for by an empty message. */
export interface EchoRoute {
  readonly method: 'GET' | 'POST';
  /** Without a query: any is answered. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface SandboxAccess {
  readonly url: string;
  readonly appId: string;
  readonly apiKey: string;
  readonly walletId: string;
}

export interface EchoAccess {
  readonly url: string;
}

/** Seconds of processor time of the whole server since it started. */
export interface ServerTime {
  readonly seconds: number;
}

/** Answers each question after the one that started the server, and ends with the bench. */
export function answerTimes(close: () => Promise<void>): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ seconds: (user + system) / 1e6 } satisfies ServerTime);
  });
  process.once('disconnect', () => {
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
