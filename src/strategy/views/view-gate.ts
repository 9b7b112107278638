/** Decides whether views may be read now: they are valid only while the strategy decides. */

/** Thrown at a strategy that kept a view and read it after its call. */
export class ViewClosed extends Error {
  override readonly name = 'ViewClosed';

  constructor() {
    super(
      'A view was read outside the call of decide it was given to. Views show the present only: ' +
        'keep market.snapshot(), or the numbers you need, instead.',
    );
  }
}

const CLOSED = -1;

/** Starts closed. Views of all realms read its fields: what they call is of their own realm. */
export class ViewGate {
  /**
   * The version of what views show, counted from 1; CLOSED while no strategy is being called. Nothing changes within a version, so
   * views may cache what they read. A view whose cached version equals this one need not call `checkOpen`.
   */
  version = CLOSED;
  #last = 0;
  /** Index of the strategy that is being called, or was last. */
  strategy = 0;

  /** Opens the gate for a strategy, with a new version: what views show may have changed. */
  open(strategy = 0): void {
    this.#last += 1;
    this.openAgain(strategy);
  }

  /** Opens the gate with the same version, for another strategy. */
  openAgain(strategy: number): void {
    this.strategy = strategy;
    this.version = this.#last;
  }

  close(): void {
    this.version = CLOSED;
  }
}

/** One load and one branch, so that it is always made. @throws ViewClosed */
export function checkOpen(gate: ViewGate): void {
  if (gate.version === CLOSED) throw new ViewClosed();
}
