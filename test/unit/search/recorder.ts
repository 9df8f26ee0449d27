import { chmodSync, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { TestWorkspace } from './workspace';

/** A program that writes down each of its arguments and does nothing. */
export function recorder(
  files: TestWorkspace,
  name: string,
): { program: string; calls: () => string[][] } {
  const log = path.join(files.root, `../${name}.log`);
  const program = files.write(
    `../bin/${name}`,
    `#!${process.execPath}\nrequire('fs').appendFileSync(${JSON.stringify(log)}, JSON.stringify(process.argv.slice(2)) + '\\n');\n`,
  );
  chmodSync(program, 0o755);
  const calls = () =>
    existsSync(log)
      ? readFileSync(log, 'utf8')
          .trim()
          .split('\n')
          .map((line): string[] => JSON.parse(line))
      : [];
  return { program, calls };
}
