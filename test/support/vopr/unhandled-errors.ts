/** Errors that RxJS would throw from a timer of the platform, caught at once: simulated time knows no other. */

import { config } from 'rxjs';
import { timeoutProvider } from 'rxjs/internal/scheduler/timeoutProvider';

/** While `work` runs, what an observer throws is passed to `tell`. */
export function withErrorsTold<T>(tell: (error: unknown) => void, work: () => T): T {
  const before = { delegate: timeoutProvider.delegate, onUnhandledError: config.onUnhandledError };
  timeoutProvider.delegate = {
    setTimeout: ((task: () => void) => task()) as typeof setTimeout,
    clearTimeout: () => undefined,
  };
  config.onUnhandledError = tell;
  try {
    return work();
  } finally {
    timeoutProvider.delegate = before.delegate;
    config.onUnhandledError = before.onUnhandledError;
  }
}
