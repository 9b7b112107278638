/** Our shapes have the fields, the mandatory ones, the words and the codes of Betfair's own interface descriptions. */

import type { TSchema } from '@sinclair/typebox';
import { expect, test } from 'vitest';
import { EXCEPTIONS } from '../../../src/betfair/wire/exceptions.ts';
import { type Api, OPERATIONS } from '../../../src/betfair/wire/operations.ts';
import { MarketChangeMessage } from '../../../src/betfair/wire/stream/market-change.ts';
import { ConnectionMessage, StatusMessage } from '../../../src/betfair/wire/stream/messages.ts';
import { OrderChangeMessage } from '../../../src/betfair/wire/stream/order-change.ts';
import type { SchemaNode } from '../../../src/codec/schema-node.ts';
import { betfairApiFile, describeWithRecordings } from '../../support/shared.ts';

const APIS: readonly Api[] = ['SportsAPING', 'AccountAPING', 'HeartbeatAPING'];

/** Fields that are answered and documented, and in no description. */
const BEYOND: Readonly<Record<string, readonly string[]>> = {
  MarketBook: ['betDelayModels', 'priceLadderDefinition'],
  CurrentOrderSummary: ['lapsedDate', 'lapseStatusReasonCode', 'cancelledDate', 'currentItemDescription'],
  MarketFilter: [],
};
/** Fields of the descriptions that no client reads or writes. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = { StatementItem: ['legacyData'] };
/** Misspelt in the description. */
const RESPELT: Readonly<Record<string, string>> = { iPlace: 'ifPlace' };
/** Required by the descriptions, but absent from real answers. */
const NOT_ALWAYS: Readonly<Record<string, readonly string[]>> = { KeyLineDescription: ['keyLine'] };

const IDS = 'a text or a number, in the fields that hold it';
const GROUP_LIMITS = 'limits of a group of markets: the gateway has limits of its own';
const VENDORS = 'for programs that are sold to others, and for their users';
/** Operations and types of the descriptions that we neither read nor write, with the reason: a new one must be named here, or be read. */
const REFUSED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  SportsAPING: {
    [IDS]:
      'MarketType Venue MarketId SelectionId Handicap EventId EventTypeId CountryCode ExchangeId CompetitionId Price Size BetId MatchId CustomerOrderRef CustomerStrategyRef'.split(
        ' ',
      ),
    'no operation has it': ['MarketState', 'MarketRates', 'MarketLicence'],
    [GROUP_LIMITS]:
      'ExposureLimitsForMarketGroups MarketGroup MarketGroupId LimitBreachAction MarketGroupExposureLimit ExposureLimit MarketGroupType LimitBreachActionType setDefaultExposureLimitForMarketGroups setExposureLimitForMarketGroup removeDefaultExposureLimitForMarketGroups removeExposureLimitForMarketGroup listExposureLimitsForMarketGroups unblockMarketGroup getExposureReuseEnabledEvents addExposureReuseEnabledEvents removeExposureReuseEnabledEvents'.split(
        ' ',
      ),
  },
  AccountAPING: {
    [IDS]: ['IncludeItem', 'ItemClass'],
    [VENDORS]:
      'ApplicationSubscription SubscriptionHistory AccountSubscription SubscriptionTokenInfo AuthorisationResponse SubscriptionOptions VendorAccessTokenInfo VendorDetails AffiliateRelation SubscriptionStatus Status GrantType TokenType AffiliateRelationStatus getVendorClientId getApplicationSubscriptionToken activateApplicationSubscription cancelApplicationSubscription listApplicationSubscriptionTokens listAccountSubscriptionTokens getApplicationSubscriptionHistory getAuthorisationCode token getVendorDetails revokeAccessToWebApp listAuthorizedWebApps isAccountSubscribedToWebApp getAffiliateRelation'.split(
        ' ',
      ),
    'keys of an application are made on the site, once':
      'DeveloperApp DeveloperAppVersion createDeveloperAppKeys getDeveloperAppKeys'.split(' '),
    'there is one wallet': ['TransferResponse', 'transferFunds'],
    'a field that no client reads': ['StatementLegacyData'],
  },
  HeartbeatAPING: {},
  stream: {
    'what messages have in common': ['RequestMessage', 'ResponseMessage'],
    'requests are ours: the readers of requests and the clients that we did not write try them':
      'AuthenticationMessage HeartbeatMessage MarketDataFilter MarketFilter MarketSubscriptionMessage OrderFilter OrderSubscriptionMessage'.split(
        ' ',
      ),
    'examples of the others': ['AllRequestTypesExample', 'AllResponseTypesExample'],
  },
};

interface Field {
  readonly name: string;
  readonly mandatory: boolean;
}

function fieldsIn(block: string): readonly Field[] {
  return [...block.matchAll(/<parameter\s([^>]*)>/g)].map(([, attributes = '']) => {
    const name = /name="(\w+)"/.exec(attributes)?.[1] ?? '';
    return { name: RESPELT[name] ?? name, mandatory: /mandatory="true"/.test(attributes) };
  });
}

function blocksIn(xml: string, tag: string): readonly (readonly [name: string, block: string])[] {
  const pattern = new RegExp(`<${tag} name="(\\w+)"[^>]*>([\\s\\S]*?)</${tag}>`, 'g');
  return [...xml.matchAll(pattern)].map(([, name = '', block = '']) => [name, block]);
}

/** All named shapes below a schema, by title. */
function shapesIn(node: SchemaNode, into = new Map<string, SchemaNode>()): Map<string, SchemaNode> {
  if (node.title !== undefined && !into.has(node.title)) into.set(node.title, node);
  const below = [...Object.values(node.properties ?? {}), ...Object.values(node.patternProperties ?? {})];
  for (const each of node.items === undefined ? below : [...below, node.items]) shapesIn(each, into);
  return into;
}

function allShapes(api: Api): Map<string, SchemaNode> {
  const shapes = new Map<string, SchemaNode>();
  for (const operation of Object.values(OPERATIONS)) {
    if (operation.api !== api) continue;
    for (const schema of [operation.params, operation.result] as readonly TSchema[]) shapesIn(schema, shapes);
  }
  return shapes;
}

function streamShapes(): Map<string, SchemaNode> {
  const shapes = new Map<string, SchemaNode>();
  for (const schema of [ConnectionMessage, StatusMessage, MarketChangeMessage, OrderChangeMessage] as TSchema[])
    shapesIn(schema, shapes);
  return shapes;
}

function without(names: readonly string[], others: readonly string[] = []): readonly string[] {
  return names.filter((name) => !others.includes(name)).sort();
}

describeWithRecordings("Betfair's interface descriptions", () => {
  test.each(APIS)('%s: the fields of each document', (api) => {
    const shapes = allShapes(api);
    const compared: string[] = [];
    for (const [name, block] of blocksIn(betfairApiFile('interface', `${api}.xml`), 'dataType')) {
      const shape = shapes.get(name);
      if (shape === undefined) continue;
      compared.push(name);
      const fields = fieldsIn(block);
      const names = without(
        fields.map(({ name }) => name),
        LEFT_OUT[name],
      );
      expect(without(Object.keys(shape.properties ?? {}), BEYOND[name]), name).toEqual(names);
      const mandatory = fields.filter((field) => field.mandatory).map((field) => field.name);
      expect(without(shape.required ?? [], BEYOND[name]), name).toEqual(without(mandatory, NOT_ALWAYS[name]));
    }
    expect(compared.length).toBeGreaterThanOrEqual(api === 'SportsAPING' ? 50 : api === 'AccountAPING' ? 5 : 1);
  });

  test.each(APIS)('%s: the parameters of each operation', (api) => {
    const described = new Map(blocksIn(betfairApiFile('interface', `${api}.xml`), 'operation'));
    for (const [name, operation] of Object.entries(OPERATIONS)) {
      if (operation.api !== api) continue;
      const block = described.get(name);
      expect(block, name).toBeDefined();
      const fields = fieldsIn(/<request[^/]*?>([\s\S]*?)<\/request>/.exec(block ?? '')?.[1] ?? '');
      const params: TSchema = operation.params;
      const given: SchemaNode = params;
      const beyond = name === 'listCurrentOrders' ? ['includeItemDescription'] : [];
      expect(without(Object.keys(given.properties ?? {}), beyond), name).toEqual(
        without(fields.map((each) => each.name)),
      );
      const mandatory = fields.filter((each) => each.mandatory).map((each) => each.name);
      expect(without(given.required ?? []), name).toEqual(without(mandatory));
    }
  });

  test.each(APIS)('%s: the words of each list', (api) => {
    const shapes = allShapes(api);
    let compared = 0;
    for (const [name, block] of blocksIn(betfairApiFile('interface', `${api}.xml`), 'simpleType')) {
      const ours = shapes.get(name)?.enum;
      const theirs = [...block.matchAll(/<value [^>]*?name="(\w+)"/g)].map(([, word = '']) => word);
      if (ours === undefined || theirs.length === 0) continue;
      compared += 1;
      // HIDDEN is the stream's, INVALID_PROFIT_RATIO in no description.
      expect(without(ours, ['HIDDEN', 'INVALID_PROFIT_RATIO']), name).toEqual(without(theirs));
    }
    expect(compared).toBeGreaterThanOrEqual(api === 'SportsAPING' ? 24 : 1);
  });

  test.each(APIS)('%s: the codes of its exceptions, in their order', (api) => {
    const block = /<exceptionType [^>]*prefix="(\w+)"[\s\S]*?<\/exceptionType>/.exec(
      betfairApiFile('interface', `${api}.xml`),
    );
    expect(EXCEPTIONS[api].prefix).toBe(block?.[1]);
    const codes = [...(block?.[0] ?? '').matchAll(/<value id="\d+" name="(\w+)"/g)].map(([, code]) => code);
    expect(EXCEPTIONS[api].codes).toEqual(codes);
  });

  test.each(APIS)('%s: each operation and each type is read, or is refused with a reason', (api) => {
    const xml = betfairApiFile('interface', `${api}.xml`);
    const shapes = allShapes(api);
    const named = ['dataType', 'simpleType', 'operation'].flatMap((tag) =>
      [...xml.matchAll(new RegExp(`<${tag} name="(\\w+)"`, 'g'))].map(([, name = '']) => name),
    );
    const unread = named.filter((name) => !shapes.has(name) && !Object.hasOwn(OPERATIONS, name));
    expect(without(unread)).toEqual(without(Object.values(REFUSED[api] ?? {}).flat()));
  });

  test('the stream: each type is read, or is refused with a reason', () => {
    const { definitions } = JSON.parse(betfairApiFile('interface', 'ESASwaggerSchema.json'));
    const shapes = streamShapes();
    const unread = Object.keys(definitions).filter((name) => !shapes.has(name));
    expect(without(unread)).toEqual(without(Object.values(REFUSED['stream'] ?? {}).flat()));
  });

  test("the stream's messages", () => {
    const { definitions } = JSON.parse(betfairApiFile('interface', 'ESASwaggerSchema.json'));
    const shapes = streamShapes();
    let compared = 0;
    for (const [name, shape] of shapes) {
      const definition = definitions[name];
      if (definition === undefined) continue;
      compared += 1;
      const parts = [definition, ...(definition.allOf ?? [])];
      const fields = parts.flatMap(({ properties = {} }) => Object.keys(properties));
      const envelope = name.endsWith('Message') && name !== 'ConnectionMessage' ? ['op', 'id'] : ['op'];
      const expected = 'allOf' in definition ? [...fields, ...envelope] : fields;
      expect(without(Object.keys(shape.properties ?? {}), ['betDelayModels']), name).toEqual(without(expected));
    }
    expect(compared).toBeGreaterThanOrEqual(14);
  });
});
