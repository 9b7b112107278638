/** The priorities of requests when the request budget is short. */

/** From the highest to the lowest. */
export const PRIORITIES = ['cancel', 'heartbeat', 'order', 'poll'] as const;
export type Priority = (typeof PRIORITIES)[number];
