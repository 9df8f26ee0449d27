// The window, as the user sees and uses it. Only our own host has it: ask `available` first.
const url = process.env['HOST_DRIVER'];

interface Found {
  selector: string;
  /** Only elements that contain this text. */
  hasText?: string;
}
interface Click extends Found {
  button?: 'left' | 'right' | 'middle';
  modifiers?: ('Alt' | 'Control' | 'Shift')[];
}

async function ask<T>(op: string, details: object = {}): Promise<T> {
  if (!url) throw new Error('this host has no driver');
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ op, ...details }) });
  const answer: { ok: T; error?: string } = JSON.parse(await response.text());
  if (answer.error !== undefined) throw new Error(`${op}: ${answer.error}`);
  return answer.ok;
}

export const driver = {
  available: url !== undefined,
  /** The file of tests that this window runs next; null when there is none left. */
  nextFile: async () => ask<string | null>('nextFile'),
  /** Returns the picture's path. */
  screenshot: async (title: string) => ask<string>('screenshot', { title }),
  /** The visible text of every element that matches. */
  text: async (selector: string) => ask<string[]>('text', { selector }),
  count: async (selector: string) => ask<number>('count', { selector }),
  click: async (target: Click) => ask<null>('click', target),
  hover: async (target: Found) => ask<null>('hover', target),
  /** A key as Playwright names it: `Control+Shift+P`. */
  press: async (key: string) => ask<null>('press', { key }),
  type: async (text: string) => ask<null>('type', { text }),
  /** Pixels, at the pointer's place. */
  wheel: async (y: number, x = 0) => ask<null>('wheel', { x, y }),
  setClipboard: async (text: string) => ask<null>('setClipboard', { text }),
};
