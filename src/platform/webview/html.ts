/** HTML that is ready to be shown; made by {@link html} only, which escapes all values. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Html | readonly Html[];

/** Escapes every value: names in the ledger come from settings and from the service. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((text, part, at) => text + htmlOf(values[at - 1] ?? '') + part));
}

function htmlOf(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return String(value).replace(/[&<>"']/g, sign => `&#${sign.charCodeAt(0)};`);
}
