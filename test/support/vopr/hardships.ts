/** Kinds of trouble that a life can be spared, so that one of them can be looked at alone. */

export const HARDSHIPS = [
  /** Pages of a gateway in place of the exchange's answers. */
  'pages',
  /** Answers that are seconds old when they come. */
  'slow',
  /** Halts that meet cancellations without effect and markets that open again. */
  'halting',
  /** Lists that say falsely that orders have ended. */
  'falseEndings',
  /** Strategies that misbehave. */
  'guests',
  /** Machines that sleep while an operator speaks to the bot. */
  'pauses',
  /** Messages of the stream that are late, lost, doubled, out of order or unreadable. */
  'stream',
  /** One feed that is dark for long, in each way, while markets go in play. */
  'dark',
  /** One market that cannot be read by a process that finds orders of an earlier one in it. */
  'oddMarket',
  /** One of two wallets that cannot be read. */
  'oddWallet',
  /** Another run of the same app, with a wallet of its own. */
  'sisters',
] as const;
export type Hardship = (typeof HARDSHIPS)[number];

const on = new Set<Hardship>(HARDSHIPS);

export function isOn(hardship: Hardship): boolean {
  return on.has(hardship);
}

/** From now on there are these alone. Throws where a name is none. */
export function onlyHardships(names: readonly string[]): void {
  const known = HARDSHIPS.filter((each) => names.includes(each));
  if (known.length !== names.length) throw new Error(`hardships are ${HARDSHIPS.join(', ')}; got ${names.join(', ')}`);
  on.clear();
  for (const each of known) on.add(each);
}
