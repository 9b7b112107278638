/** The part of JSON Schema in which the API's shapes are written, as the codecs walk it. */

export interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly items?: SchemaNode;
  readonly minItems?: number;
  readonly maxItems?: number;
  /** Of a map: the shape of every value, by a pattern that takes all keys. */
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly anyOf?: readonly SchemaNode[];
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  /** A larger number is read as this one. */
  readonly 'x-clamp'?: number;
  /** A query's list that is given by repeating its name; other lists are joined by commas. */
  readonly 'x-repeats'?: boolean;
  /** What an absent value is read as. */
  readonly default?: unknown;
}

/** The JSON type; null beside it only says that null is read as absent, which every optional field allows. */
export function typeOf(node: SchemaNode): string {
  if (typeof node.type === 'string') return node.type;
  return node.type?.find((each) => each !== 'null') ?? 'none';
}

export function valueNodeOf(node: SchemaNode): SchemaNode | undefined {
  return node.patternProperties === undefined ? undefined : Object.values(node.patternProperties)[0];
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isAbsent(value: unknown): value is undefined | null {
  return value === undefined || value === null;
}

/** Of several shapes, the one that declares more of a value's keys; of equals, the first. */
export function shapeChooser(shapes: readonly SchemaNode[]): (value: Readonly<Record<string, unknown>>) => number {
  const keysByShape = shapes.map((shape) => new Set(Object.keys(shape.properties ?? {})));
  return (value) => {
    const keys = Object.keys(value);
    let nearest = 0;
    let most = -1;
    for (let shape = 0; shape < keysByShape.length; shape += 1) {
      const declared = countIn(keysByShape[shape], keys);
      // No other shape can declare more.
      if (declared === keys.length) return shape;
      if (declared > most) {
        most = declared;
        nearest = shape;
      }
    }
    return nearest;
  };
}

function countIn(known: ReadonlySet<string> | undefined, keys: readonly string[]): number {
  let count = 0;
  for (const key of keys) if (known?.has(key)) count += 1;
  return count;
}
