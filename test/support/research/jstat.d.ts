/** The part of jstat (which ships no types) that judges distributions in tests. */

declare module 'jstat' {
  interface Normal {
    cdf(x: number, mean: number, deviation: number): number;
    inv(p: number, mean: number, deviation: number): number;
  }
  const jstat: { readonly normal: Normal };
  export default jstat;
}
