/** What a trial sets in the configuration of a sweep. */

/** One value for each key of the space. Keys are paths of the configuration, such as `strategies[0].params.stake` or `latency.requestMs`. */
export type Assignment = Readonly<Record<string, AssignedValue>>;
export type AssignedValue = string | number | boolean;
