import { lstatSync } from 'node:fs';
import path from 'node:path';
import { Slices } from '../../base/async/slices';
import { ignoreFileNames } from '../../platform/egress/paths/ignoreFiles';
import { PathRules } from '../../platform/egress/paths/pathRules';
import type { CountedRoot } from '../local/candidates';
import { FileTable, PathTexts } from '../local/fileTable';
import type { NearWordFinder } from '../local/query/misspelled';
import {
  type ListOptions,
  listSearchedFiles,
  readDiskBytes,
  searchedFilesRules,
} from '../workspace/searchedFiles';
import { walkFiles } from '../workspace/walk';
import type { CountedTerms } from './countTerms';
import { IndexSegment } from './indexSegment';
import { PartTable } from './partTable';
import { SegmentBuilder } from './segmentBuilder';
import { IndexStorage } from './storage';

/** A folder, and where its index is kept. */
export interface IndexedFolder {
  /** Absolute, links resolved. */
  readonly root: string;
  /** Absolute; a folder of its own. */
  readonly storage: string;
  readonly files: ListOptions;
}

const maxListMs = 120_000;
/** A file that was changed so short before it was read may change again within the resolution of its time. */
const settledMs = 2000;
/** About later changes it may yet be told, in milliseconds. */
const announcedMs = 10_000;
/** Larger segments are not merged with others, in bytes of their lists. */
const maxMergedBytes = 2_000_000;
/** Smaller ones are not read again because files of them are gone. */
const minRenewedFiles = 64;

/** To read more of the files one by one takes longer than to search all of them with ripgrep. */
const maxShare = 1 / 50;
const minHelpful = 100;

/** What a comparison with all files has found. */
interface Verified {
  /** Files that were changed some time ago, about which nothing was told. */
  readonly missed: number;
}

interface ReadRequest {
  readonly isForced?: boolean;
  readonly changedBefore?: number;
}

interface LiveSegment {
  readonly name: string;
  readonly segment: IndexSegment;
  readonly files: FileTable;
  /** By file: 1 unless another segment has it as it is now, or it is gone. */
  readonly isLive: Uint8Array;
  live: number;
}

interface Place {
  readonly segment: LiveSegment;
  readonly file: number;
}

/** The index of one folder, kept up to date with its files. One change at a time. */
export class FolderIndex {
  readonly #folder: IndexedFolder;
  readonly #storage: IndexStorage;
  readonly #signal: AbortSignal;
  #rules: PathRules;
  #segments: LiveSegment[] = [];
  readonly #places = new Map<string, Place>();
  readonly #texts = new PathTexts();
  /** Names of the segments that are in use on the disk. */
  #stored: readonly string[] = [];

  /** @param signal ends what it does after the files that are being read. */
  constructor(folder: IndexedFolder, signal: AbortSignal) {
    this.#folder = folder;
    this.#signal = signal;
    this.#storage = new IndexStorage(
      folder.storage,
      JSON.stringify([folder.root, folder.files.exclude ?? [], folder.files.flags ?? []]),
    );
    this.#rules = new PathRules(searchedFilesRules(folder.files));
  }

  /** Number of files. */
  get size(): number {
    return this.#places.size;
  }

  /** Bytes of its tables. */
  get bytes(): number {
    return this.#segments.reduce((sum, { segment: { tables } }) => {
      const { parts, partStarts, lists, listStarts } = tables;
      return sum + parts.length + lists.length + partStarts.byteLength + listStarts.byteLength;
    }, 0);
  }

  /** Reads what is stored. The index is right after {@link verify}. */
  async load(): Promise<void> {
    for (const { name, segment } of await this.#storage.load()) this.#use(name, segment);
    this.#stored = this.#segments.map(({ name }) => name);
  }

  /** Compares the index with all files, and reads those that are new or changed. */
  async verify(): Promise<Verified> {
    const changedBefore = Date.now() - announcedMs;
    const { root, files } = this.#folder;
    this.#rules = new PathRules(searchedFilesRules(files));
    const listed = await listSearchedFiles(root, files, {
      signal: this.#signal,
      deadlineMs: maxListMs,
    });
    if (!listed) throw new Error('the files could not be listed in time');
    const present = new Set(listed);
    const gone = [...this.#places.keys()].filter(file => !present.has(file));
    for (const file of gone) this.#forget(file);
    const missed = await this.#read(listed, { changedBefore });
    await this.#tidy();
    return { missed };
  }

  /** Reads files again that may have changed, each a path relative to the root; a folder means its files. */
  async update(paths: readonly string[]): Promise<void> {
    for (const below of paths) {
      if (await this.#decidesAboutOthers(below)) {
        await this.verify();
        return;
      }
    }
    const files: string[] = [];
    for (const below of paths) {
      const kind = kindOnDisk(path.join(this.#folder.root, below));
      if (kind === 'nothing') {
        this.#forgetWithin(below);
      } else if (this.#places.has(below)) {
        files.push(below);
      } else if (!(await this.#rules.refusal(this.#folder.root, below, kind === 'folder'))) {
        if (kind === 'file') files.push(below);
        else await this.#walk(below, files);
      }
    }
    await this.#read(files);
    await this.#tidy();
  }

  /** Whether it is an ignore file, but not one in a folder that is left out, such as of a package. */
  async #decidesAboutOthers(below: string): Promise<boolean> {
    const { dir, base } = path.posix.parse(below);
    if (!ignoreFileNames.has(base)) return false;
    return (await this.#rules.refusal(this.#folder.root, dir, true)) === undefined;
  }

  /** The files of a folder that may have come as a whole, so that nothing tells of them. */
  async #walk(below: string, files: string[]): Promise<void> {
    await walkFiles({
      root: this.#folder.root,
      below,
      ...searchedFilesRules(this.#folder.files),
      signal: this.#signal,
      deadlineMs: maxListMs,
      onFile: file => files.push(file) > 0,
    });
  }

  /**
   * @param unsaved hits of files by path, in place of what is in them; undefined for none
   * @param without beginnings of paths that are left out
   */
  counted(
    terms: CountedTerms,
    unsaved: ReadonlyMap<string, Float32Array | undefined>,
    without: readonly string[],
  ): CountedRoot {
    const counted = new Map(this.#segments.map(one => [one, terms.countIn(one.segment)] as const));
    for (const [below, ofFile] of unsaved) {
      const place = this.#places.get(below);
      const counts = place && counted.get(place.segment);
      const from = (place?.file ?? 0) * terms.count;
      counts?.fill(0, from, from + terms.count).set(ofFile ?? [], from);
    }
    return [...counted].map(([{ files, isLive }, counts]) => ({
      files,
      counts,
      isLeftOut: file =>
        isLive[file] === 0 || without.some(folder => files.paths[file]?.startsWith(folder)),
    }));
  }

  /**
   * The files that have all parts of an identifier, each as a whole part: those that mention it, and some that have them
   * apart from each other. Undefined where no part of it is indexed, and where the parts are too common to help.
   */
  filesWith(name: string): string[] | undefined {
    const table = new PartTable();
    const parts = table.read(Buffer.from(name)).map(part => table.bytesOf(part));
    if (parts.length === 0) return undefined;
    const found = this.#segments.flatMap(({ segment, files, isLive }) => {
      const having = new Uint8Array(isLive.length);
      for (const part of parts) {
        const [from, to] = segment.equalTo(part);
        for (let at = from; at < to; at++) segment.filesWith(at, file => having[file]!++);
      }
      return files.paths.filter((_, file) => isLive[file] === 1 && having[file] === parts.length);
    });
    return found.length > Math.max(minHelpful, maxShare * this.size) ? undefined : found;
  }

  /** Notes the words of all files that are near those of a finder. */
  findNear(finder: NearWordFinder): void {
    for (const { segment, isLive } of this.#segments) {
      for (const first of finder.firstLetters) {
        const [from, to] = segment.beginningWith(Buffer.from(first));
        for (let part = from; part < to; part++) {
          const word = segment.wordOf(part);
          if (!finder.matchesWhole(word)) continue;
          let count = 0;
          segment.filesWith(part, (file, times) => {
            count += isLive[file] === 1 ? times : 0;
          });
          finder.note(word, count);
        }
      }
    }
  }

  /**
   * Reads those of the files that are not known as they are, into new segments.
   * @param changedBefore a time in milliseconds
   * @returns how many of them were changed before that time
   */
  async #read(
    paths: readonly string[],
    { isForced = false, changedBefore = 0 }: ReadRequest = {},
  ): Promise<number> {
    const slices = new Slices(this.#signal);
    let missed = 0;
    let builder = new SegmentBuilder();
    for (const below of paths) {
      await slices.pause();
      const absolute = path.join(this.#folder.root, below);
      const state = stateOf(absolute);
      if (!state) {
        this.#forget(below);
      } else if (isForced || this.#stampOf(below) !== state.stamp) {
        if (state.changedAt < changedBefore) missed++;
        builder.add(below, state.stamp, readDiskBytes(absolute) ?? nothing);
        if (builder.isFull) {
          await this.#add(builder);
          // What is read by now stays, should the window close.
          await this.#store();
          builder = new SegmentBuilder();
        }
      }
    }
    if (builder.size > 0) await this.#add(builder);
    return missed;
  }

  /** The stamp of a file as it was read; undefined when it has to be read again. */
  #stampOf(below: string): string | undefined {
    const place = this.#places.get(below);
    const stamp = place?.segment.segment.files[place.file]?.stamp;
    return stamp === unsettled ? undefined : stamp;
  }

  async #add(builder: SegmentBuilder): Promise<void> {
    const segment = new IndexSegment(builder.build());
    this.#use(await this.#storage.write(segment), segment);
  }

  /** Takes the files of a segment, and forgets what older ones have of them. */
  #use(name: string, segment: IndexSegment): void {
    const paths = segment.files.map(({ path: file }) => file);
    const files = new FileTable(this.#texts);
    for (const file of paths) files.add(file);
    const isLive = new Uint8Array(paths.length);
    const added: LiveSegment = { name, segment, files, isLive, live: 0 };
    for (const [number, file] of paths.entries()) {
      this.#forget(file);
      isLive[number] = 1;
      added.live++;
      this.#places.set(file, { segment: added, file: number });
    }
    this.#segments.push(added);
  }

  #forget(below: string): void {
    const place = this.#places.get(below);
    if (!place) return;
    place.segment.isLive[place.file] = 0;
    place.segment.live--;
    this.#places.delete(below);
  }

  /** Forgets a file, or all files of a folder. */
  #forgetWithin(below: string): void {
    if (this.#places.has(below)) {
      this.#forget(below);
      return;
    }
    const within = [...this.#places.keys()].filter(file => file.startsWith(`${below}/`));
    for (const file of within) this.#forget(file);
  }

  /**
   * Keeps few segments: files of small ones, and of those that have lost half of theirs, are read into one. As a
   * segment is merged only with one that is at most twice as large, each file is read again a few times at most.
   */
  async #tidy(): Promise<void> {
    for (;;) {
      this.#segments = this.#segments.filter(({ live }) => live > 0);
      const merged = this.#segmentsToMerge();
      if (merged.length === 0) break;
      const paths = merged.flatMap(({ files, isLive }) =>
        files.paths.filter((_, file) => isLive[file] === 1),
      );
      await this.#read(paths, { isForced: true });
    }
    await this.#store();
  }

  async #store(): Promise<void> {
    const names = this.#segments.map(({ name }) => name);
    if (String(names) === String(this.#stored)) return;
    await this.#storage.use(names);
    this.#stored = names;
  }

  #segmentsToMerge(): LiveSegment[] {
    const [last, before] = this.#segments.toReversed();
    const isSmall = ({ segment }: LiveSegment): boolean =>
      segment.tables.lists.length < maxMergedBytes;
    if (last && before && isSmall(last) && isSmall(before) && 2 * last.live >= before.live) {
      return [before, last];
    }
    const worn = this.#segments.find(
      ({ live, files }) => files.paths.length >= minRenewedFiles && 2 * live < files.paths.length,
    );
    return worn ? [worn] : [];
  }
}

const nothing = new Uint8Array();

/** The stamp of a file that may change again without another one. */
const unsettled = '';

/** Undefined when it is no file. */
function stateOf(absolute: string): { changedAt: number; stamp: string } | undefined {
  const found = lstatSync(absolute, { throwIfNoEntry: false });
  if (!found?.isFile()) return undefined;
  const { mtimeMs: changedAt, size } = found;
  const isSettled = Date.now() - changedAt > settledMs;
  return { changedAt, stamp: isSettled ? `${changedAt}-${size}` : unsettled };
}

function kindOnDisk(absolute: string): 'file' | 'folder' | 'nothing' {
  const found = lstatSync(absolute, { throwIfNoEntry: false });
  if (found?.isDirectory()) return 'folder';
  return found?.isFile() ? 'file' : 'nothing';
}
