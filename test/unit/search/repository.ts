import { execFileSync } from 'node:child_process';

export type Change = readonly [subject: string, files: readonly string[]];

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

/** Makes a folder a repository, or adds to it: commits that change the files, oldest first. */
export function commitAll(root: string, changes: readonly Change[], startsAt = 0): void {
  const commits = changes.map(([subject, files], at) => {
    const number = startsAt + at;
    const from = number > 0 && at === 0 ? 'from refs/heads/main^0\n' : '';
    const blobs = files.map(file => `M 100644 inline ${file}\n${data(`${number}`)}`).join('');
    const time = 1_700_000_000 + number * 3600;
    return `commit refs/heads/main\ncommitter a <a@example.org> ${time} +0000\n${data(subject)}${from}${blobs}`;
  });
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: root });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: root, input: commits.join('') });
}
