/** The standard normal distribution, exact to about 15 digits also in the tails. */

import { assert } from '../../core/checks/assert.ts';

/** Coefficients of W. J. Cody, "Rational Chebyshev approximations for the error function" (1969), for Φ. */
const NEAR_TOP = [0.06568233791820745, 2.2352520354606837, 161.02823106855587, 1067.6894854603709, 18154.98125334356];
const NEAR_BOTTOM = [1, 47.202581904688245, 976.0985517377767, 10260.932208618979, 45507.78933502673];
const MIDDLE_TOP = [
  1.0765576773720192e-8, 0.39894151208813466, 8.883149794388377, 93.50665613217785, 597.2702763948002,
  2494.5375852903726, 6848.190450536283, 11602.65143764735, 9842.714838383978,
];
const MIDDLE_BOTTOM = [
  1, 22.266688044328117, 235.387901782625, 1519.3775994075547, 6485.558298266761, 18615.571640885097, 34900.95272114598,
  38912.00328609327, 19685.429676859992,
];
const FAR_TOP = [
  0.023073441764940174, 0.215898534057957, 0.12740116116024736, 0.022235277870649807, 0.0014216191932278934,
  0.000029112874951168793,
];
const FAR_BOTTOM = [
  1, 1.284260096144911, 0.4682382124808651, 0.06598813786892856, 0.0037823963320275824, 0.00007297515550839662,
];
const ROOT_OF_TWO_PI_UNDER_ONE = 0.3989422804014327;

/** The chance that a standard normal figure is at most z. */
export function normalCdf(z: number): number {
  const size = Math.abs(z);
  if (size <= 0.67448975) {
    const square = size > 1e-16 ? z * z : 0;
    return 0.5 + (z * polynomial(NEAR_TOP, square)) / polynomial(NEAR_BOTTOM, square);
  }
  const tail = upperTail(size);
  return z < 0 ? tail : 1 - tail;
}

/** The chance that a standard normal figure is above z: without the loss of digits of 1 − Φ(z). */
export function normalAbove(z: number): number {
  return normalCdf(-z);
}

function upperTail(size: number): number {
  if (size > 38.5) return 0;
  // exp(−z²/2) in two factors, the first of which is exact: Cody's way to keep all digits.
  const head = Math.trunc(size * 16) / 16;
  const weight = Math.exp(-head * head * 0.5) * Math.exp(-(size - head) * (size + head) * 0.5);
  if (size <= Math.sqrt(32)) return (weight * polynomial(MIDDLE_TOP, size)) / polynomial(MIDDLE_BOTTOM, size);
  const inverse = 1 / (size * size);
  // The far coefficients are given in powers of 1/z², the highest first.
  const part = (inverse * polynomial(FAR_TOP, inverse)) / polynomial(FAR_BOTTOM, inverse);
  return (weight * (ROOT_OF_TWO_PI_UNDER_ONE - part)) / size;
}

/** Coefficients of M. J. Wichura, "Algorithm AS 241: the percentage points of the normal distribution" (1988), highest power first. */
const CENTRE_TOP = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513,
  133.14166789178438, 3.3871328727963665,
];
const CENTRE_BOTTOM = [
  5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579,
  42.31333070160091, 1,
];
const TAIL_TOP = [
  0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
  5.769497221460691, 4.630337846156546, 1.4234371107496835,
];
const TAIL_BOTTOM = [
  1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
  1.6763848301838038, 2.053191626637759, 1,
];
const END_TOP = [
  2.0103343992922881e-7, 0.000027115555687434876, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487,
  1.7848265399172913, 5.463784911164114, 6.657904643501103,
];
const END_BOTTOM = [
  2.0442631033899397e-15, 1.421511758316446e-7, 0.000018463183175100548, 0.0007868691311456133, 0.014875361290850615,
  0.1369298809227358, 0.599832206555888, 1,
];

/** The z with Φ(z) = p, for p between 0 and 1; −∞ and ∞ at the ends. */
export function normalQuantile(p: number): number {
  assert(p >= 0 && p <= 1, `a quantile is asked for a chance from 0 to 1, got ${p}`);
  const off = p - 0.5;
  if (Math.abs(off) <= 0.425) {
    const rest = 0.180625 - off * off;
    return (off * polynomial(CENTRE_TOP, rest)) / polynomial(CENTRE_BOTTOM, rest);
  }
  const tail = off < 0 ? p : 1 - p;
  if (tail === 0) return off < 0 ? -Infinity : Infinity;
  const root = Math.sqrt(-Math.log(tail));
  const size =
    root <= 5
      ? polynomial(TAIL_TOP, root - 1.6) / polynomial(TAIL_BOTTOM, root - 1.6)
      : polynomial(END_TOP, root - 5) / polynomial(END_BOTTOM, root - 5);
  return off < 0 ? -size : size;
}

/** Horner's rule, with the coefficient of the highest power first. */
function polynomial(coefficients: readonly number[], x: number): number {
  let value = 0;
  for (const coefficient of coefficients) value = value * x + coefficient;
  return value;
}
