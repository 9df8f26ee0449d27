import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Scope } from '../../../src/search/tools';
import { Sandbox } from '../../../src/search/workspace/sandbox';
import type { SearchWorkspace } from '../../../src/search/workspace/workspace';
import { ripgrepPath } from '../../support/unit/ripgrepPath';

/** A folder of files that goes away with the test. */
export class TestWorkspace {
  /** Real path; its parent holds what is outside. */
  readonly root: string;
  readonly #base: string;

  constructor(files: Readonly<Record<string, string | Buffer>>) {
    this.#base = realpathSync(mkdtempSync(path.join(tmpdir(), 'splice-search-')));
    this.root = path.join(this.#base, 'ws');
    mkdirSync(this.root);
    for (const [name, text] of Object.entries(files)) this.write(name, text);
  }

  /** @param name relative to the root; may begin with `../`. */
  write(name: string, text: string | Buffer): string {
    const file = path.join(this.root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  delete(name: string): void {
    rmSync(path.join(this.root, name));
  }

  async scope(options: Partial<SearchWorkspace> & { signal?: AbortSignal } = {}): Promise<Scope> {
    const { signal = new AbortController().signal, ...more } = options;
    const workspace: SearchWorkspace = {
      roots: [this.root],
      rgPath: ripgrepPath(),
      excludes: [],
      useIgnoreFiles: true,
      usesGit: false,
      unsaved: new Map(),
      ...more,
    };
    return { workspace, sandbox: await Sandbox.open(workspace), signal };
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true });
  }
}
