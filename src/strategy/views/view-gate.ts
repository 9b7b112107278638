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

/** Starts closed. A check costs one load and one branch, so it is always made. */
export class ViewGate {
  /** The version while a strategy is being called; CLOSED otherwise. */
  #open = CLOSED;
  #version = 0;
  /** Index of the strategy that is being called, or was last. */
  strategy = 0;

  /**
   * The version of what views show, counted from 1; -1 while the gate is closed. Nothing changes within a version, so
   * views may cache what they read. A view whose cached version equals this one need not call `check`.
   */
  get version(): number {
    return this.#open;
  }

  /** Opens the gate for a strategy, with a new version: what views show may have changed. */
  open(strategy = 0): void {
    this.#version += 1;
    this.openAgain(strategy);
  }

  /** Opens the gate with the same version, for another strategy. */
  openAgain(strategy: number): void {
    this.strategy = strategy;
    this.#open = this.#version;
  }

  close(): void {
    this.#open = CLOSED;
  }

  check(): void {
    if (this.#open === CLOSED) throw new ViewClosed();
  }
}
