/** Types as their authors wrote them, with links where they name what the package exports. */

import { relative } from 'node:path';
import ts from 'typescript';

/** A piece of a type's text: as it stands, or the name of an export. */
export type Piece = string | { readonly name: string; readonly page: string };
export type Text = readonly Piece[];

/** Reads types of one program. */
export class TypeTexts {
  readonly checker: ts.TypeChecker;
  readonly #root: string;
  /** Where each exported symbol is described. */
  readonly #places: ReadonlyMap<ts.Symbol, { readonly name: string; readonly page: string }>;

  constructor(
    program: ts.Program,
    {
      root,
      places,
    }: {
      readonly root: string;
      readonly places: ReadonlyMap<ts.Symbol, { readonly name: string; readonly page: string }>;
    },
  ) {
    this.checker = program.getTypeChecker();
    this.#root = root;
    this.#places = places;
  }

  docsOf(symbol: ts.Symbol): string {
    return ts.displayPartsToString(symbol.getDocumentationComment(this.checker)).trim();
  }

  pageOf(symbol: ts.Symbol): string {
    return this.#places.get(symbol)?.page ?? '';
  }

  whereOf(node: ts.Node): string {
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    return `${relative(this.#root, file.fileName)}:${line + 1}`;
  }

  isForeign(node: ts.Node): boolean {
    return node.getSourceFile().fileName.includes('/node_modules/typescript/') || this.#isOfLibrary(node);
  }

  #isOfLibrary(node: ts.Node): boolean {
    return relative(this.#root, node.getSourceFile().fileName).includes('node_modules/');
  }

  /** Whether a property is declared by another exported type, where it is described. */
  isElsewhere(property: ts.Symbol, symbol: ts.Symbol): boolean {
    const parent = property.declarations?.[0]?.parent as ts.Declaration | undefined;
    const owner = parent === undefined ? undefined : this.#symbolOf(parent);
    return owner !== undefined && owner !== symbol && this.#places.has(owner);
  }

  heritageOf({ heritageClauses = ts.factory.createNodeArray() }: ts.ClassDeclaration | ts.InterfaceDeclaration): Text {
    const bases = heritageClauses
      .filter(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
      .flatMap(({ types }) => [...types])
      .filter(
        (base) => this.#placeOf(base.expression) !== undefined || this.isForeign(this.#declarationOf(base) ?? base),
      );
    return bases.flatMap((base, at) => [...(at === 0 ? [] : [', ']), ...this.ofNode(base)]);
  }

  #declarationOf(base: ts.ExpressionWithTypeArguments): ts.Declaration | undefined {
    if (base.typeArguments !== undefined && /^(Pick|Omit|Partial)$/.test(base.expression.getText())) return undefined;
    return this.checker.getTypeAtLocation(base).symbol?.declarations?.[0];
  }

  /** Whether all that a type names is exported, or the language's or a library's own. */
  isNamed(node: ts.Node): boolean {
    if (ts.isIdentifier(node) && this.#placeOf(node) === undefined) {
      const declaration = this.checker.getSymbolAtLocation(node)?.declarations?.[0];
      if (declaration === undefined) return true;
      const own = ts.isImportSpecifier(declaration) ? this.#symbolOf(declaration)?.declarations?.[0] : declaration;
      const isParameter = own !== undefined && (ts.isTypeParameterDeclaration(own) || ts.isParameter(own));
      return own === undefined || isParameter || this.isForeign(own) || ts.isPropertySignature(own);
    }
    let isNamed = true;
    ts.forEachChild(node, (child) => {
      isNamed &&= this.isNamed(child);
    });
    return isNamed;
  }

  ofNode(node: ts.Node): Text {
    const pieces: Piece[] = [];
    const source = node.getSourceFile().text;
    let at = node.getStart();
    const visit = (child: ts.Node): void => {
      const place = ts.isIdentifier(child) ? this.#placeOf(child) : undefined;
      if (place !== undefined) {
        pieces.push(source.slice(at, child.getStart()), place);
        at = child.end;
      } else ts.forEachChild(child, visit);
    };
    visit(node);
    pieces.push(source.slice(at, node.end));
    return tidied(pieces);
  }

  ofType(type: ts.Type): Text {
    const flags = ts.TypeFormatFlags.NoTruncation | ts.TypeFormatFlags.UseSingleQuotesForStringLiteralType;
    return tidied([this.checker.typeToString(type, undefined, flags)]);
  }

  listOf(open: string, nodes: readonly ts.Node[], close: string): Text {
    const texts = nodes.map((node) => (ts.isParameter(node) ? this.#parameter(node) : this.ofNode(node)));
    return [open, ...texts.flatMap((text, at) => [...(at === 0 ? [] : [', ']), ...text]), close];
  }

  #parameter(node: ts.ParameterDeclaration): Text {
    const isOptional = node.initializer !== undefined || node.questionToken !== undefined;
    const type = node.type === undefined ? this.ofType(this.checker.getTypeAtLocation(node)) : this.ofNode(node.type);
    const name = ts.isIdentifier(node.name) ? node.name.text : 'options';
    return [`${name}${isOptional ? '?' : ''}: `, ...type];
  }

  /** The docstring that stands between `from` and a node; TypeScript itself reads none there. */
  commentAt(node: ts.Node, from: number): string {
    const { text } = node.getSourceFile();
    const comments = ts.getLeadingCommentRanges(text, from) ?? [];
    return comments
      .map(({ pos, end }) => text.slice(pos, end))
      .filter((comment) => comment.startsWith('/**'))
      .map((comment) =>
        comment
          .slice(3, -2)
          .replaceAll(/^\s*\* ?/gm, '')
          .trim(),
      )
      .join('\n\n');
  }

  #symbolOf(node: ts.Node): ts.Symbol | undefined {
    const name = ts.getNameOfDeclaration(node as ts.Declaration);
    const symbol = this.checker.getSymbolAtLocation(name ?? node);
    if (symbol === undefined) return undefined;
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  #placeOf(node: ts.Node): { readonly name: string; readonly page: string } | undefined {
    const symbol = this.#symbolOf(node);
    return symbol === undefined ? undefined : this.#places.get(symbol);
  }
}

/** Type parameters, parameters and result of a function. */
export function callText(texts: TypeTexts, { typeParameters, parameters, type }: ts.SignatureDeclaration): Text {
  const generic = typeParameters === undefined ? [] : texts.listOf('<', typeParameters, '>');
  const result = type === undefined ? [] : [': ', ...texts.ofNode(type)];
  return [...generic, ...texts.listOf('(', parameters, ')'), ...result];
}

/** All of the package is read-only, and its pages say so once. */
function tidied(pieces: readonly Piece[]): Text {
  const tidy = pieces.map((piece) =>
    typeof piece === 'string'
      ? piece
          .replaceAll(/\/\*\*[\s\S]*?\*\//g, ' ')
          .replaceAll(/\breadonly /g, '')
          .replaceAll(/\s+/g, ' ')
          .replaceAll(/; \}/g, ' }')
          .replaceAll(/([(=<]) ?\| /g, '$1')
      : piece,
  );
  return tidy.filter((piece) => piece !== '');
}

export function withoutUndefined(text: Text): Text {
  const last = text.at(-1);
  if (typeof last !== 'string' || !last.endsWith(' | undefined')) return text;
  return [...text.slice(0, -1), last.slice(0, -' | undefined'.length)];
}
