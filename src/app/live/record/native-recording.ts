/** Records the native stream of an exchange while the process lives: writes twice a second, and reports faults. */

import { type Observable, Subscription, timer } from 'rxjs';
import type { NativeNews } from '../../../exchange/native-news.ts';
import { NativeRecorder, type NativeState } from '../../../recording/betfair/native/native-recorder.ts';
import type { Clock } from '../../../time/clock.ts';

export interface NativeRecordingParts {
  readonly directory: string;
  readonly news$: Observable<NativeNews>;
  readonly clock: Clock;
  readonly onWritten?: (state: NativeState) => void;
  /** Called with the failure of a write, after which nothing is recorded any more: a TapeFailure, or a bug of ours. */
  readonly onFault: (error: unknown) => void;
}

/** A quarter of the time that may be lost at a kill, so that a busy moment of the machine does not make it more. */
const WRITE_EVERY_MS = 250;

export class NativeRecording {
  readonly #recorder: NativeRecorder;
  readonly #work = new Subscription();

  /** @throws TapeFailure TAPE_NOT_WRITABLE */
  constructor({ directory, news$, clock, onWritten, onFault }: NativeRecordingParts) {
    const recorder = new NativeRecorder(directory);
    this.#recorder = recorder;
    const guarded = (work: () => void) => {
      try {
        work();
      } catch (error) {
        this.stop();
        onFault(error);
      }
    };
    this.#work.add(news$.subscribe({ next: (news) => guarded(() => recorder.take(news)), error: onFault }));
    const write = () => {
      recorder.flush();
      onWritten?.(recorder.state);
    };
    this.#work.add(timer(WRITE_EVERY_MS, WRITE_EVERY_MS, clock).subscribe(() => guarded(write)));
  }

  /** Records no more; what came since the last write is lost. */
  stop(): void {
    this.#work.unsubscribe();
  }

  /** Writes what came last. @throws TapeFailure TAPE_NOT_WRITABLE */
  finish(): NativeState {
    this.stop();
    return this.#recorder.finish('the recording was ended');
  }
}
