/** Anchors of a page's headings, as GitHub makes them: those of exports alone. */

import { type DeclarationReflection, Reflection, ReflectionKind, type RouterTarget } from 'typedoc';
import { ModuleRouter } from 'typedoc-plugin-markdown';

/** Exports in the order of their page, by name within their group: members stay as they are written. */
export function sortExports(entry: DeclarationReflection): void {
  for (const { children } of entry.groups ?? [])
    children.sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  const places = new Map((entry.groups ?? []).flatMap(({ children }) => children).map((each, at) => [each.id, at]));
  entry.children?.sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
}

export class PageRouter extends ModuleRouter {
  protected override buildAnchors(target: RouterTarget, page: RouterTarget): void {
    if (!(target instanceof Reflection) || target.isReference()) return;
    if (!(page instanceof Reflection) || !page.kindOf(ReflectionKind.Module)) return;
    const anchor = this.getSlugger(page).slug(target.name);
    this.fullUrls.set(target, `${this.fullUrls.get(page)}#${anchor}`);
    this.anchors.set(target, anchor);
  }
}
