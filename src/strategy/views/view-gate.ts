/** Whether views may be read now: they are valid only while the strategy decides. */

/** A view was kept and read after its call: the strategy's mistake, so it is thrown at the strategy. */
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

/** Starts closed. A check is one load and one branch, so it is always on. */
export class ViewGate {
  /** Of the call at hand; CLOSED outside. */
  #open = CLOSED;
  #moment = 0;

  /**
   * Counts the moments, from one: within one nothing changes, so that views may remember what they read. It is no moment while the
   * gate is closed: who finds the moment that he knows need not check besides.
   */
  get moment(): number {
    return this.#open;
  }

  /** Of a new moment. */
  open(): void {
    this.#moment += 1;
    this.#open = this.#moment;
  }

  /** Of the same moment, for another strategy. */
  openAgain(): void {
    this.#open = this.#moment;
  }

  close(): void {
    this.#open = CLOSED;
  }

  check(): void {
    if (this.#open === CLOSED) throw new ViewClosed();
  }
}
