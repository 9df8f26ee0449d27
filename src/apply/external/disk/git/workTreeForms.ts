import { createHash } from 'node:crypto';
import { type Content, contentOf } from '../../core/content';
import type { Git } from '../git';
import { type ConversionConfig, GitAttributes, readConversionConfig } from './attributes';
import {
  type LineEndRule,
  lineEndRule,
  lineEndsOf,
  type PathAttributes,
  withCrlf,
} from './lineEnds';
import type { GitObjects } from './objects';

/** A blob whose bytes have CRLF in the work tree. */
interface Converted {
  readonly id: string;
  readonly rule: LineEndRule;
}

/** Ids of converted contents that are remembered; 10,000 have about 2 MB. */
const maxConverted = 10_000;
const pointerStart = 'version https://git-lfs.github.com/spec/v1\n';
const maxPointerBytes = 1024;

/**
 * What the blobs of a repository are in the work tree: the same bytes, or with other line ends. What a program made
 * of them, such as a filter of git, is not known.
 */
export class WorkTreeForms {
  readonly #git: Git;
  readonly #objects: GitObjects;
  readonly #attributes: GitAttributes;
  readonly #readFile: (below: string) => Promise<Uint8Array | undefined>;
  readonly #converted = new Map<string, Converted>();
  #config: Promise<ConversionConfig> | undefined;

  /** @param readFile the bytes of a file in the work tree now */
  constructor(
    git: Git,
    objects: GitObjects,
    readFile: (below: string) => Promise<Uint8Array | undefined>,
  ) {
    this.#git = git;
    this.#objects = objects;
    this.#attributes = new GitAttributes(git);
    this.#readFile = readFile;
  }

  /** The configuration may have changed: it is read again when it is needed. */
  forgetConfig(): void {
    this.#config = undefined;
  }

  /**
   * What an unmodified file of the index was on disk; undefined where that is not known.
   * @param id its blob
   */
  async contentOf(below: string, id: string): Promise<Content | undefined> {
    const { attributes, config, rule } = await this.#conversion(below);
    if (runsProgram(attributes, config) || isEncoded(attributes)) return undefined;
    if (attributes.ident !== 'set' && !rule.isNormalized && attributes.filter !== 'lfs') {
      const found = await this.#objects.find(id);
      return found?.type === 'blob' ? { kind: 'file', id, size: found.size } : undefined;
    }
    const bytes = await this.#objects.blob(id);
    if (!bytes || (attributes.ident === 'set' && bytes.includes('$Id'))) return undefined;
    if (attributes.filter === 'lfs' && pointerIn(bytes)) {
      // Without the filter the pointer itself is checked out.
      const now = await this.#readFile(below);
      if (!now || !pointerIn(now)) return undefined;
    }
    const crlf = rule.isNormalized ? withCrlf(bytes, rule) : undefined;
    if (!crlf || !(await this.#hadCrlf(below, id, rule, bytes.byteLength, crlf.byteLength))) {
      return { kind: 'file', id, size: bytes.byteLength };
    }
    const content = contentOf(crlf, this.#git.algorithm);
    this.#remember(content.id, { id, rule });
    return content;
  }

  /** The bytes of a blob, or of what {@link contentOf} made of one. */
  async bytesOf(id: string): Promise<Uint8Array | undefined> {
    const source = this.#converted.get(id);
    if (!source) return this.#objects.blob(id);
    const bytes = await this.#objects.blob(source.id);
    return bytes && withCrlf(bytes, source.rule);
  }

  /** Whether git takes a content for the blob, in whatever form it has in the work tree. */
  async isFormOf(below: string, content: Content, id: string): Promise<boolean> {
    if (content.kind !== 'file') return false;
    if (content.id === id) return true;
    const { attributes, rule } = await this.#conversion(below);
    if (isEncoded(attributes)) return false;
    const isPointer = attributes.filter === 'lfs';
    if (!isPointer && !rule.isNormalized) return false;
    const bytes = await this.#objects.blob(id);
    if (!bytes) return false;
    if (isPointer) return this.#isContentOf(pointerIn(bytes), below, content);
    const crlf = withCrlf(bytes, rule);
    return crlf !== undefined && contentOf(crlf, this.#git.algorithm).id === content.id;
  }

  dispose(): void {
    this.#attributes.dispose();
  }

  async #conversion(below: string) {
    this.#config ??= readConversionConfig(this.#git);
    const [attributes, config] = await Promise.all([this.#attributes.of(below), this.#config]);
    return { attributes, config, rule: lineEndRule(attributes, config) };
  }

  /** Whether the file had CRLF before it changed. */
  async #hadCrlf(
    below: string,
    id: string,
    rule: LineEndRule,
    storedSize: number,
    crlfSize: number,
  ): Promise<boolean> {
    const usual = rule.written === 'crlf';
    const now = await this.#readFile(below);
    const ends = now ? lineEndsOf(now) : { lf: 0, crlf: 0 };
    const isCrlfNow = ends.crlf === ends.lf ? usual : ends.crlf > ends.lf;
    if (isCrlfNow === usual) return usual;
    // Either the file has always been the exception, or whoever changed it changed its line ends.
    const stat = await indexStat(this.#git, below);
    if (stat?.id !== id) return isCrlfNow;
    if (stat.size === crlfSize) return true;
    return stat.size === storedSize ? false : isCrlfNow;
  }

  async #isContentOf(
    pointer: { readonly oid: string; readonly size: number } | undefined,
    below: string,
    content: Content,
  ): Promise<boolean> {
    if (content.kind !== 'file' || pointer?.size !== content.size) return false;
    const bytes = await this.#readFile(below);
    return (
      bytes !== undefined &&
      contentOf(bytes, this.#git.algorithm).id === content.id &&
      createHash('sha256').update(bytes).digest('hex') === pointer.oid
    );
  }

  #remember(id: string, converted: Converted): void {
    this.#converted.set(id, converted);
    const [oldest] = this.#converted.keys();
    if (this.#converted.size > maxConverted && oldest !== undefined) this.#converted.delete(oldest);
  }
}

function runsProgram({ filter }: PathAttributes, { filters }: ConversionConfig): boolean {
  return filters.has(filter);
}

function isEncoded({ encoding }: PathAttributes): boolean {
  return !['unspecified', 'unset', 'set'].includes(encoding);
}

/** What a pointer of git-lfs stands for. */
function pointerIn(bytes: Uint8Array): { oid: string; size: number } | undefined {
  if (bytes.byteLength > maxPointerBytes) return undefined;
  const text = Buffer.from(bytes).toString('latin1');
  const oid = /^oid sha256:([0-9a-f]{64})$/m.exec(text)?.[1];
  const size = /^size (\d{1,15})$/m.exec(text)?.[1];
  if (!text.startsWith(pointerStart) || oid === undefined || size === undefined) return undefined;
  return { oid, size: Number(size) };
}

export interface IndexStat {
  readonly id: string;
  /** The size of the file when git last found it unmodified; 0 where git is not sure. */
  readonly size: number;
  /** `git add --intent-to-add`: the file is not in the index yet, in spite of its entry. */
  readonly isIntentToAdd: boolean;
}

const intentToAddFlag = 0x2000_0000;

/** What the index says of one file beyond its blob; undefined for an unmerged one, and where git words it anew. */
export async function indexStat(git: Git, below: string): Promise<IndexStat | undefined> {
  const options = ['--literal-pathspecs'];
  const { bytes } = await git.run('ls-files', ['-s', '-z', '--debug', '--', below], { options });
  const text = bytes.toString('utf8');
  const id = /^\d{6} ([0-9a-f]{40,64}) 0\t/.exec(text)?.[1];
  const match = /\n {2}size: (\d+)\tflags: ([0-9a-f]+)\n/.exec(text.slice(text.indexOf('\0')));
  if (id === undefined || !match) return undefined;
  const [, size, flags = '0'] = match;
  const isIntentToAdd = (Number.parseInt(flags, 16) & intentToAddFlag) !== 0;
  return { id, size: Number(size), isIntentToAdd };
}
