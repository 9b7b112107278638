/** One live market on one tape: its updates from the first, which is a whole picture, on, and its description. */

import { DEFINITION } from '../segment/update.ts';
import { UpdateBuffer } from '../segment/update-buffer.ts';
import type { MarketDescription, TapeGap } from '../tape/tape-schema.ts';
import { winnerCount } from './market-definition.ts';
import type { MarketEncoder } from './market-encoder.ts';
import type { RecordingWriter } from './recording-writer.ts';

/** The origin of recorded markets. */
export interface RecordedSource {
  /** Address of the exchange, without credentials. */
  readonly address: string;
  readonly knowsTrades: boolean;
}

/** Writes a market's updates through a `RecordingWriter`. */
export class MarketRecording {
  /** The market's index on its tape. */
  readonly position: number;
  readonly #encoder: MarketEncoder;
  readonly #source: RecordedSource;
  readonly #writer: RecordingWriter;
  readonly #gaps: TapeGap[] = [];
  readonly #losses: Record<string, number> = {};
  /** The index of the tape's first definition among the encoder's; undefined before the first update. */
  #firstDefinition: number | undefined;

  constructor(parts: {
    readonly encoder: MarketEncoder;
    readonly writer: RecordingWriter;
    readonly source: RecordedSource;
  }) {
    this.#encoder = parts.encoder;
    this.#writer = parts.writer;
    this.#source = parts.source;
    this.position = parts.writer.startMarket(() => this.#describe());
  }

  /**
   * Writes an update. Every tape stands for itself, so the first update on it says everything that is known by then.
   */
  write(update: UpdateBuffer): void {
    for (const [what, times] of Object.entries(this.#encoder.drainLosses()))
      this.#losses[what] = (this.#losses[what] ?? 0) + times;
    if (this.#firstDefinition === undefined) return this.#writeFirst(update);
    this.#append(update, this.#firstDefinition);
  }

  /** What lasts is one gap, however often it is noted. */
  missed(gap: TapeGap): void {
    const last = this.#gaps.at(-1);
    const goesOn = last !== undefined && last.why === gap.why && gap.from <= last.to;
    if (goesOn) this.#gaps[this.#gaps.length - 1] = { ...last, to: gap.to };
    else this.#gaps.push(gap);
    this.#writer.redescribe(this.position);
  }

  #writeFirst(update: UpdateBuffer): void {
    const picture = new UpdateBuffer();
    this.#encoder.picture(update, picture);
    this.#firstDefinition = this.#encoder.definitions.length - 1;
    this.#append(picture, this.#firstDefinition);
  }

  /** Appends an update. If it has a definition, that comes first, and is renumbered for this tape. */
  #append(update: UpdateBuffer, firstDefinition: number): void {
    const number = update.amount[0] ?? 0;
    const definition =
      update.count > 0 && update.kind[0] === DEFINITION ? this.#encoder.definitions[number] : undefined;
    if (definition === undefined) return this.#writer.appendUpdate(this.position, update);
    const numberOnTape = this.#writer.addDefinition(this.position, definition);
    update.amount[0] = numberOnTape;
    this.#writer.appendUpdate(this.position, update);
    update.amount[0] = firstDefinition + numberOnTape;
  }

  #describe(): MarketDescription {
    const { address, knowsTrades } = this.#source;
    const { book } = this.#encoder;
    return {
      facts: book.facts,
      bettingType: 'ODDS',
      grade: knowsTrades ? 'A' : 'A-',
      winnerCount: winnerCount(book),
      ...(book.minimumStake && { minimumStake: book.minimumStake }),
      ...(Object.keys(this.#losses).length === 0 ? {} : { losses: { ...this.#losses } }),
      ...(this.#gaps.length === 0 ? {} : { gaps: [...this.#gaps] }),
      source: { file: address, sha256: '' },
    };
  }
}
