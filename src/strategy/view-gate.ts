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

/** Starts closed. A check is one load and one branch, so it is always on. */
export class ViewGate {
  #isOpen = false;
  #moment = 0;

  /** Counts the moments: within one nothing changes, so that views may remember what they read. */
  get moment(): number {
    return this.#moment;
  }

  /** Of a new moment. */
  open(): void {
    this.#moment += 1;
    this.#isOpen = true;
  }

  /** Of the same moment, for another strategy. */
  openAgain(): void {
    this.#isOpen = true;
  }

  close(): void {
    this.#isOpen = false;
  }

  check(): void {
    if (!this.#isOpen) throw new ViewClosed();
  }
}
