// Lets a test in the extension host see and use the window: POST {op, ...} → {ok} or {error}.
import { mkdirSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';

/** ms. Long, because a busy machine must not fail a test. */
export const patience = 60_000;

const operations = {
  text: (page, { selector }) => page.locator(selector).allInnerTexts(),
  count: (page, { selector }) => page.locator(selector).count(),
  click: (page, { selector, hasText, button, modifiers }) =>
    found(page, selector, hasText).click({ timeout: patience, button, modifiers }),
  hover: (page, { selector, hasText }) =>
    found(page, selector, hasText).hover({ timeout: patience }),
  press: (page, { key }) => page.keyboard.press(key),
  type: (page, { text }) => page.keyboard.type(text),
  wheel: (page, { x = 0, y }) => page.mouse.wheel(x, y),
  setClipboard: (page, { text }) => page.evaluate(t => navigator.clipboard.writeText(t), text),
};

function found(page, selector, hasText) {
  const all = page.locator(selector);
  return (hasText ? all.filter({ hasText }) : all).first();
}

export function pictureFile(directory, title) {
  mkdirSync(directory, { recursive: true });
  return path.join(directory, `${title.replace(/\W+/g, '-').slice(0, 80)}.png`);
}

/**
 * `page()` gives the page of the moment; pictures go to `directory`; `nextFile()` gives the file of tests
 * that the window runs next, or null.
 */
export async function startDriver(page, directory, nextFile) {
  const perform = async request => {
    if (request.op === 'screenshot') {
      const file = pictureFile(directory, request.title);
      await page().screenshot({ path: file, timeout: patience });
      return file;
    }
    if (request.op === 'nextFile') return nextFile();
    const operation = operations[request.op];
    if (!operation) throw new Error(`unknown operation ${request.op}`);
    return operation(page(), request);
  };
  const answer = async (request, response) => {
    let body = '';
    try {
      for await (const chunk of request) body += chunk;
      const ok = await perform(JSON.parse(body));
      response.end(JSON.stringify({ ok: ok ?? null }));
    } catch (error) {
      response.statusCode = 500;
      response.end(JSON.stringify({ error: String(error.message).slice(0, 500) }));
    }
  };
  const server = http.createServer((request, response) => void answer(request, response));
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
