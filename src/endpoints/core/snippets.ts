import { trimEndOf } from '../../base/text/scan';

/** Environment variable that copied snippets use in place of the API key. */
const keyVariable = 'SPLICE_API_KEY';

export interface SnippetTarget {
  /** Address without `/v1`. */
  readonly url: URL;
  readonly servedModelName: string;
}

export const snippetForms = ['.env', 'curl', 'Python', 'TypeScript'] as const;
export type SnippetForm = (typeof snippetForms)[number];

/** Base URL for chat-completions clients (service document, `endpointUrl`). */
export function baseAddress({ url }: SnippetTarget): string {
  return `${trimEndOf(url.href, '/')}/v1`;
}

/** A snippet that reads the key from a variable. Values from the service are quoted for the target language. */
export function snippetOf(form: SnippetForm, target: SnippetTarget): string {
  const base = baseAddress(target);
  const { servedModelName: model } = target;
  const question = { model, messages: [{ role: 'user', content: 'Hello' }] };
  switch (form) {
    case '.env':
      return [
        `SPLICE_BASE_URL=${dotenv(base)}`,
        `SPLICE_MODEL=${dotenv(model)}`,
        `${keyVariable}=`,
        '',
      ].join('\n');
    case 'curl':
      return [
        `curl ${shell(`${base}/chat/completions`)} \\`,
        `  -H "Authorization: Bearer $${keyVariable}" \\`,
        `  -H "Content-Type: application/json" \\`,
        `  -d ${shell(JSON.stringify(question))}`,
        '',
      ].join('\n');
    case 'Python':
      return [
        'import os',
        'from openai import OpenAI',
        '',
        `client = OpenAI(base_url=${JSON.stringify(base)}, api_key=os.environ["${keyVariable}"])`,
        'answer = client.chat.completions.create(',
        `    model=${JSON.stringify(model)},`,
        '    messages=[{"role": "user", "content": "Hello"}],',
        ')',
        'print(answer.choices[0].message.content)',
        '',
      ].join('\n');
    default:
      return [
        "import OpenAI from 'openai';",
        '',
        `const client = new OpenAI({ baseURL: ${JSON.stringify(base)}, apiKey: process.env.${keyVariable} });`,
        'const answer = await client.chat.completions.create({',
        `  model: ${JSON.stringify(model)},`,
        "  messages: [{ role: 'user', content: 'Hello' }],",
        '});',
        'console.log(answer.choices[0]?.message.content);',
        '',
      ].join('\n');
  }
}

/** Within single quotes a shell interprets only the quote itself. */
function shell(text: string): string {
  return `'${text.replaceAll(/[\r\n]/g, ' ').replaceAll("'", String.raw`'\''`)}'`;
}

function dotenv(text: string): string {
  return /^[\w./:@-]+$/.test(text) ? text : `'${text.replaceAll(/['\r\n]/g, ' ')}'`;
}
