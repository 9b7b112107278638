/** Turns one market's source changes into tape updates: the state that an importer keeps per market. */

import { outcomeIdOf } from '../../../betfair/wire/basics/runners.ts';
import type { SourceDefinition, SourceRunner } from '../../../betfair/wire/mcm/source-definition.ts';
import {
  ATB,
  ATL,
  BATB,
  BATL,
  type StagedMessage,
  startingPriceOf,
  TRD,
} from '../../../betfair/wire/mcm/staged-message.ts';
import type { Grade } from '../../../core/market.ts';
import type { Instant } from '../../../core/number/units.ts';
import { RECONCILED } from '../../segment/update.ts';
import { UpdateBuffer } from '../../segment/update-buffer.ts';
import type { RecordedStatus } from '../../tape/definition.ts';
import type { MarketKey, MarketWriter } from '../../tape/market-packer.ts';
import { IMPORT_VERSION, type MarketDescription, type TapeSource } from '../../tape/tape-schema.ts';
import { factsOf, recordedDefinition, sourceFactsOf, winnerCountOf } from '../message/definition.ts';
import { ODDS_SCALE, OwnPrices } from '../message/price-scale.ts';
import { WindowDepth } from './best-window.ts';
import { LadderBook } from './ladder-book.ts';
import { Losses } from './losses.ts';
import { type MarketParts, OutcomeImport } from './outcome-import.ts';
import { TradeRises } from './trade-rises.ts';

/** Call `change` for each source change in order, then `describe` at the end. */
export class MarketImport {
  readonly id: string;
  readonly key: MarketKey;
  readonly #writer: MarketWriter;
  readonly #update = new UpdateBuffer();
  readonly #book = new LadderBook();
  readonly #losses = new Losses();
  readonly #depth = new WindowDepth();
  readonly #outcomes = new Map<number | string, OutcomeImport>();
  readonly #order: OutcomeImport[] = [];
  /** The outcome of each runner change of the current message, and those outcomes without repetition. */
  readonly #subjects: OutcomeImport[] = [];
  readonly #spoken: OutcomeImport[] = [];
  #parts: MarketParts = { book: this.#book, scale: ODDS_SCALE, losses: this.#losses, depth: this.#depth };
  #rises = new TradeRises(this.#parts);
  #first: SourceDefinition | undefined;
  #latest: SourceDefinition | undefined;
  #definition = '';
  #status: RecordedStatus = 'Initializing';
  #ladder: 'none' | 'best' | 'full' = 'none';
  #hasVolume = false;
  #listed = false;
  #late = false;
  #reconciledAt = -1;
  updates = 0;
  lastAt = 0;

  constructor(id: string, writer: MarketWriter) {
    this.id = id;
    this.#writer = writer;
    this.key = writer.startMarket();
  }

  /** Why the market cannot be finished; undefined where it can be. */
  get unusable(): string | undefined {
    if (this.#first === undefined) return 'no definition in any of its updates';
    if (this.#late) return `its prices begin before the definition that says it is ${this.#first.bettingType}`;
    return undefined;
  }

  /** Adds one source change as one update. Its publish time must not be before the last one's. */
  change(message: StagedMessage, change: number): void {
    const publishedAt = message.publishedAt as Instant;
    const source = message.definitions[change];
    const isImage = message.images[change] === true;
    const wasOpen = this.#latest?.status === 'OPEN';
    this.#update.start(publishedAt);
    this.#book.start();
    if (source !== undefined && this.#first === undefined) this.#begin(source);
    this.#speak(message, change);
    if (source !== undefined) this.#define(source, publishedAt);
    if (isImage) this.#clear();
    this.#rises.start();
    if (message.anyHas(change, TRD)) {
      this.#volumes(message, change);
      this.#trades({ picture: isImage || this.updates === 0, isOpen: this.#isOpen(wasOpen), publishedAt });
    }
    this.#levels(message, change);
    this.#rises.emit(this.#update, this.#isOpen(wasOpen));
    this.#book.emit(this.#update);
    this.#prices(message, change);
    for (const runner of source?.runners ?? []) {
      if (runner.bsp === undefined) continue;
      const outcome = this.#outcomeOf(runner.id, runner.hc ?? 0);
      outcome.startingPrice(RECONCILED, startingPriceOf(runner.bsp), this.#update);
    }
    this.#writer.appendUpdate(this.key, this.#update);
    this.updates += 1;
    this.lastAt = publishedAt;
  }

  /** The market's description. Call it only where `unusable` is undefined. */
  describe(source: TapeSource): MarketDescription {
    const first = this.#first as SourceDefinition;
    const latest = this.#latest as SourceDefinition;
    const refusal = this.#refusal(first, latest);
    const { prices } = this.#parts.scale;
    const { revaluations } = this.#rises;
    return {
      facts: factsOf(this.id, { first, latest }, this.#order),
      bettingType: this.bettingType,
      grade: this.#grade(),
      ...(this.#ladder === 'best' ? { depth: this.#depth.levels } : {}),
      winnerCount: winnerCountOf(latest),
      ...(refusal === undefined ? {} : { refusal }),
      ...(prices === undefined ? {} : { prices }),
      ...(revaluations === undefined ? {} : { revaluations }),
      ...(this.#losses.isEmpty ? {} : { losses: this.#losses.counts }),
      source,
      sourceFacts: sourceFactsOf(latest),
      importVersion: IMPORT_VERSION,
    };
  }

  get bettingType(): string {
    return this.#first?.bettingType ?? 'ODDS';
  }

  #grade(): Grade {
    if (this.#ladder === 'full') return this.#hasVolume ? 'A' : 'A-';
    if (this.#ladder === 'best') return this.#hasVolume ? 'B' : 'B-';
    return 'C';
  }

  #refusal(first: SourceDefinition, latest: SourceDefinition): string | undefined {
    const type = first.marketType === 'EACH_WAY' ? first.marketType : this.bettingType;
    if (type !== 'ODDS') return `${type}: no plain odds market; the odds simulator cannot settle it`;
    if (!this.#listed) return 'NO_RUNNERS: its definition lists no runners, so that nothing can be settled';
    if (winnerCountOf(latest) === 0 && this.#status !== 'Settled')
      return 'NO_WINNER_COUNT: how many outcomes win is open, and the recording does not end with a result';
    return undefined;
  }

  /**
   * Sets the market up by its first definition, which says which scale its prices have; until then the ladder is
   * assumed.
   */
  #begin(source: SourceDefinition): void {
    this.#first = source;
    if (this.bettingType === 'ODDS') return;
    this.#late = this.updates > 0;
    if (this.#late) return;
    this.#parts = { ...this.#parts, scale: new OwnPrices() };
    this.#rises = new TradeRises(this.#parts);
  }

  #speak(message: StagedMessage, change: number): void {
    const { runnerIds, handicaps } = message;
    const from = message.runnersFrom[change] as number;
    const count = (message.runnersTo[change] as number) - from;
    this.#spoken.length = 0;
    for (let i = 0; i < count; i += 1) {
      const outcome = this.#outcomeOf(runnerIds[from + i] as number, handicaps[from + i] as number);
      this.#subjects[i] = outcome;
      if (outcome.spokenIn === this.updates) continue;
      outcome.spokenIn = this.updates;
      this.#spoken.push(outcome);
    }
  }

  #outcomeOf(id: number, hc: number): OutcomeImport {
    const key = hc === 0 ? id : outcomeIdOf({ selectionId: id, handicap: hc });
    const known = this.#outcomes.get(key);
    if (known !== undefined) return known;
    const outcome = new OutcomeImport(outcomeIdOf({ selectionId: id, handicap: hc }), this.#order.length, this.#parts);
    this.#outcomes.set(key, outcome);
    this.#order.push(outcome);
    return outcome;
  }

  #define(source: SourceDefinition, publishedAt: Instant): void {
    if (source.bspReconciled === true && this.#latest?.bspReconciled !== true) this.#reconciledAt = publishedAt;
    // When a market turns in play, Betfair cancels orders that are not to be kept; for a level out of sight this is not
    // published, so it is dropped.
    if (source.inPlay === true && this.#latest?.inPlay !== true) this.#forgetUnshown();
    this.#latest = source;
    const runners = new Map<string, SourceRunner>();
    for (const runner of source.runners ?? []) {
      runners.set(this.#outcomeOf(runner.id, runner.hc ?? 0).id, runner);
      this.#listed = true;
    }
    for (const outcome of this.#order) outcome.define(runners.get(outcome.id));
    const definition = recordedDefinition(source, this.#order, runners);
    this.#status = definition.status;
    const text = JSON.stringify(definition);
    if (text === this.#definition) return;
    this.#definition = text;
    this.#update.definition(this.#writer.addDefinition(this.key, definition));
  }

  #clear(): void {
    this.#book.clear();
    for (const outcome of this.#order) outcome.clear();
  }

  #volumes(message: StagedMessage, change: number): void {
    this.#hasVolume = true;
    for (const outcome of this.#spoken) outcome.startVolumes();
    const from = message.runnersFrom[change] as number;
    const to = message.runnersTo[change] as number;
    for (let runner = from; runner < to; runner += 1) this.#subjects[runner - from]?.volumes(message, runner);
  }

  /** Collects rises that may be trades. Which of them are is decided once all of the message's levels are known. */
  #trades(message: { readonly picture: boolean; readonly isOpen: boolean; readonly publishedAt: Instant }): void {
    if (message.picture) {
      if (this.updates > 0) for (const outcome of this.#spoken) this.#losses.add('risesInImages', outcome.volume.rises);
      return;
    }
    if (!message.isOpen && !this.#isReconciling(message.publishedAt)) return;
    for (const outcome of this.#spoken) {
      if (!outcome.volume.isTrading(!message.isOpen)) continue;
      this.#losses.add('tradesOffLadder', outcome.volume.tradesOffLadder);
      this.#rises.addRises(outcome);
    }
  }

  /** Whether the market may have traded in this message: one that was open before it may have traded until it. */
  #isOpen(wasOpen: boolean): boolean {
    return wasOpen || this.#latest === undefined || this.#latest.status === 'OPEN';
  }

  /**
   * Whether starting-price bets are being matched: that happens in the suspension before the start, and their volume
   * comes before the definition that says so, or at its time. Volume that comes later (revaluation before settlement)
   * is no trading.
   */
  #isReconciling(publishedAt: Instant): boolean {
    const latest = this.#latest;
    if (latest?.status !== 'SUSPENDED' || latest.bspMarket !== true || latest.inPlay === true) return false;
    return latest.bspReconciled !== true || this.#reconciledAt === publishedAt;
  }

  #levels(message: StagedMessage, change: number): void {
    const from = message.runnersFrom[change] as number;
    const to = message.runnersTo[change] as number;
    if (message.anyHas(change, ATB) || message.anyHas(change, ATL)) this.#turnFull();
    if (this.#ladder === 'full') {
      for (let runner = from; runner < to; runner += 1) this.#subjects[runner - from]?.fullLevels(message, runner);
      return;
    }
    if (!message.anyHas(change, BATB) && !message.anyHas(change, BATL)) return;
    this.#ladder = 'best';
    let isDeeper = false;
    for (let runner = from; runner < to; runner += 1) {
      if (this.#subjects[runner - from]?.bestLevels(message, runner) === true) isDeeper = true;
    }
    // While windows were taken for less deep than they are, none of them was full, so what was remembered then cannot
    // be trusted.
    if (isDeeper) this.#forgetUnshown();
    for (const outcome of this.#spoken) outcome.settle();
  }

  #prices(message: StagedMessage, change: number): void {
    const { lastPrices, nears, fars } = message;
    const from = message.runnersFrom[change] as number;
    const to = message.runnersTo[change] as number;
    for (let runner = from; runner < to; runner += 1) {
      this.#subjects[runner - from]?.lastPrice(lastPrices[runner] as number, this.#update);
    }
    for (let runner = from; runner < to; runner += 1) {
      this.#subjects[runner - from]?.startingPrices(nears[runner] as number, fars[runner] as number, this.#update);
    }
  }

  #forgetUnshown(): void {
    for (const outcome of this.#order) outcome.forgetUnshown();
  }

  /** Switches to full ladders: from then on the best-few ladders are ignored, and what they had shown is dropped. */
  #turnFull(): void {
    if (this.#ladder === 'best') {
      this.#book.clear();
      for (const outcome of this.#order) outcome.clearWindows();
    }
    this.#ladder = 'full';
  }
}
