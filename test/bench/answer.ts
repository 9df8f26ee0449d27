// How long an answer of many files takes to open, next to one of a single file: from the key that applies the clipboard
// to the frame that shows the first review with its colours, in a whole window. The two take turns.
import { installOnce, makeVsix } from '../../test/support/host/vsix.mjs';
import { installHost } from '../../test/support/runner/installHost.mjs';
import { launchWorkbench } from '../ui/workbench';
import { reviewColors, timeOfDrawing } from './drawingTime';
import { median } from './median';

const rounds = Number(process.argv[2] ?? 8);
const many = 25;
const maxRatio = 1.5;
/** What is left to do after an answer must not fall on the next one. */
const settleMs = 2000;

const nameOf = (file: number): string => `src/module${file}.ts`;

/** A file of 200 lines, and the part of it that an answer shows. */
function texts(file: number): { readonly before: string; readonly snippet: string } {
  const lines = Array.from(
    { length: 200 },
    (_, at) => `export const value${file}x${at} = compute(${at * 7}, "row ${at}");`,
  );
  const some = lines
    .slice(4, 12)
    .map((line, at) => (at === 4 ? line.replace('compute', 'sum') : line));
  const marker = '// ... existing code ...';
  return { before: `${lines.join('\n')}\n`, snippet: [marker, ...some, marker].join('\n') };
}

const answerOf = (count: number): string =>
  Array.from(
    { length: count },
    (_, file) => `### ${nameOf(file)}\n\n\`\`\`ts\n${texts(file).snippet}\n\`\`\`\n`,
  ).join('\n');

const files: Record<string, string> = { '.vscode/settings.json': '{}' };
for (let file = 0; file < many; file++) files[nameOf(file)] = texts(file).before;
await makeVsix();
await installOnce(await installHost());
const workbench = await launchWorkbench({ files });
try {
  const { page } = workbench;
  const times = new Map([1, many].map(count => [count, [] as number[]]));
  for (let round = 0; round < rounds + 1; round++) {
    for (const [count, found] of times) {
      await workbench.setClipboard(answerOf(count));
      await workbench.openFile(nameOf(0));
      const { all } = await timeOfDrawing(page, 'Control+KeyK Control+KeyV', reviewColors);
      // The first round loads what the others find loaded.
      if (round > 0) found.push(all);
      await page.waitForTimeout(settleMs);
      if (count > 1) await workbench.runCommand('Splice: Reject All Changes of Answer');
      await workbench.rejectReviews();
    }
  }
  const [one = 0, all = 0] = [...times].map(([count, found]) => {
    console.log(
      `answer of ${count} files: ${median(found).toFixed(0)} ms, best ${Math.min(...found).toFixed(0)} ms`,
    );
    return median(found);
  });
  const ratio = all / one;
  console.log(
    `${many} files / 1 file: ${ratio.toFixed(2)}, at most ${maxRatio}: ${ratio <= maxRatio ? 'yes' : 'NO'}`,
  );
  process.exitCode = ratio <= maxRatio ? 0 : 1;
} catch (error) {
  console.error(`see ${await workbench.screenshot('answer-failed')}`);
  throw error;
} finally {
  await workbench.dispose();
}
