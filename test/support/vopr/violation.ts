/** A law that was broken, by its name, and how. */

export class Violation extends Error {
  override readonly name = 'Violation';
  readonly law: string;

  constructor(law: string, what: string) {
    super(`${law}: ${what}`);
    this.law = law;
  }
}
