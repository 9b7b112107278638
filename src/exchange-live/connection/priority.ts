/** The priorities of requests when the request budget is short. */

/** From the highest to the lowest. */
export const PRIORITIES = ['cancel', 'heartbeat', 'order', 'poll'] as const;
/** Who goes first where the request budget is short, from the highest to the lowest. */
export type Priority = (typeof PRIORITIES)[number];
