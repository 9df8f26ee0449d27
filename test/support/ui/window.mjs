// A user's window: the VSIX installed, no test driver, notifications drawn.
import path from 'node:path';
import { newPage, newProfile, startBrowser, workbenchUrl } from '../host/browser.mjs';
import { neededBuiltinExtensions } from '../host/builtinExtensions.mjs';
import { startServer } from '../host/vscodeServer.mjs';
import { addExtension, copyInstalled } from '../host/vsix.mjs';
import { environmentOf, makePlace } from '../host/workspace.mjs';
import { longerFiles, longerLanguage } from '../longer/language.mjs';
import { readWithoutTails } from '../longer/locators.mjs';
import { isLonger } from '../longer/texts.mjs';
import { installHost } from '../runner/installHost.mjs';
import { artifacts } from '../runner/layout.mjs';

/** ms. Long, because a busy machine must not fail a test; what is there ends the wait at once. */
export const patience = 60_000;

export const pictures = path.join(artifacts, 'ui');

export async function openWindow({
  settings = {},
  files = {},
  env = {},
  extensions = [],
  extensionFiles = isLonger ? longerFiles() : {},
  language = isLonger ? longerLanguage : undefined,
} = {}) {
  const paths = await installHost();
  const place = makePlace({
    files,
    settings: { 'workbench.secondarySideBar.defaultVisibility': 'hidden', ...settings },
  });
  copyInstalled(place, extensionFiles);
  for (const folder of extensions) addExtension(place, folder);
  const server = await startServer(paths, {
    ...place,
    builtinDir: neededBuiltinExtensions(paths),
    logFile: path.join(artifacts, 'ui.server.log'),
    env: { ...environmentOf(place), ...env },
    smokeTest: false,
    language,
  });
  const browser = await startBrowser(paths);
  const dispose = async () => {
    await browser.close();
    await server.stop();
    place.remove();
  };
  try {
    const profile = await newProfile(browser);
    const open = () => openPage(profile, workbenchUrl(server.port, { folder: place.workspace }));
    return { ...(await open()), workspace: place.workspace, openAgain: open, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

async function openPage(profile, url) {
  const { page, log } = await newPage(profile);
  if (isLonger) readWithoutTails(page);
  page.setDefaultTimeout(patience);
  await page.goto(url);
  await page.locator('.monaco-workbench .statusbar').waitFor();
  return { page, log };
}

/** A window on a server that runs already. */
export async function visitWindow(url) {
  const browser = await startBrowser(await installHost());
  try {
    return { ...(await openPage(await newProfile(browser), url)), dispose: () => browser.close() };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

export const setClipboard = (page, text) =>
  page.evaluate(value => navigator.clipboard.writeText(value), text);
