/** The names under which a run's orders are known to the exchange, and back. */

const NUMBER = /^[1-9]\d{0,15}$/;

export class References {
  readonly #start: string;

  constructor(prefix: string) {
    this.#start = `${prefix}-`;
  }

  of(client: number): string {
    return `${this.#start}${client}`;
  }

  /** Undefined for an order that this run did not place. */
  clientOf(reference: string | undefined): number | undefined {
    if (reference === undefined || !reference.startsWith(this.#start)) return undefined;
    const number = reference.slice(this.#start.length);
    return NUMBER.test(number) && Number.isSafeInteger(Number(number)) ? Number(number) : undefined;
  }
}
