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

async function ask(op: string, details: object = {}): Promise<unknown> {
  if (!url) throw new Error('this host has no driver');
  const response = await fetch(url, { method: 'POST', body: JSON.stringify({ op, ...details }) });
  const answer = (await response.json()) as { ok?: unknown; error?: string };
  if (answer.error !== undefined) throw new Error(`${op}: ${answer.error}`);
  return answer.ok;
}

export const driver = {
  available: url !== undefined,
  /** Returns the picture's path. */
  screenshot: async (title: string) => String(await ask('screenshot', { title })),
  /** The visible text of every element that matches. */
  text: async (selector: string) => (await ask('text', { selector })) as string[],
  count: async (selector: string) => Number(await ask('count', { selector })),
  click: async (target: Click) => void (await ask('click', target)),
  hover: async (target: Found) => void (await ask('hover', target)),
  /** A key as Playwright names it: `Control+Shift+P`. */
  press: async (key: string) => void (await ask('press', { key })),
  type: async (text: string) => void (await ask('type', { text })),
  /** Pixels, at the pointer's place. */
  wheel: async (y: number, x = 0) => void (await ask('wheel', { x, y })),
  setClipboard: async (text: string) => void (await ask('setClipboard', { text })),
};
