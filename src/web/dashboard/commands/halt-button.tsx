/** The button that halts trading from every page: pressed and held, by pointer or by key, and carried out once. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { Head, Welcome } from '../../../pages/panels.ts';
import { post, whyOf } from '../../parts/session.ts';
import { newKey } from './new-key.ts';

/** Long enough that nobody holds it by mistake. */
const HOLD_MS = 700;
/** Held anywhere on the page, but where one types. */
const KEY = 'h';

interface HaltParts {
  readonly halt: NonNullable<Head['halt']>;
  readonly welcome: Welcome;
}

type Asked = 'no' | 'sending' | 'heard';

export function HaltButton({ halt, welcome }: HaltParts) {
  const [asked, setAsked] = useState<Asked>('no');
  const [why, setWhy] = useState('');
  // Kept until an answer comes, so that holding it once more asks for the same halt.
  const key = useRef<string>(undefined);
  const isHalted = halt === 'halted';
  useEffect(() => {
    if (isHalted) setAsked('no');
  }, [isHalted]);
  const ask = async (): Promise<void> => {
    key.current ??= newKey();
    setAsked('sending');
    setWhy('');
    try {
      const response = await post(welcome, '/commands', { key: key.current, name: 'halt', word: 'halt' });
      key.current = undefined;
      if (response.ok) return setAsked('heard');
      setWhy(await whyOf(response));
    } catch {
      setWhy('No answer came: hold it again.');
    }
    setAsked('no');
  };
  const { isHeld, press, release } = useHold(() => void ask());
  const isOff = isHalted || asked !== 'no';
  useHeldKey(isOff ? undefined : press, release);
  const text = isHalted ? 'Halted' : asked === 'no' ? 'Hold to halt' : 'Halting …';
  return (
    <span class="halting">
      <button
        type="button"
        class={isHeld ? 'halt held' : 'halt'}
        style={{ '--hold': `${HOLD_MS}ms` }}
        disabled={isOff}
        title="Press and hold, or hold the key H: no new orders, and unmatched ones are cancelled"
        onPointerDown={({ button }) => button === 0 && press()}
        onPointerUp={release}
        onPointerLeave={release}
        onPointerCancel={release}
        onBlur={release}
        onContextMenu={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key !== ' ' && event.key !== 'Enter') return;
          event.preventDefault();
          press();
        }}
        onKeyUp={release}
      >
        <span>{text}</span>
      </button>
      {why !== '' && (
        <span class="word-bad" role="alert">
          {why}
        </span>
      )}
    </span>
  );
}

interface Hold {
  readonly isHeld: boolean;
  readonly press: () => void;
  readonly release: () => void;
}

/** Calls once what was held for long enough; a key that repeats while it is held presses once. */
function useHold(onHeld: () => void): Hold {
  const [isHeld, setHeld] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const release = (): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
    setHeld(false);
  };
  const press = (): void => {
    if (timer.current !== undefined) return;
    setHeld(true);
    timer.current = setTimeout(() => {
      setHeld(false);
      onHeld();
    }, HOLD_MS);
  };
  useEffect(() => release, []);
  return { isHeld, press, release };
}

function useHeldKey(press: (() => void) | undefined, release: () => void): void {
  useEffect(() => {
    const down = ({ key, target, ctrlKey, metaKey, altKey }: KeyboardEvent): void => {
      const isTyped = target instanceof Element && target.closest('input, select, textarea') !== null;
      if (key.toLowerCase() === KEY && !isTyped && !ctrlKey && !metaKey && !altKey) press?.();
    };
    const up = ({ key }: KeyboardEvent): void => {
      if (key.toLowerCase() === KEY) release();
    };
    addEventListener('keydown', down);
    addEventListener('keyup', up);
    addEventListener('blur', release);
    return () => {
      removeEventListener('keydown', down);
      removeEventListener('keyup', up);
      removeEventListener('blur', release);
    };
  });
}
