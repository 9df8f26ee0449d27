import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type StandIn, startStandIn } from '../service/standIn';
import {
  launchWithKey,
  launchWorkbench,
  lookInThemes,
  pictureFailures,
  showViews,
  sources,
  until,
  type Workbench,
} from './workbench';

const apiKey = 'sk-ui-search-0123456789';
const query = 'where is the next retry planned after a rate limit';

/** In a language of which VS Code itself knows no symbols. */
const weather = {
  'weather/barometer.py':
    'def read_barometer(port):\n    value = port.read()\n    return value / 10\n',
  'weather/station.py':
    'from barometer import read_barometer\n\n\ndef report(port):\n    pressure = read_barometer(port)\n    print(pressure)\n',
  'weather/README.md': '# Station\n\n`read_barometer` gives hectopascals.\n',
};

let workbench: Workbench;
let standIn: StandIn;
const page = () => workbench.page;
const rows = () => page().locator('.sidebar .pane-body .monaco-list-row');
const row = (text: string | RegExp) => rows().filter({ hasText: text }).first();
const messageLine = () => page().locator('.sidebar .message');
const input = () => page().locator('.quick-input-widget .quick-input-box input');

const quiet = () => new Promise(resolve => setTimeout(resolve, 600));

async function picture(name: string): Promise<void> {
  await page().mouse.move(900, 885);
  await quiet();
  await workbench.screenshot(`search-${name}`);
}

async function search(text: string): Promise<void> {
  // The line is not there before the first search.
  const before = await messageLine().allInnerTexts();
  await page().keyboard.press('Control+Alt+G');
  await input().waitFor();
  await input().fill(text);
  await page()
    .locator('.quick-input-list .monaco-list-row', { hasText: `Search for "${text}"` })
    .waitFor();
  await page().keyboard.press('Enter');
  // Else what is waited for next could be what the search before has left.
  await until(
    'another message',
    async () => String(await messageLine().allInnerTexts()) !== String(before),
  );
}

const untilMessage = (pattern: RegExp) =>
  until(`the message ${pattern}`, async () =>
    pattern.test((await messageLine().innerText()).replaceAll('\u00a0', ' ')),
  );

async function closeEditors(): Promise<void> {
  await workbench.runCommand('View: Close All Editors');
}

/** Drags the edge of the side bar. */
async function widenSideBarTo(width: number): Promise<void> {
  const box = (await page().locator('.part.sidebar').boundingBox()) ?? assert.fail();
  await page().mouse.move(box.x + box.width, box.y + 300);
  await page().mouse.down();
  await page().mouse.move(box.x + width, box.y + 300, { steps: 5 });
  await page().mouse.up();
  await quiet();
}

describe('searching in the window', () => {
  before(async () => {
    standIn = await startStandIn({ apiKey });
    workbench = await launchWorkbench({
      files: sources(),
      settings: { 'splice.service.baseUrl': standIn.url },
    });
  });
  after(async () => {
    await workbench?.dispose();
    await standIn?.close();
  });
  pictureFailures(() => workbench);

  it('welcomes with what it does, and needs no key', async () => {
    await page().locator('.activitybar .action-label[aria-label^="Splice"]').click();
    const welcome = page().locator('.sidebar .welcome-view-content', {
      hasText: 'Find code by what it does',
    });
    await welcome.waitFor();
    await picture('1-welcome');
    await showViews(page(), 'Search');
    await welcome.locator('.monaco-button', { hasText: 'Search Code…' }).click();
    await input().waitFor();
    await page().keyboard.press('Escape');
  });

  it('asks, searches on this machine, and shows files and places', async () => {
    await page().keyboard.press('Control+Alt+G');
    await input().waitFor();
    await input().fill(query);
    await picture('2-input');
    await page().keyboard.press('Escape');
    await search(query);
    await untilMessage(/\d+ places in \d+ files · .* · local/);
    await row('retry.ts').waitFor();
    await picture('3-local');
    await page().locator('.activitybar .badge-content', { hasText: /^\d+$/ }).first().waitFor();
  });

  it('previews on a click, marks the lines, and keeps the editor on Enter', async () => {
    const place = rows()
      .filter({ hasText: /\d+-\d+ {2}/ })
      .first();
    await place.click();
    await page().locator('.tab.active').waitFor();
    await until(
      'the lines are marked',
      async () =>
        (await page().locator('.editor-instance .view-overlays .cdr[class*="ced-"]').count()) > 0,
    );
    assert.match(
      (await page().locator('.tab.active .label-name').first().getAttribute('class')) ?? '',
      /./,
    );
    await until(
      'a preview tab',
      async () =>
        (await page()
          .locator('.tab.active .tab-label.italic, .tab.active .monaco-icon-label.italic')
          .count()) > 0,
    );
    await place.click();
    await picture('4-preview');
    await page().keyboard.press('Enter');
    await until(
      'a tab that stays',
      async () => (await page().locator('.tab.active .monaco-icon-label.italic').count()) === 0,
    );
    const first = await page().locator('.tab.active').innerText();
    // A file may have several places.
    const shown = () => page().locator('.tab.active').innerText();
    for (let left = 10; left > 0 && (await shown()) === first; left--) {
      await page().keyboard.press('F4');
      await quiet();
    }
    await picture('5-next');
    assert.notEqual(await shown(), first);
    await closeEditors();
  });

  it('shows folders as a tree, and filters', async () => {
    await workbench.runCommand('Splice: Show Results as Tree');
    await row('src').waitFor();
    await picture('6-tree');
    await workbench.runCommand('Splice: Show Results as List');
    await workbench.runCommand('Splice: Filter Results…');
    await input().waitFor();
    await input().fill('retry');
    await page().keyboard.press('Enter');
    await untilMessage(/filter "retry"/);
    await picture('7-filter');
    await workbench.runCommand('Splice: Clear Results Filter');
  });

  it('shows what the search model does, and what it found', async () => {
    await workbench.runCommand('Splice: Set API Key…');
    await workbench.typeApiKey(apiKey);
    const answer = standIn.search;
    let turns = 0;
    standIn.search = async request => {
      await new Promise(resolve => setTimeout(resolve, turns++ === 0 ? 300 : 2500));
      return answer(request);
    };
    await page().keyboard.press('Control+Alt+G');
    await input().waitFor();
    await picture('8-input-model');
    await page().keyboard.press('Escape');
    await search(query);
    await row('Turn 1').waitFor();
    await row('Grep').waitFor();
    await workbench.screenshot('search-9-running');
    await untilMessage(/ · model and local$/);
    await picture('10-model');
    await row('Search model').locator('.monaco-tl-twistie').click();
    await row('Turn 2').locator('.monaco-tl-twistie').click();
    await row('Read').waitFor();
    await picture('11-trace');
    standIn.search = answer;
  });

  it('is readable in a light theme and in high contrast', async () => {
    await rows()
      .filter({ hasText: /\d+-\d+ {2}/ })
      .first()
      .click();
    await page().locator('.tab.active').waitFor();
    await lookInThemes(workbench, 'search-12', {
      show: () => page().mouse.move(900, 885),
      reads: '.sidebar .pane-body .monaco-list-row .label-name',
    });
    await closeEditors();
  });

  it('says why the answer is not the one of the model', async () => {
    standIn.inject('POST /v1/chat/completions', {
      fault: response => {
        response.writeHead(401, { 'content-type': 'application/json' });
        response.end('{"error":{"code":"unauthorized","message":"invalid API key"}}');
      },
    });
    await search('how are costs counted');
    await untilMessage(/The service refused the API key\./);
    await row('Change API Key…').waitFor();
    await picture('13-refused');
    standIn.heal();
    await search('zyxwvutsrq');
    await untilMessage(/Nothing was found in [\d,]+ files/);
    await picture('14-nothing');
  });

  it('follows edits, and dismisses with Delete', async () => {
    await search('backoff');
    // What the local engine found gives way to what the model finds; the rows come after the message.
    await untilMessage(/· model and local$/);
    await quiet();
    const count = async () => rows().count();
    const before = await count();
    await rows()
      .filter({ hasText: /\d+(?:-\d+)? {2}/ })
      .first()
      .click();
    await page().keyboard.press('Delete');
    await until('one row less', async () => (await count()) < before);
    await workbench.runCommand('Splice: Open Results in Editor');
    await page().locator('.tab.active', { hasText: 'Results backoff' }).waitFor();
    await picture('15-editor');
    await workbench.runCommand('Splice: Show Search History…');
    await input().waitFor();
    await picture('16-history');
    await page().keyboard.press('Escape');
    await closeEditors();
    assert.equal(
      (await readFile(path.join(workbench.ws, '.vscode/settings.json'), 'utf8')).length > 0,
      true,
    );
  });
});

describe('working with results in the window', () => {
  const askedFor = 'sequencer that runs tasks one after another';

  before(async () => {
    const test = 'test/unit/base/async/sequencer.test.ts';
    ({ workbench, standIn } = await launchWithKey(
      { apiKey },
      { files: { ...sources(), ...weather, [test]: await readFile(test, 'utf8') } },
    ));
    await page().locator('.activitybar .action-label[aria-label^="Splice"]').click();
    await showViews(page(), 'Search');
  });
  after(async () => {
    await workbench?.dispose();
    await standIn?.close();
  });
  pictureFailures(() => workbench);

  it('groups by role, with who found a file before its folder', async () => {
    await widenSideBarTo(300);
    await search(askedFor);
    await untilMessage(/ · model and local$/);
    await row('sequencer.ts').waitFor();
    await picture('17-narrow');
    await workbench.runCommand('Splice: Show Results by Role');
    await row(/^Source/).waitFor();
    await picture('18-roles');
    const text = await row(/^sequencer\.ts/).innerText();
    assert.match(text.replaceAll('\u00a0', ' '), /(?:model|local).*src\/base\/async/s);
    await workbench.runCommand('Splice: Show Results as List');
  });

  it('keeps results above those of the next search', async () => {
    await workbench.runCommand('Splice: Keep Results');
    await untilMessage(/ · kept$/);
    await search('where is the next retry planned');
    // Rows of a search that goes on give way under a click.
    await untilMessage(/\d m?s · model and local$/);
    await row(askedFor).waitFor();
    await picture('19-kept');
    await row(askedFor).locator('.monaco-tl-twistie').click();
    await row('sequencer.ts').waitFor();
    await picture('20-kept-open');
    await row(askedFor).locator('.monaco-tl-twistie').click();
  });

  it('shows tests and callers from the menu of a row', async () => {
    await search(askedFor);
    // Rows that the local search shows first give way to those of the model.
    await untilMessage(/ · model and local$/);
    await quiet();
    const place = rows()
      .filter({ hasText: /^Sequencer/ })
      .first();
    await place.click();
    await place.click({ button: 'right' });
    await page().locator('.monaco-menu .action-label', { hasText: 'Show Tests' }).waitFor();
    await picture('21-menu');
    await page().locator('.monaco-menu .action-label', { hasText: 'Show Tests' }).click();
    await row('Tests of Sequencer').waitFor();
    await picture('22-tests');
    await rows()
      .filter({ hasText: /^Sequencer/ })
      .first()
      .click();
    await workbench.runCommand('Splice: Show Callers');
    await until('callers, or why there are none', async () => {
      const told = page().locator('.notification-toast', { hasText: /Try its references/ });
      return (await row(/^(?:Callers|References|Mentions) /).count()) + (await told.count()) > 0;
    });
    await picture('23-callers');
    await workbench.runCommand('Notifications: Clear All Notifications');
    await lookInThemes(workbench, 'search-24', {
      show: () => page().mouse.move(900, 885),
      reads: '.sidebar .pane-body .monaco-list-row .label-name',
    });
  });

  it('shows the lines with the name where no extension knows the callers', async () => {
    // The results are below the sets, so that they would be out of sight.
    for (const set of [/^(?:Callers|References|Mentions) /, /^Tests /]) {
      // The first key can come while the rows are rendered without the set before.
      await until('one set less', async () => {
        await row(set).click();
        await page().keyboard.press('Delete');
        await quiet();
        return (await row(set).count()) === 0;
      });
    }
    await search('read barometer port');
    // Rows that the local search shows first give way to those of the model.
    await untilMessage(/ · model and local$/);
    await quiet();
    await rows()
      .filter({ hasText: /^read_barometer/ })
      .first()
      .click();
    await workbench.runCommand('Splice: Show Callers');
    await row('Mentions of read_barometer').waitFor();
    await row('station.py').waitFor();
    await row('Mentions of read_barometer').hover();
    await page().locator('.monaco-hover', { hasText: 'No language extension knows' }).waitFor();
    await quiet();
    await workbench.screenshot('search-27-mentions');
    await workbench.runCommand('Splice: Clear Search Results');
  });
});
