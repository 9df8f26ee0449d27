// How long a review takes to be drawn, next to VS Code's own diff editor of the same two texts: from the key that asks
// for it to the frame that shows its text and colours, in a whole window. The kinds take turns, so that what else the
// machine does falls on all of them; only the ratios count.
import type { Page } from 'playwright-core';
import { installOnce, makeVsix } from '../../test/support/host/vsix.mjs';
import { installHost } from '../../test/support/runner/installHost.mjs';
import { launchWorkbench } from '../ui/workbench';
import { type Drawing, reviewColors, timeOfDrawing } from './drawingTime';
import { median } from './median';

const rounds = Number(process.argv[2] ?? 12);
const sizes = { 'small.ts': [200, 20], 'large.ts': [10_000, 300] } as const;
const names = ['small.ts', 'large.ts'] as const;
type Name = (typeof names)[number];

/** A file and what is proposed for it: changes at even distances, of which every third adds two lines. */
function texts(name: Name): { before: string; after: string } {
  const [lines, changes] = sizes[name];
  const every = Math.floor(lines / changes);
  const before = Array.from(
    { length: lines },
    (_, at) => `export const value${at} = compute(${at * 7}, "row ${at}");`,
  );
  const after = before.flatMap((line, at) => {
    if (at % every !== 4) return [line];
    const changed = line.replace('compute', 'measure');
    return (at - 4) % (3 * every) === 0 ? [changed, `// added ${at}`, ''] : [changed];
  });
  return { before: `${before.join('\n')}\n`, after: `${after.join('\n')}\n` };
}

interface Kind {
  readonly label: string;
  readonly key: string;
  /** What the page has once text and colours are drawn. */
  readonly drawn: string;
}
const diff = '.editor-group-container.active .monaco-diff-editor .line-insert';
const kinds = [
  { label: 'review of 200 lines', key: 'Control+F1', drawn: reviewColors },
  { label: "VS Code's diff of 200 lines", key: 'Control+F3', drawn: diff },
  { label: 'review of 10,000 lines', key: 'Control+F2', drawn: reviewColors },
  { label: "VS Code's diff of 10,000 lines", key: 'Control+F4', drawn: diff },
] as const satisfies readonly Kind[];

async function drawingTime(page: Page, { key, drawn }: Kind): Promise<Drawing> {
  const drawing = await timeOfDrawing(page, key, drawn);
  await page.waitForTimeout(settleMs);
  await page.keyboard.press('Control+F6');
  await page.locator('.tab').first().waitFor({ state: 'detached' });
  return drawing;
}

/** What is left to do after a drawing, such as lenses, must not fall on the next one. */
const settleMs = 1500;

const say = (name: string, value: string): void => console.log(`${name.padEnd(44)} ${value}`);

const files: Record<string, string> = { '.vscode/settings.json': '{}' };
for (const name of names) {
  const { before, after } = texts(name);
  files[name] = before;
  files[`proposed/${name}`] = after;
}
await makeVsix();
await installOnce(await installHost());
const workbench = await launchWorkbench({ files, extensions: ['drawing'] });
try {
  const { page } = workbench;
  for (const name of names) {
    await workbench.setClipboard(`${name}\n\`\`\`ts\n${texts(name).after}\`\`\`\n`);
    await workbench.runCommand('Splice: Apply Clipboard Edit');
    await page.locator('.tab.active', { hasText: `${name} (review)` }).waitFor();
    await page.waitForTimeout(settleMs);
  }
  await page.keyboard.press('Control+F6');
  await page.locator('.tab').first().waitFor({ state: 'detached' });

  const times = new Map<Kind, Drawing[]>(kinds.map(kind => [kind, []]));
  for (let round = 0; round < rounds + 1; round++) {
    for (const kind of kinds) {
      const ms = await drawingTime(page, kind);
      // The first round loads what the others find loaded.
      if (round > 0) times.get(kind)?.push(ms);
    }
  }
  const [small, smallDiff, large, largeDiff] = kinds.map(kind => {
    const drawings = times.get(kind) ?? [];
    const all = drawings.map(drawing => drawing.all);
    const text = median(drawings.map(drawing => drawing.text)).toFixed(0);
    const best = Math.min(...all).toFixed(0);
    say(kind.label, `${median(all).toFixed(0)} ms, best ${best} ms; text alone ${text} ms`);
    return median(all);
  });
  const ratios = [
    ["200 lines: review / VS Code's diff", small, smallDiff, 0.7],
    ['review: 10,000 / 200 lines', large, small, 1.5],
    ["10,000 lines: review / VS Code's diff", large, largeDiff, 0.5],
  ] as const;
  let isGood = true;
  for (const [name, part, whole, bar] of ratios) {
    const ratio = (part ?? 0) / (whole ?? 1);
    isGood &&= ratio <= bar;
    say(name, `${ratio.toFixed(2)}, at most ${bar}: ${ratio <= bar ? 'yes' : 'NO'}`);
  }
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  console.error(`see ${await workbench.screenshot('drawing-failed')}`);
  throw error;
} finally {
  await workbench.dispose();
}
