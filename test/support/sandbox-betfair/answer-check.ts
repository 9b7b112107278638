/**
 * Judges answers of the Betfair face by lists of its own: what clients cannot do without (betfairlightweight's required
 * arguments, the recorded answers), what may be there beside, and nothing else. It knows nothing of the wire's schemas.
 */

/**
 * The fields of each document: `name:type`, `name?:type` for one that may be absent. Types: s text, n number, i whole number,
 * b flag, d date, words joined by `|`, a document's name, and `[]` for a list.
 */
const DOCUMENTS = {
  EventType: 'id:s name:s',
  Competition: 'id:s name:s',
  Event: 'id:s name:s openDate:d timezone:s countryCode?:s venue?:s',
  EventTypeResult: 'eventType:EventType marketCount:i',
  CompetitionResult: 'competition:Competition marketCount:i competitionRegion:s',
  EventResult: 'event:Event marketCount:i',
  MarketTypeResult: 'marketType:s marketCount:i',
  CountryResult: 'countryCode:s marketCount:i',
  VenueResult: 'venue:s marketCount:i',
  TimeRange: 'from:d to:d',
  TimeRangeResult: 'timeRange:TimeRange marketCount:i',
  Ladder: 'type:CLASSIC|FINEST|LINE_RANGE',
  Description:
    'bettingType:s bspMarket:b marketTime:d suspendTime:d turnInPlayEnabled:b persistenceEnabled:b marketType:s ' +
    'marketBaseRate:n discountAllowed:b wallet:s regulator:s rules:s rulesHasDate:b priceLadderDescription:Ladder raceType?:s',
  RunnerCatalogue: 'selectionId:i runnerName:s handicap:n sortPriority:i metadata?:map',
  MarketCatalogue:
    'marketId:s marketName:s totalMatched:n marketStartTime?:d description?:Description runners?:RunnerCatalogue[] ' +
    'eventType?:EventType competition?:Competition event?:Event',
  PriceSize: 'price:n size:n',
  Exchange: 'availableToBack:PriceSize[] availableToLay:PriceSize[] tradedVolume:PriceSize[]',
  Starting: 'backStakeTaken:PriceSize[] layLiabilityTaken:PriceSize[] nearPrice?:n farPrice?:n actualSP?:n',
  RunnerOrder:
    'betId:s avgPriceMatched:n bspLiability:n orderType:LIMIT persistenceType:LAPSE|PERSIST price:n side:BACK|LAY ' +
    'sizeCancelled:n sizeLapsed:n sizeMatched:n sizeRemaining:n sizeVoided:n status:EXECUTABLE|EXECUTION_COMPLETE size:n ' +
    'placedDate:d customerStrategyRef?:s customerOrderRef?:s',
  Match: 'price:n side:BACK|LAY size:n betId?:s matchId?:s matchDate?:d',
  Runner:
    'selectionId:i status:ACTIVE|WINNER|LOSER|REMOVED handicap:n totalMatched:n adjustmentFactor?:n lastPriceTraded?:n ' +
    'ex?:Exchange sp?:Starting orders?:RunnerOrder[] matches?:Match[]',
  MarketBook:
    'marketId:s isMarketDataDelayed:b status:INACTIVE|OPEN|SUSPENDED|CLOSED betDelay:i bspReconciled:b complete:b inplay:b ' +
    'numberOfWinners:i numberOfRunners:i numberOfActiveRunners:i totalMatched:n totalAvailable:n crossMatching:b ' +
    'runnersVoidable:b version:i runners:Runner[] betDelayModels?:PASSIVE|DYNAMIC[]',
  Version: 'version:i',
  ItemVersion: 'marketVersion:Version',
  CurrentOrder:
    'betId:s averagePriceMatched:n bspLiability:n handicap:n marketId:s orderType:LIMIT persistenceType:LAPSE|PERSIST ' +
    'placedDate:d selectionId:i side:BACK|LAY sizeCancelled:n sizeLapsed:n sizeMatched:n sizeRemaining:n sizeVoided:n ' +
    'status:EXECUTABLE|EXECUTION_COMPLETE priceSize:PriceSize regulatorCode:s matchedDate?:d customerStrategyRef?:s ' +
    'customerOrderRef?:s lapsedDate?:d lapseStatusReasonCode?:s cancelledDate?:d currentItemDescription?:ItemVersion',
  CurrentOrders: 'currentOrders:CurrentOrder[] moreAvailable:b',
  Item: 'eventTypeDesc:s eventDesc?:s marketDesc?:s marketType?:s marketStartTime?:d runnerDesc?:s numberOfWinners?:i',
  ClearedOrder:
    'betCount:i settledDate:d eventTypeId?:s eventId?:s marketId?:s selectionId?:i handicap?:n betId?:s placedDate?:d ' +
    'persistenceType?:LAPSE|PERSIST orderType?:LIMIT side?:BACK|LAY betOutcome?:WON|LOST priceRequested?:n lastMatchedDate?:d ' +
    'commission?:n priceMatched?:n priceReduced?:b sizeSettled?:n profit?:n sizeCancelled?:n customerOrderRef?:s ' +
    'customerStrategyRef?:s itemDescription?:Item',
  ClearedOrders: 'clearedOrders:ClearedOrder[] moreAvailable:b',
  LimitOrder:
    'price:n size?:n persistenceType?:LAPSE|PERSIST|MARKET_ON_CLOSE timeInForce?:FILL_OR_KILL minFillSize?:n ' +
    'betTargetType?:s betTargetSize?:n',
  PlaceInstruction:
    'selectionId:i side:BACK|LAY orderType:LIMIT|LIMIT_ON_CLOSE|MARKET_ON_CLOSE handicap?:n limitOrder?:LimitOrder ' +
    'limitOnCloseOrder?:map marketOnCloseOrder?:map customerOrderRef?:s',
  CancelInstruction: 'betId:s sizeReduction?:n',
  UpdateInstruction: 'betId:s newPersistenceType:LAPSE|PERSIST|MARKET_ON_CLOSE',
  PlaceReport:
    'status:SUCCESS|FAILURE|TIMEOUT instruction:PlaceInstruction errorCode?:s orderStatus?:PENDING|EXECUTABLE|EXECUTION_COMPLETE|EXPIRED ' +
    'betId?:s placedDate?:d averagePriceMatched?:n sizeMatched?:n',
  CancelReport:
    'status:SUCCESS|FAILURE|TIMEOUT instruction:CancelInstruction sizeCancelled:n errorCode?:s cancelledDate?:d',
  ReplaceReport:
    'status:SUCCESS|FAILURE|TIMEOUT cancelInstructionReport:CancelReport errorCode?:s placeInstructionReport?:PlaceReport',
  UpdateReport: 'status:SUCCESS|FAILURE|TIMEOUT instruction:UpdateInstruction errorCode?:s',
  PlaceOrders: 'status:OVERALL marketId:s instructionReports:PlaceReport[] errorCode?:s customerRef?:s',
  CancelOrders: 'status:OVERALL marketId?:s instructionReports?:CancelReport[] errorCode?:s customerRef?:s',
  ReplaceOrders: 'status:OVERALL marketId:s instructionReports?:ReplaceReport[] errorCode?:s customerRef?:s',
  UpdateOrders: 'status:OVERALL marketId:s instructionReports?:UpdateReport[] errorCode?:s customerRef?:s',
  RunnerProfit: 'selectionId:i ifWin:n ifLose?:n',
  MarketProfit: 'marketId:s profitAndLosses:RunnerProfit[] commissionApplied?:n',
  Funds:
    'availableToBetBalance:n exposure:n retainedCommission:n exposureLimit:n discountRate:n pointsBalance:i wallet:s',
  Details:
    'currencyCode:s firstName:s lastName:s localeCode:s region:s timezone:s discountRate:n pointsBalance:i countryCode:s',
  Rate: 'currencyCode:s rate:n',
  Statement: 'accountStatement:map[] moreAvailable:b',
  Heartbeat: 'actionPerformed:NONE|ALL_BETS_CANCELLED actualTimeoutSeconds:i',
} as const;

/** The answer of each operation. */
const ANSWERS: Readonly<Record<string, string>> = {
  listEventTypes: 'EventTypeResult[]',
  listCompetitions: 'CompetitionResult[]',
  listTimeRanges: 'TimeRangeResult[]',
  listEvents: 'EventResult[]',
  listMarketTypes: 'MarketTypeResult[]',
  listCountries: 'CountryResult[]',
  listVenues: 'VenueResult[]',
  listMarketCatalogue: 'MarketCatalogue[]',
  listMarketBook: 'MarketBook[]',
  listRunnerBook: 'MarketBook[]',
  listCurrentOrders: 'CurrentOrders',
  listClearedOrders: 'ClearedOrders',
  placeOrders: 'PlaceOrders',
  cancelOrders: 'CancelOrders',
  replaceOrders: 'ReplaceOrders',
  updateOrders: 'UpdateOrders',
  listMarketProfitAndLoss: 'MarketProfit[]',
  getAccountFunds: 'Funds',
  getAccountDetails: 'Details',
  listCurrencyRates: 'Rate[]',
  getAccountStatement: 'Statement',
  heartbeat: 'Heartbeat',
};

const OVERALL = 'SUCCESS|FAILURE|PROCESSED_WITH_ERRORS|TIMEOUT';
const DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** What is wrong with an operation's answer, each with its place; empty where nothing is. */
export function answerFaults(operation: string, answer: unknown): readonly string[] {
  const type = ANSWERS[operation];
  return type === undefined ? [`${operation} has no list of fields`] : faultsOf(type, answer, operation);
}

function faultsOf(type: string, value: unknown, at: string): readonly string[] {
  if (type.endsWith('[]')) {
    if (!Array.isArray(value)) return [`${at} is no list`];
    return value.flatMap((each, index) => faultsOf(type.slice(0, -2), each, `${at}[${index}]`));
  }
  const fields = (DOCUMENTS as Readonly<Record<string, string>>)[type];
  if (fields !== undefined) return documentFaults(type, fields, value, at);
  if (type === 'OVERALL') return faultsOf(OVERALL, value, at);
  return isScalar(type, value) ? [] : [`${at} is no ${type}: ${JSON.stringify(value)}`];
}

function isScalar(type: string, value: unknown): boolean {
  if (type === 's') return typeof value === 'string';
  if (type === 'n') return typeof value === 'number' && Number.isFinite(value);
  if (type === 'i') return Number.isSafeInteger(value);
  if (type === 'b') return typeof value === 'boolean';
  if (type === 'd') return typeof value === 'string' && DATE.test(value);
  if (type === 'map') return typeof value === 'object' && value !== null;
  return type.split('|').includes(String(value));
}

function documentFaults(type: string, fields: string, value: unknown, at: string): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} is no ${type}`];
  const given: Readonly<Record<string, unknown>> = { ...value };
  const faults: string[] = [];
  const known = new Set<string>();
  for (const field of fields.split(' ')) {
    const [spelt = '', fieldType = ''] = field.split(':');
    const name = spelt.replace('?', '');
    known.add(name);
    if (given[name] !== undefined) faults.push(...faultsOf(fieldType, given[name], `${at}.${name}`));
    else if (!spelt.endsWith('?')) faults.push(`${at}.${name} is missing`);
  }
  for (const name of Object.keys(given)) if (!known.has(name)) faults.push(`${at}.${name} is in no list`);
  return [...faults, ...lawFaults(type, given, at)];
}

/** A bet's size is the sum of its parts, always. */
function lawFaults(type: string, given: Readonly<Record<string, unknown>>, at: string): readonly string[] {
  if (type !== 'CurrentOrder' && type !== 'RunnerOrder') return [];
  const { priceSize, size } = given as { readonly priceSize?: { readonly size: number }; readonly size?: number };
  const parts = ['sizeMatched', 'sizeRemaining', 'sizeLapsed', 'sizeCancelled', 'sizeVoided'].map(
    (name) => given[name],
  );
  const sum = parts.reduce((total: number, part) => total + Number(part), 0);
  return Math.abs(sum - (priceSize?.size ?? size ?? 0)) < 1e-6 ? [] : [`${at}: its parts sum up to ${sum}`];
}
