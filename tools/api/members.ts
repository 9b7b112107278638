/** The members of exported types, each with its type and its docstring. */

import ts from 'typescript';
import { callText, type Text, type TypeTexts, withoutUndefined } from './type-text.ts';

export interface Member {
  /** As it is used: `bestPrice()`, `price?`, `new RestClient()`. */
  readonly name: string;
  readonly text: Text;
  readonly docs: string;
  readonly examples: readonly string[];
  readonly throws: string;
  readonly where: string;
  /** A field that only tells the variants of a union apart. */
  readonly isTag: boolean;
  /** Fields of an object that is written out in its type. */
  readonly inner: readonly Member[];
}

/** One object of a union, with the comment that stands before it. */
export interface Variant {
  /** Value of the field that tells it from the others; its text where there is none. */
  readonly tag: string;
  readonly text: Text;
  readonly docs: string;
  readonly where: string;
  readonly members: readonly Member[];
}

/** Members that a type does not have from another exported type. */
export function membersOf(texts: TypeTexts, symbol: ts.Symbol): readonly Member[] {
  return texts.checker
    .getPropertiesOfType(texts.checker.getDeclaredTypeOfSymbol(symbol))
    .filter((property) => !texts.isElsewhere(property, symbol))
    .flatMap((property) => memberOf(texts, property));
}

export function membersOfType(texts: TypeTexts, type: ts.Type): readonly Member[] {
  return texts.checker.getPropertiesOfType(type).flatMap((property) => memberOf(texts, property));
}

/** How objects of a class are made, what belongs to the class itself, and the members of its objects. */
export function classMembers(texts: TypeTexts, symbol: ts.Symbol, declaration: ts.ClassDeclaration): readonly Member[] {
  const made = declaration.members.find(ts.isConstructorDeclaration);
  const isOpen = made !== undefined && !isHidden(made);
  const construction = isOpen ? [constructionOf(texts, symbol, made)] : [];
  const own = texts.checker
    .getPropertiesOfType(texts.checker.getTypeOfSymbol(symbol))
    .filter(({ name }) => name !== 'prototype')
    .flatMap((property) => memberOf(texts, property, `${symbol.name}.`));
  return [...construction, ...own, ...membersOf(texts, symbol)];
}

function constructionOf(texts: TypeTexts, symbol: ts.Symbol, made: ts.ConstructorDeclaration): Member {
  const signature = texts.checker.getSignatureFromDeclaration(made);
  return {
    name: `new ${symbol.name}()`,
    text: texts.listOf('(', made.parameters, ')'),
    docs: ts.displayPartsToString(signature?.getDocumentationComment(texts.checker)),
    ...tagsOf(signature?.getJsDocTags() ?? []),
    where: texts.whereOf(made),
    isTag: false,
    inner: [],
  };
}

function tagsOf(tags: readonly ts.JSDocTagInfo[]): Pick<Member, 'examples' | 'throws'> {
  const tagged = (wanted: string) =>
    tags.filter(({ name }) => name === wanted).map(({ text }) => ts.displayPartsToString(text).trim());
  return { examples: tagged('example'), throws: tagged('throws').join('; ') };
}

/** None for what is private, or declared by a library or by the language. */
function memberOf(texts: TypeTexts, property: ts.Symbol, before = ''): readonly Member[] {
  const [declaration] = property.declarations ?? [];
  if (declaration === undefined || isHidden(declaration) || texts.isForeign(declaration)) return [];
  const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0;
  const plain = property.name.startsWith('__@')
    ? `[Symbol.${property.name.slice(3).replace(/@.*/, '')}]`
    : property.name;
  if (/^\[Symbol\.\w+Brand\]$/.test(plain)) return [];
  const call = callOf(declaration);
  const text = call === undefined ? fieldText(texts, property, declaration, isOptional) : callText(texts, call);
  return [
    {
      name: `${before}${plain}${call === undefined ? '' : '()'}${isOptional ? '?' : ''}`,
      text,
      docs: texts.docsOf(property),
      ...tagsOf(property.getJsDocTags(texts.checker)),
      where: texts.whereOf(declaration),
      isTag: (plain === 'kind' || plain === 'mode') && /^'[\w-]+'$/.test(text.join('')),
      inner: innerOf(texts, declaration),
    },
  ];
}

function isHidden(declaration: ts.Declaration): boolean {
  const flags = ts.getCombinedModifierFlags(declaration);
  const name = ts.getNameOfDeclaration(declaration);
  if (name !== undefined && ts.isPrivateIdentifier(name)) return true;
  return (flags & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0;
}

function callOf(declaration: ts.Declaration): ts.SignatureDeclaration | undefined {
  return ts.isMethodSignature(declaration) || ts.isMethodDeclaration(declaration) ? declaration : undefined;
}

function fieldText(texts: TypeTexts, property: ts.Symbol, declaration: ts.Declaration, isOptional: boolean): Text {
  const node = typeNodeOf(declaration);
  const text = node === undefined ? texts.ofType(texts.checker.getTypeOfSymbol(property)) : texts.ofNode(node);
  return isOptional ? withoutUndefined(text) : text;
}

function typeNodeOf(declaration: ts.Declaration): ts.TypeNode | undefined {
  if (ts.isPropertySignature(declaration) || ts.isPropertyDeclaration(declaration)) return declaration.type;
  return ts.isGetAccessorDeclaration(declaration) ? declaration.type : undefined;
}

/** Fields of the objects that are written out in a declaration's type. */
function innerOf(texts: TypeTexts, declaration: ts.Declaration): readonly Member[] {
  const node = typeNodeOf(declaration);
  return node === undefined ? [] : writtenFields(texts, node);
}

export function writtenFields(texts: TypeTexts, node: ts.TypeNode): readonly Member[] {
  return literalsIn(node).flatMap((literal) => fieldsOf(texts, literal));
}

/** The outermost literals of objects in a type, but not those of functions' parameters. */
function literalsIn(node: ts.Node): readonly ts.TypeLiteralNode[] {
  if (ts.isTypeLiteralNode(node)) return [node];
  if (ts.isFunctionTypeNode(node)) return [];
  const found: ts.TypeLiteralNode[] = [];
  ts.forEachChild(node, (child) => void found.push(...literalsIn(child)));
  return found;
}

function fieldsOf(texts: TypeTexts, literal: ts.TypeLiteralNode): readonly Member[] {
  const type = texts.checker.getTypeFromTypeNode(literal);
  return texts.checker.getPropertiesOfType(type).flatMap((property) => memberOf(texts, property));
}

export function variantsOf(texts: TypeTexts, union: ts.UnionTypeNode): readonly Variant[] {
  let before = union.pos;
  return union.types.map((node) => {
    const docs = texts.commentAt(node, before);
    before = node.end;
    const members = ts.isTypeLiteralNode(node) ? fieldsOf(texts, node) : [];
    const tag =
      members
        .find(({ isTag }) => isTag)
        ?.text.join('')
        .slice(1, -1) ?? '';
    return { tag, text: texts.ofNode(node), docs, where: texts.whereOf(node), members };
  });
}
