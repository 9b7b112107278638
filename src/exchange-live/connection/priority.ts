/** The priorities of requests when the request budget is short. */

export const PRIORITIES = ['cancel', 'heartbeat', 'order', 'poll'] as const;
export type Priority = (typeof PRIORITIES)[number];
