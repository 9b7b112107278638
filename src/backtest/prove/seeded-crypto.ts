/** Node's ways to draw chance, drawn from a generator that has a seed, so that a proof can tell chance from memory. */

/** Draws a number from 0 to 1, without 1. */
export type Draw = () => number;

/** Those functions by name, each made of numbers that are drawn. What calls back later is left as it is. */
export const SEEDED: Readonly<Record<string, (draw: Draw, args: readonly unknown[]) => unknown>> = {
  randomBytes: (draw, [size]) => filled(draw, Buffer.alloc(Number(size))),
  randomInt: (draw, [first, second]) => {
    const [min, max] = typeof second === 'number' ? [Number(first), second] : [0, Number(first)];
    return min + Math.floor(draw() * (max - min));
  },
  randomUUID: (draw): string => {
    const hex = filled(draw, Buffer.alloc(16)).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  },
  randomFillSync: (draw, [memory]) => filled(draw, memory),
};

function filled<T>(draw: Draw, memory: T): T {
  if (!ArrayBuffer.isView(memory)) throw new TypeError('Chance is filled into bytes.');
  const bytes = new Uint8Array(memory.buffer, memory.byteOffset, memory.byteLength);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Math.floor(draw() * 256);
  return memory;
}
