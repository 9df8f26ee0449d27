/** One cell by RFC 4180: quoted where it contains a quote, a comma or a line break. */
export function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Prefixes text of the service that a spreadsheet would run as a formula with an apostrophe. */
export function inertText(text: string): string {
  return /^[\s]*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}
