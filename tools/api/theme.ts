/** How TypeDoc writes a page of the reference: contents, then each export with what an editor shows of it. */

import {
  type CommentDisplayPart,
  type DeclarationReflection,
  type Options,
  type Reflection,
  ReflectionKind,
} from 'typedoc';
import { type MarkdownPageEvent, MarkdownTheme, MarkdownThemeContext } from 'typedoc-plugin-markdown';
import { columnsOf } from './columns.ts';
import { entryOf, SHARED } from './entry-list.ts';
import { commentOf, fieldsOf, hasVariants, isTag, membersOf } from './model.ts';
import { isNamed } from './names.ts';

const MADE =
  'This page is made from the docstrings (`npm run make:api`), which an editor shows as well. What oddsmith hands out can be read and not written: ' +
  '`readonly` is left out of the types. Unless a description says otherwise, prices are decimal odds, stakes the backer’s in decimal currency, and times ms UTC.';

export class PageTheme extends MarkdownTheme {
  override getRenderContext(page: MarkdownPageEvent<Reflection>): MarkdownThemeContext {
    return new PageContext(this, page, this.application.options);
  }
}

class PageContext extends MarkdownThemeContext {
  constructor(theme: PageTheme, page: MarkdownPageEvent<Reflection>, options: Options) {
    super(theme, page, options);
    const { someType } = this.partials;
    this.partials = {
      ...this.partials,
      someType: (type, how) =>
        type?.type === 'literal' && typeof type.value === 'string' ? `\`'${type.value}'\`` : someType(type, how),
      typeOperatorType: ({ operator, target }) =>
        `${operator === 'readonly' ? '' : `\`${operator}\` `}${this.partials.someType(target)}`,
    };
    this.helpers = { ...this.helpers, getFlattenedDeclarations: (members) => members.flatMap(withDescribedFields) };
    this.templates = { ...this.templates, reflection: ({ model }) => this.#page(model) };
  }

  #page(module: DeclarationReflection): string {
    const { title, about } = entryOf(module.name);
    const groups = (module.groups ?? []).map((group) => ({
      title: group.title,
      all: group.children.filter((child) => child.isDeclaration()),
    }));
    const links = groups.map((group) => `${group.title}: ${group.all.map((each) => this.#link(each)).join(' · ')}`);
    const sections = groups
      .filter((group) => group.title !== SHARED)
      .flatMap((group) => [`## ${group.title}`, ...group.all.map((each) => this.#section(each))]);
    return [`# ${title}`, `${about} ${MADE}`, '## Contents', ...links, ...sections].join('\n\n');
  }

  #link(named: DeclarationReflection): string {
    const target = named.isReference() ? named.getTargetReflectionDeep() : named;
    return `[\`${headingOf(target)}\`](${this.urlTo(target)})`;
  }

  #section(each: DeclarationReflection): string {
    const comment = commentOf(each);
    const members = membersOf(each);
    const columns = columnsOf(each.name);
    const table = { isEventProps: false, kind: each.kind };
    return [
      `### ${headingOf(each)}`,
      this.#title(each),
      comment === undefined ? '' : this.partials.comment(comment, { showTags: false }),
      this.#bases(each),
      columns.length === 0 ? '' : tableOf(['Member', 'Type', 'Description'], columns),
      members.length === 0 ? '' : this.partials.propertiesTable([...members], table),
      this.#variants(each),
      each.defaultValue === undefined || each.defaultValue === '...' ? '' : `\`\`\`ts\n${each.defaultValue}\n\`\`\``,
      comment === undefined ? '' : this.partials.comment(comment, { showSummary: false }),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
  }

  /** What follows the name, where it says more than the members do. */
  #title(each: DeclarationReflection): string {
    const call = each.signatures?.[0];
    if (call !== undefined) return this.partials.signatureTitle(call);
    const isSaid = membersOf(each).length > 0 || hasVariants(each.type);
    const type = isSaid || each.type === undefined || !isNamed(each.type) ? '' : this.partials.someType(each.type);
    const parameters = this.helpers.getTypeParameters(each.typeParameters) ?? '';
    if (type === '' && parameters === '') return '';
    const between = each.kindOf(ReflectionKind.Variable) ? ': ' : ' = ';
    return `> **${each.name}**${parameters === '' ? '' : `\\<${parameters}\\>`}${type === '' ? '' : `${between}${type}`}`;
  }

  #bases({ extendedTypes = [] }: DeclarationReflection): string {
    const named = extendedTypes.filter(isNamed).map((type) => this.partials.someType(type));
    return named.length === 0 ? '' : `Has all that ${named.join(', ')} has.`;
  }

  /** A row for each object of a union, or for each word that has a meaning. */
  #variants({ type }: DeclarationReflection): string {
    if (type?.type !== 'union' || !hasVariants(type)) return '';
    const rows = type.types.map((part, at) => {
      const fields = fieldsOf(part);
      const tag = fields.find(isTag)?.type ?? (fields.length === 0 ? part : undefined);
      const others = fields.filter((field) => !isTag(field));
      const said = others
        .map((field) => [field.name, this.#text(commentOf(field)?.summary)])
        .filter(([, text]) => text !== '');
      return [
        this.partials.someType(tag),
        others
          .map(
            (field) => `\`${field.name}${field.flags.isOptional ? '?' : ''}\`: ${this.partials.someType(field.type)}`,
          )
          .join('<br>'),
        [this.#text(type.elementSummaries?.[at]), ...said.map(([name, text]) => `\`${name}\`: ${text}`)]
          .join(' ')
          .trim(),
      ];
    });
    return tableOf(['', 'With', 'Description'], rows);
  }

  #text(parts: readonly CommentDisplayPart[] = []): string {
    return this.helpers.getCommentParts([...parts]).trim();
  }
}

function withDescribedFields(member: DeclarationReflection): DeclarationReflection[] {
  return [member, ...fieldsOf(member.type).filter((field) => commentOf(field) !== undefined && !isTag(field))];
}

function headingOf({ name, kind }: Reflection): string {
  return kind === ReflectionKind.Function ? `${name}()` : name;
}

/** Without the columns in which nothing stands. */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const kept = head.map((_, at) => at).filter((at) => rows.some((row) => row[at] !== ''));
  const cells = (row: readonly string[]) =>
    kept.map((at) => (row[at] ?? '').replaceAll(/\s*\n\s*/g, ' ').replaceAll(/(?<!\\)\|/g, '\\|'));
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${cells(row).join(' | ')} |`).join('\n');
}
