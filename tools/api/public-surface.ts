/** What the package's entries export, read by the compiler as an editor reads it: names, types and docstrings. */

import ts from 'typescript';
import {
  classMembers,
  type Member,
  membersOf,
  membersOfType,
  type Variant,
  variantsOf,
  writtenFields,
} from './members.ts';
import { callText, type Text, type TypeTexts } from './type-text.ts';

/** One exported name. Docs are as a hover shows them. */
export interface Declared {
  readonly kind: 'function' | 'class' | 'constant' | 'type';
  readonly name: string;
  /** The page that describes it, which is another one where two entries export it. */
  readonly page: string;
  readonly docs: string;
  readonly examples: readonly Example[];
  readonly throws: string;
  /** file:line of the declaration. */
  readonly where: string;
  /** What follows the name: parameters and result of a function, the type of a constant, the meaning of an alias. */
  readonly text: Text;
  /** Exported types whose members it has as well. */
  readonly extended: Text;
  readonly members: readonly Member[];
  /** Objects of which a union consists. */
  readonly variants: readonly Variant[];
  /** Words of a closed set, or keys of a catalogue, with their meanings where they have one. */
  readonly words: readonly { readonly word: string; readonly meaning: string }[];
}

export interface Example {
  readonly code: string;
  readonly where: string;
}

/** Reads the exports of one module. Names that it shares with another entry are described there. */
export function publicSurface(texts: TypeTexts, module: ts.Symbol): readonly Declared[] {
  const { checker } = texts;
  return checker.getExportsOfModule(module).map((exported) => {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    const [declaration] = symbol.declarations ?? [];
    if (declaration === undefined) throw new Error(`${exported.name} is declared nowhere`);
    return {
      ...emptyOf(texts, symbol, exported.name, declaration),
      ...detailsOf(texts, symbol, declaration, exported),
    };
  });
}

type Details = Partial<Declared> & Pick<Declared, 'kind'>;

function emptyOf(texts: TypeTexts, symbol: ts.Symbol, name: string, declaration: ts.Declaration): Declared {
  const tags = symbol.getJsDocTags(texts.checker);
  const where = texts.whereOf(declaration);
  const tagged = (wanted: string) =>
    tags.filter((tag) => tag.name === wanted).map(({ text }) => ts.displayPartsToString(text).trim());
  return {
    kind: 'type',
    name,
    page: texts.pageOf(symbol),
    docs: isOfFile(declaration) ? '' : texts.docsOf(symbol),
    examples: tagged('example').map((code) => ({ code, where })),
    throws: tagged('throws').join('; '),
    where,
    text: [],
    extended: [],
    members: [],
    variants: [],
    words: [],
  };
}

/** Whether what stands before a declaration is the sentence that says what its file is for. */
function isOfFile(declaration: ts.Declaration): boolean {
  const statement = ts.isVariableDeclaration(declaration) ? declaration.parent.parent : declaration;
  const source = declaration.getSourceFile();
  const [first] = ts.getLeadingCommentRanges(source.text, 0) ?? [];
  const own = ts.getLeadingCommentRanges(source.text, statement.pos) ?? [];
  return first !== undefined && own.length > 0 && own.at(-1)?.pos === first.pos;
}

function detailsOf(texts: TypeTexts, symbol: ts.Symbol, declaration: ts.Declaration, exported: ts.Symbol): Details {
  if (ts.isFunctionDeclaration(declaration)) return { kind: 'function', text: callText(texts, declaration) };
  if (ts.isClassDeclaration(declaration)) {
    // Of a class that is exported as a type alone nobody makes objects.
    const kind = exported.declarations?.some(ts.isTypeOnlyExportDeclaration) === true ? 'type' : 'class';
    const members = kind === 'class' ? classMembers(texts, symbol, declaration) : membersOf(texts, symbol);
    return { kind, members, extended: texts.heritageOf(declaration) };
  }
  if (ts.isInterfaceDeclaration(declaration)) {
    const members = membersOf(texts, symbol);
    return { kind: 'type', members, extended: texts.heritageOf(declaration), text: parametersOf(texts, declaration) };
  }
  if (ts.isTypeAliasDeclaration(declaration)) return aliasDetails(texts, symbol, declaration);
  if (ts.isVariableDeclaration(declaration)) return constantDetails(texts, symbol, declaration);
  throw new Error(`${symbol.name} is of a kind that the reference does not know`);
}

function parametersOf(texts: TypeTexts, { typeParameters }: ts.InterfaceDeclaration | ts.TypeAliasDeclaration): Text {
  return typeParameters === undefined ? [] : texts.listOf('<', typeParameters, '>');
}

function aliasDetails(texts: TypeTexts, symbol: ts.Symbol, declaration: ts.TypeAliasDeclaration): Details {
  const { type } = declaration;
  const kind = 'type';
  // Money, prices and times are numbers that are not mixed up.
  if (ts.isIntersectionTypeNode(type) && type.types[0]?.kind === ts.SyntaxKind.NumberKeyword)
    return { kind, text: [' = number'] };
  const words = wordsOf(texts, symbol, type);
  if (words.length > 0) return { kind, words };
  if (ts.isTypeLiteralNode(type))
    return { kind, members: membersOf(texts, symbol), text: parametersOf(texts, declaration) };
  if (ts.isUnionTypeNode(type) && type.types.some(ts.isTypeLiteralNode)) {
    return { kind, variants: variantsOf(texts, type), text: parametersOf(texts, declaration) };
  }
  const parameters = parametersOf(texts, declaration);
  const text = [...parameters, ' = ', ...texts.ofNode(type)];
  // Where it is made from what is not exported, its members say more than its making.
  if (declaration.typeParameters === undefined && !texts.isNamed(type)) {
    const members = texts.checker.getDeclaredTypeOfSymbol(symbol).isUnion() ? [] : membersOf(texts, symbol);
    return members.length > 0 ? { kind, members } : { kind };
  }
  // Of what is worked out from inner types, the fields that are written out.
  if (!texts.isNamed(type)) return { kind, text: parameters, members: writtenFields(texts, type) };
  return { kind, text };
}

/** The words of a union of texts, in the order of their list; with meanings where they are the keys of a catalogue. */
function wordsOf({ checker }: TypeTexts, symbol: ts.Symbol, node: ts.TypeNode): Declared['words'] {
  const declared = checker.getDeclaredTypeOfSymbol(symbol);
  const parts = declared.isUnion() ? declared.types : [declared];
  if (!parts.every((part) => part.isStringLiteral())) return [];
  if (ts.isTypeOperatorNode(node)) {
    const catalogue = checker.getTypeFromTypeNode(node.type);
    return checker
      .getPropertiesOfType(catalogue)
      .map(({ name }) => ({ word: name, meaning: literalOf(checker, catalogue, name) }));
  }
  const listed = inOrder(checker, node);
  const words = listed.length > 0 ? listed : parts.map((part) => (part as ts.StringLiteralType).value).sort();
  return words.map((word) => ({ word, meaning: '' }));
}

function inOrder(checker: ts.TypeChecker, node: ts.TypeNode): readonly string[] {
  const types = ts.isUnionTypeNode(node)
    ? node.types.map((part) => checker.getTypeFromTypeNode(part))
    : ts.isIndexedAccessTypeNode(node)
      ? checker.getTypeArguments(checker.getTypeFromTypeNode(node.objectType) as ts.TypeReference)
      : [checker.getTypeFromTypeNode(node)];
  return types.flatMap((type) => (type.isStringLiteral() ? [type.value] : []));
}

function constantDetails(texts: TypeTexts, symbol: ts.Symbol, declaration: ts.VariableDeclaration): Details {
  const { checker } = texts;
  const type = checker.getTypeOfSymbol(symbol);
  const kind = 'constant';
  if (checker.isTupleType(type)) {
    const words = checker.getTypeArguments(type as ts.TypeReference).map((part) => part as ts.StringLiteralType);
    return { kind, words: words.map(({ value }) => ({ word: value, meaning: '' })) };
  }
  const isWrittenOut = declaration.type === undefined || ts.isTypeLiteralNode(declaration.type);
  if (!isWrittenOut && texts.isNamed(declaration.type)) {
    return { kind, text: [': ', ...texts.ofNode(declaration.type)], words: valuesOf(declaration) };
  }
  const words = checker
    .getPropertiesOfType(type)
    .map(({ name }) => ({ word: name, meaning: literalOf(checker, type, name) }));
  if (words.every(({ meaning }) => meaning !== '')) return { kind, words };
  return { kind, members: membersOfType(texts, type) };
}

/** The values that a constant of a named type gives to the fields of that type, as they are written; none in a declaration file. */
function valuesOf({ initializer }: ts.VariableDeclaration): Declared['words'] {
  if (initializer === undefined || !ts.isObjectLiteralExpression(initializer)) return [];
  return initializer.properties
    .filter(ts.isPropertyAssignment)
    .filter(({ initializer: value }) => /^[\d_ *]+$/.test(value.getText()))
    .map(({ name, initializer: value }) => ({ word: name.getText(), meaning: `\`${value.getText()}\`` }));
}

function literalOf(checker: ts.TypeChecker, of: ts.Type, name: string): string {
  const property = checker.getPropertyOfType(of, name);
  const type = property === undefined ? undefined : checker.getTypeOfSymbol(property);
  return type?.isStringLiteral() === true ? type.value : '';
}
