import { type Node, parseTree } from 'jsonc-parser/lib/esm/main.js';
import { isRecord, parseJson } from '../../../base/typeGuards';

/** Files of notebooks: JSON in the format of Jupyter, with a list of cells. */

export interface NotebookCell {
  /** The code or the text of the cell. */
  readonly text: string;
  /** A name with the extension of the cell's language. */
  readonly name: string;
  /** Where the value of its source stands in the file, as UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
  /** The lines of the source with their texts in the file; undefined for a source that is one string. */
  readonly items: readonly { readonly value: string; readonly raw: string }[] | undefined;
}

export const isNotebookPath = (path: string): boolean => /\.ipynb$/i.test(path);

/** Whether a text is the file of a notebook. */
export function isNotebook(text: string): boolean {
  const json = parseJson(text);
  return isRecord(json) && Array.isArray(json['cells']);
}

/** The cells of a notebook's file; undefined where it is none. */
export function cellsOf(text: string): NotebookCell[] | undefined {
  if (!isNotebook(text)) return undefined;
  const root = parseTree(text);
  const language = stringAt(root, ['metadata', 'language_info', 'file_extension']) ?? '.py';
  return (child(root, 'cells')?.children ?? []).flatMap(cell => {
    const source = child(cell, 'source');
    if (!source) return [];
    const items = source.children?.map(({ value, offset, length }) => ({
      value: String(value),
      raw: text.slice(offset, offset + length),
    }));
    return [
      {
        text: items ? items.map(({ value }) => value).join('') : String(source.value),
        name: `cell${stringAt(cell, ['cell_type']) === 'code' ? language : '.md'}`,
        start: source.offset,
        end: source.offset + source.length,
        items: source.type === 'array' ? (items ?? []) : undefined,
      },
    ];
  });
}

/** The file of a notebook with another text in one of its cells. Nothing else in the file changes. */
export function withCell(file: string, { start, end, items }: NotebookCell, text: string): string {
  return (
    file.slice(0, start) +
    sourceOf(file.slice(start, end), lineIndent(file, start), items, text) +
    file.slice(end)
  );
}

function sourceOf(
  before: string,
  indent: string,
  items: NotebookCell['items'],
  text: string,
): string {
  if (!items) return JSON.stringify(text);
  // A line that stays is spelled as before.
  const spelled = new Map(items.map(({ value, raw }) => [value, raw]));
  const lines = text.split(/(?<=\n)/).filter(line => line !== '');
  const values = lines.map(line => spelled.get(line) ?? JSON.stringify(line));
  if (values.length === 0) return '[]';
  const [first, second] = items;
  if (!first) return `[\n${indent} ${values.join(`,\n${indent} `)}\n${indent}]`;
  const start = before.indexOf(first.raw);
  const open = before.slice(0, start);
  const behind = start + first.raw.length;
  const between = second
    ? before.slice(behind, before.indexOf(second.raw, behind))
    : `,${open.includes('\n') ? open.slice(1) : ' '}`;
  const close = before.slice(before.slice(0, -1).trimEnd().length);
  return `${open}${values.join(between)}${close}`;
}

function lineIndent(file: string, at: number): string {
  const line = file.slice(file.lastIndexOf('\n', at) + 1, at);
  return line.slice(0, line.length - line.trimStart().length);
}

function child(node: Node | undefined, name: string): Node | undefined {
  return node?.children?.find(({ children }) => children?.[0]?.value === name)?.children?.[1];
}

function stringAt(node: Node | undefined, path: readonly string[]): string | undefined {
  let at = node;
  for (const name of path) at = child(at, name);
  return typeof at?.value === 'string' ? at.value : undefined;
}
