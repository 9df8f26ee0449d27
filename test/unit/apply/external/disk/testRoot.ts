import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A folder of files that goes away with the test; what is beside it is outside. */
export class TestRoot {
  readonly root: string;
  readonly base: string;

  constructor(files: Readonly<Record<string, string | Uint8Array>> = {}) {
    this.base = realpathSync(mkdtempSync(path.join(tmpdir(), 'splice-disk-')));
    this.root = path.join(this.base, 'root');
    mkdirSync(this.root);
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  /** @param name relative to the root; may begin with `../`. */
  write(name: string, text: string | Uint8Array): string {
    const file = this.at(name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  read(name: string): string {
    return readFileSync(this.at(name), 'utf8');
  }

  at(name: string): string {
    return path.join(this.root, name);
  }

  /** All files of the root and beside it, sorted. */
  names(): string[] {
    return readdirSync(this.base, { recursive: true, encoding: 'utf8' })
      .map(name => name.replaceAll(path.sep, '/'))
      .sort();
  }

  remove(): void {
    rmSync(this.base, { recursive: true, force: true });
  }
}
