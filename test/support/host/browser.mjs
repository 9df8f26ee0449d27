// Chromium with what VS Code's page needs.
import { useTemporaryFolder } from '../runner/lifetime.mjs';

const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

export async function startBrowser(paths) {
  // Imported late, so that a script may install it first.
  const { chromium } = await import('playwright-core');
  useTemporaryFolder(); // of its profile
  return chromium.launch({
    executablePath: paths.chromium,
    args: switches,
    // Chromium ends when its pipe to this process closes, whatever ends the process.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

/** A context is a browser profile: VS Code keeps its memory and its secrets in it. */
export const newProfile = browser =>
  browser.newContext({
    viewport: { width: 1400, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });

/**
 * Each step of an animation draws the window again, and there is no GPU: a bar that fades costs more than what it shows.
 * By name, since a rule for all elements costs as much.
 */
const withoutAnimations = `
  .codicon, .codicon::before, .wiggle, .progress-bit { animation: none !important; }
  .scrollbar, .scrollbar > .slider { transition: none !important; }`;

function addStyle(style) {
  if (window !== window.top) return; // webviews allow no foreign styles
  new MutationObserver((_, observer) => {
    if (!document.head) return;
    observer.disconnect();
    document.head.append(Object.assign(document.createElement('style'), { textContent: style }));
  }).observe(document, { childList: true, subtree: true });
}

/**
 * code-server's own wrapper serves this key; without it secrets do not outlive the page. Not by a route of Playwright,
 * which would stop at every request of the page, and keep all of them out of the cache.
 */
function serveKey() {
  const fetch = window.fetch.bind(window);
  window.fetch = (input, init) =>
    (typeof input === 'string' ? input : (input.url ?? input.href)).endsWith('/mint-key')
      ? Promise.resolve(new Response(new Uint8Array(32).fill(7)))
      : fetch(input, init);
}

/**
 * VS Code reads each message of its server as a file, by way of the browser process. A buffer is there at once, and read
 * the same.
 */
function readMessagesAsBuffers() {
  const Native = window.WebSocket;
  window.WebSocket = class extends Native {
    constructor(...options) {
      super(...options);
      this.binaryType = 'arraybuffer';
    }
  };
  window.FileReader = class extends FileReader {
    readAsArrayBuffer(source) {
      if (!(source instanceof ArrayBuffer)) return super.readAsArrayBuffer(source);
      queueMicrotask(() => this.onload?.({ target: { result: source } }));
    }
  };
}

/** Opens a page and collects in `log` what it prints. */
export async function newPage(profile) {
  const page = await profile.newPage();
  await page.addInitScript(addStyle, withoutAnimations);
  await page.addInitScript(serveKey);
  await page.addInitScript(readMessagesAsBuffers);
  const log = [];
  page.on('console', message => log.push(`[${message.type()}] ${message.text()}`));
  page.on('pageerror', error => log.push(`[pageerror] ${error.message}`));
  return { page, log };
}

/** `payload` is honoured only by a server started with `smokeTest`. */
export function workbenchUrl(port, { folder, workspaceFile, payload = {} }) {
  const url = new URL(`http://127.0.0.1:${port}/`);
  if (workspaceFile) url.searchParams.set('workspace', workspaceFile);
  else if (folder) url.searchParams.set('folder', folder);
  else url.searchParams.set('ew', 'true'); // an empty window
  url.searchParams.set('payload', JSON.stringify(Object.entries(payload)));
  return String(url);
}
