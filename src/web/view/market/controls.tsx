/** The buttons that play a market, with the keys that do the same. */

import { type Direction, type Player, SPEEDS } from '../play/player.ts';

interface ControlParts {
  readonly player: Player;
  readonly act: (change: (player: Player) => void) => void;
  readonly onRefresh: (() => void) | undefined;
}

/** Outlines in a square of 16. */
const ICONS = {
  ownBack: 'M4 3v10M13 3 6 8l7 5zM1.5 8a1 1 0 1 0 .1 0z',
  ownNext: 'M12 3v10M3 3l7 5-7 5zM14.5 8a1 1 0 1 0 .1 0z',
  stepBack: 'M11 3 4 8l7 5z',
  stepNext: 'M5 3l7 5-7 5z',
  back: 'M13 2 3 8l10 6z',
  pause: 'M4 2h3v12H4zM9 2h3v12H9z',
  play: 'M3 2l10 6-10 6z',
} as const;

export function Controls({ player, act, onRefresh }: ControlParts) {
  return (
    <div class="controls">
      <Buttons player={player} act={act} />
      <fieldset class="switch speeds" aria-label="Speed">
        {SPEEDS.map((speed) => (
          <button
            key={speed}
            type="button"
            aria-pressed={player.speed === speed ? 'true' : 'false'}
            title={`${speed === 'each' ? 'One update after another, eight a second' : `${speed} times as fast as it was`} (+ −)`}
            onClick={() => act((each) => each.setSpeed(speed))}
          >
            {speed === 'each' ? 'each' : `×${speed}`}
            {speed === 'each' && <span> update</span>}
          </button>
        ))}
      </fieldset>
      {onRefresh !== undefined && (
        <button type="button" class="quiet" title="Reads what the run recorded and did since" onClick={onRefresh}>
          Read on
        </button>
      )}
    </div>
  );
}

function Buttons({ player, act }: Omit<ControlParts, 'onRefresh'>) {
  const { direction } = player;
  const step = (by: 1 | -1) => () => act((each) => each.stepOnce(by));
  const own = (by: 1 | -1) => ({
    isOff: player.ownInstant(by) === undefined,
    onClick: () => act((each) => each.stepOwn(by)),
  });
  const play = (towards: Direction) => ({
    isBig: true,
    isOn: direction === towards,
    onClick: () => act((each) => each.play(towards)),
  });
  return (
    <div class="buttons">
      <Button icon="ownBack" title="To the previous own event (Shift ←)" {...own(-1)}>
        own
      </Button>
      <Button icon="stepBack" title="To the previous update (←)" onClick={step(-1)}>
        update
      </Button>
      <Button icon="back" title="Play backward (Shift Space)" {...play(-1)} />
      <Button icon="pause" title="Pause (Space)" {...play(0)} />
      <Button icon="play" title="Play forward (Space)" {...play(1)} />
      <Button icon="stepNext" title="To the next update (→)" isLast onClick={step(1)}>
        update
      </Button>
      <Button icon="ownNext" title="To the next own event (Shift →)" isLast {...own(1)}>
        own
      </Button>
    </div>
  );
}

interface ButtonParts {
  readonly icon: keyof typeof ICONS;
  readonly title: string;
  readonly onClick: () => void;
  readonly children?: string;
  readonly isOn?: boolean;
  readonly isOff?: boolean;
  readonly isBig?: boolean;
  /** Its icon stands after the word. */
  readonly isLast?: boolean;
}

function Button({ icon, title, onClick, children, isOn, isOff = false, isBig = false, isLast = false }: ButtonParts) {
  return (
    <button
      type="button"
      class={`control ${isBig ? 'big' : ''} ${isLast ? 'turned' : ''}`}
      title={title}
      aria-label={title}
      aria-pressed={isOn === undefined ? undefined : isOn ? 'true' : 'false'}
      disabled={isOff}
      onClick={onClick}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <path d={ICONS[icon]} />
      </svg>
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}
