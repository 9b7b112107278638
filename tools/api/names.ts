/** Types by the names that their authors wrote, where TypeDoc reads them from the compiler, which has lost the names. */

import {
  type Application,
  Comment,
  type Context,
  Converter,
  type IntersectionType,
  LiteralType,
  makeRecursiveVisitor,
  ReflectionFlag,
  ReflectionKind,
  type SomeType,
  UnionType,
} from 'typedoc';
import ts from 'typescript';
import { isTag } from './model.ts';

export function keepWrittenNames({ converter }: Application): void {
  converter.on(Converter.EVENT_CREATE_DECLARATION, (context, made) => {
    const [declaration] = context.getSymbolFromReflection(made)?.declarations ?? [];
    if (declaration === undefined) return;
    const values = ts.isVariableDeclaration(declaration) ? numbersOf(declaration) : '';
    if (values !== '') made.defaultValue = values;
    if (made.flags.isStatic) made.name = `${made.parent?.name}.${made.name}`;
    if (made.kind === ReflectionKind.Method) made.name = made.name.replace(/^\[(\w+)\]$/, '[Symbol.$1]');
    if (isTag(made)) made.comment ??= new Comment([{ kind: 'text', text: 'Tells it from what else may stand there.' }]);
    if (!ts.isPropertySignature(declaration) && !ts.isPropertyDeclaration(declaration)) return;
    nameType(context.withScope(made), made, declaration.type);
    if (made.flags.isOptional && made.type !== undefined) made.type = withoutUndefined(made.type);
  });
  converter.on(Converter.EVENT_CREATE_SIGNATURE, (context, made, declaration) => {
    if (declaration === undefined || ts.isJSDocSignature(declaration)) return;
    if (made.kind === ReflectionKind.GetSignature && made.comment !== undefined) made.parent.comment = made.comment;
    const inner = context.withScope(made);
    nameType(inner, made, declaration.type);
    for (const [at, parameter] of (made.parameters ?? []).entries()) {
      if (parameter.name === '__namedParameters') parameter.name = 'options';
      if (parameter.defaultValue !== undefined) parameter.setFlag(ReflectionFlag.Optional);
      nameType(inner.withScope(parameter), parameter, declaration.parameters[at]?.type);
    }
    for (const [at, parameter] of (made.typeParameters ?? []).entries())
      nameType(inner.withScope(parameter), parameter, declaration.typeParameters?.[at]?.constraint);
  });
  converter.on(Converter.EVENT_RESOLVE_BEGIN, (context) => {
    context.setActiveProgram(context.programs[0]);
    for (const alias of context.project.getReflectionsByKind(ReflectionKind.TypeAlias)) {
      if (!alias.isDeclaration() || alias.type === undefined) continue;
      if (alias.type.type === 'intersection') alias.type = withoutBrand(alias.type);
      if (isNamed(alias.type)) continue;
      alias.type = unionOf(wordsOf(context, context.getSymbolFromReflection(alias))) ?? alias.type;
    }
    for (const constant of context.project.getReflectionsByKind(ReflectionKind.Variable)) {
      if (!constant.isDeclaration() || constant.type?.type !== 'reflection') continue;
      const keys = constant.type.declaration.children ?? [];
      const words = keys.map(({ name, type }) => ({
        word: name,
        meaning: type?.type === 'literal' ? String(type.value) : '',
      }));
      if (words.every(({ meaning }) => meaning !== '')) constant.type = unionOf(words) ?? constant.type;
    }
  });
}

function unionOf(words: readonly Word[]): SomeType | undefined {
  if (words.length === 0) return undefined;
  const union = new UnionType(words.map(({ word }) => new LiteralType(word)));
  if (words.some(({ meaning }) => meaning !== ''))
    union.elementSummaries = words.map(({ meaning }) => [{ kind: 'text', text: meaning }]);
  return union;
}

/** Not where the type holds an object or a function, whose members TypeDoc has made already. */
function nameType(context: Context, of: { type?: SomeType }, node: ts.TypeNode | undefined): void {
  if (node !== undefined && !hasMembers(node)) of.type = context.converter.convertType(context, node);
}

/** The values of a constant that is an object of numbers, as they are written. */
function numbersOf({ initializer }: ts.VariableDeclaration): string {
  if (initializer === undefined || !ts.isObjectLiteralExpression(initializer)) return '';
  const lines = initializer.properties.map((line) => line.getText());
  return lines.every((line) => /^\w+: [\d_ *]+$/.test(line)) ? lines.map((line) => `${line},`).join('\n') : '';
}

function hasMembers(node: ts.Node): boolean {
  return ts.isTypeLiteralNode(node) || ts.isFunctionTypeNode(node) || ts.forEachChild(node, hasMembers) === true;
}

function withoutUndefined(type: SomeType): SomeType {
  if (type.type !== 'union') return type;
  const types = type.types.filter((part) => part.type !== 'intrinsic' || part.name !== 'undefined');
  const [first] = types;
  return first !== undefined && types.length === 1 ? first : new UnionType(types);
}

/** Whether all of the package that a type names is exported. */
export function isNamed(type: SomeType): boolean {
  let isAll = true;
  type.visit(
    makeRecursiveVisitor({
      reference: (named) => {
        isAll &&=
          named.reflection !== undefined ||
          named.refersToTypeParameter ||
          named.isIntentionallyBroken() ||
          named.package !== 'oddsmith';
      },
    }),
  );
  return isAll;
}

/** A number with a name, whose brand only the compiler sees. */
function withoutBrand(type: IntersectionType): SomeType {
  const types = type.types.filter((part) => {
    const fields = part.type === 'reflection' ? (part.declaration.children ?? []) : [];
    return fields.length === 0 || !fields.every(({ name }) => name.startsWith('['));
  });
  const [first] = types;
  return first !== undefined && types.length === 1 ? first : type;
}

interface Word {
  readonly word: string;
  readonly meaning: string;
}

/**
 * The words of which a type that is worked out consists, as they stand in their list or catalogue; none where it is anything else.
 * A row of a catalogue is what the word means, or has it as `means`.
 */
function wordsOf({ checker }: Context, symbol: ts.Symbol | undefined): readonly Word[] {
  const [declaration] = symbol?.declarations ?? [];
  if (declaration === undefined || !ts.isTypeAliasDeclaration(declaration)) return [];
  const node = declaration.type;
  const all = textsOf(checker.getTypeFromTypeNode(node)).toSorted();
  const from = ts.isIndexedAccessTypeNode(node) ? node.objectType : ts.isTypeOperatorNode(node) ? node.type : undefined;
  if (from === undefined) return all.map((word) => ({ word, meaning: '' }));
  const listed = checker.getPropertiesOfType(checker.getTypeFromTypeNode(from)).map((property) => {
    const row = checker.getTypeOfSymbol(property);
    const means = row.getProperty('means');
    const [text = ''] = textsOf(means === undefined ? row : checker.getTypeOfSymbol(means));
    return ts.isTypeOperatorNode(node) ? { word: property.name, meaning: text } : { word: text, meaning: '' };
  });
  return listed.filter(({ word }) => all.includes(word));
}

function textsOf(type: ts.Type): readonly string[] {
  const parts = type.isUnion() ? type.types : [type];
  return parts.every((part) => part.isStringLiteral()) ? parts.map(({ value }) => value) : [];
}
