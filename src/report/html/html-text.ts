/** HTML that cannot be broken by names: a template tag that escapes every value put into it. */

/** Text that is HTML already. */
export interface Html {
  readonly html: string;
}

type Value = string | number | Html | readonly Html[] | undefined;

/** Strings and numbers are escaped, `Html` goes in as it is, lists are joined, undefined is nothing. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: String.raw({ raw: parts }, ...values.map(asHtml)) };
}

/** Takes text of our own as it is: style sheets and scripts. */
export function trusted(text: string): Html {
  return { html: text };
}

function asHtml(value: Value): string {
  if (value === undefined) return '';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escaped(value);
  if ('html' in value) return value.html;
  return value.map((each) => each.html).join('');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
