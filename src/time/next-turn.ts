/** Waits for the next turn of the event loop. */

/** Resolves when all that waits now (signals, timers, messages, what has arrived) had its turn. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
