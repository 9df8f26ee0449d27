import type { Translate } from '../../base/format/text';
import { JsonValues } from '../../base/text/jsonValues';
import { isRecord, textOf } from '../../base/typeGuards';
import { UserError } from '../../base/userError';
import { readSchema } from './jsonSchema';
import { maxRows, type PromptRow } from './run';

/** Larger files are not read, in bytes. */
export const maxFileBytes = 5_000_000;

/**
 * The prompts of a file. JSON lines: each line is a text, or an object with `prompt` and, as wanted, `system`,
 * `expected` and `schema`. Any other text: prompts between lines `---`, or one in each line where there is
 * no such line.
 *
 * @throws {UserError} that names the line and what to do.
 */
export function readPrompts(name: string, text: string, t: Translate): PromptRow[] {
  if (text.trim() === '') {
    throw new UserError(
      t('{0} is empty. Write a prompt into each line, or choose another file.', name),
    );
  }
  if (text.includes('\0')) {
    throw new UserError(t('{0} is not a text file. Choose a file with one prompt per line.', name));
  }
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const rows = /\.(?:jsonl|ndjson)$/i.test(name) ? jsonRows(lines, t) : textRows(lines);
  const [{ line: extra } = {}] = rows.slice(maxRows.prompts);
  if (extra !== undefined) {
    throw new UserError(
      t(
        '{0} has more than {1} prompts. Split the file before line {2}.',
        name,
        maxRows.prompts,
        extra,
      ),
    );
  }
  return rows;
}

function textRows(lines: readonly string[]): PromptRow[] {
  if (!lines.includes('---')) {
    return lines.flatMap((text, at) => (text.trim() === '' ? [] : [{ text, line: at + 1 }]));
  }
  const rows: PromptRow[] = [];
  let from = 0;
  for (let at = 0; at <= lines.length; at++) {
    if (at < lines.length && lines[at] !== '---') continue;
    const text = lines.slice(from, at).join('\n').trim();
    if (text !== '') rows.push({ text, line: from + 1 });
    from = at + 1;
  }
  return rows;
}

function jsonRows(lines: readonly string[], t: Translate): PromptRow[] {
  const values = new JsonValues();
  const checked = new Set<string>();
  return lines.flatMap((text, at) => {
    const line = at + 1;
    if (text.trim() === '') return [];
    const value = values.parse(text);
    if (value === undefined) {
      throw new UserError(
        t('Line {0} is not valid JSON. Write one JSON value into each line.', line),
      );
    }
    if (typeof value === 'string' && value.trim() !== '') return [{ text: value, line }];
    const prompt = isRecord(value) ? textOf(value['prompt']) : undefined;
    if (!isRecord(value) || prompt === undefined || prompt.trim() === '') {
      throw new UserError(
        t(
          'Line {0} has no prompt. Write a text, or an object such as {1}.',
          line,
          '{"prompt": "…", "expected": "…"}',
        ),
      );
    }
    const { system, schema, expected } = value;
    if (system !== undefined && typeof system !== 'string') {
      throw new UserError(t('Line {0}: "{1}" must be a text.', line, 'system'));
    }
    return [
      {
        text: prompt,
        line,
        system,
        schema: schema === undefined ? undefined : rowSchema(schema, line, checked, t),
        // A column that was left empty.
        expected: expected ?? undefined,
      },
    ];
  });
}

function rowSchema(
  schema: unknown,
  line: number,
  checked: Set<string>,
  t: Translate,
): Record<string, unknown> {
  if (!isRecord(schema)) {
    throw new UserError(t('Line {0}: "{1}" must be a JSON object.', line, 'schema'));
  }
  const key = JSON.stringify(schema);
  try {
    if (!checked.has(key)) readSchema(schema);
  } catch (error) {
    throw new UserError(t('Line {0}: this schema cannot be checked: {1}', line, messageOf(error)));
  }
  checked.add(key);
  return schema;
}

/** @throws {UserError} for a file that is no JSON schema. */
export function readSchemaFile(name: string, text: string, t: Translate): Record<string, unknown> {
  const schema = new JsonValues().parse(text.replace(/^\ufeff/, ''));
  if (!isRecord(schema)) {
    throw new UserError(t('{0} is not a JSON schema: it must be a JSON object.', name));
  }
  try {
    readSchema(schema);
  } catch (error) {
    throw new UserError(t('The schema in {0} cannot be checked: {1}', name, messageOf(error)));
  }
  return schema;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '');
