import { hasMarkers } from '../../merge';
import type { MergeFinding } from '../changeset/engine';
import { FileNames, type Location } from './locate';
import { type Edited, mergeOperation, type TextOperation } from './mergeOperation';
import { type AnswerPart, type Operation, reasons } from './operations';

/** The files of a workspace, as far as an answer needs them. Paths are relative, with `/`. */
export interface AnswerWorkspace {
  files(): readonly string[];
  /** Undefined where there is no such file, or none with text. */
  read(path: string): string | undefined;
}

export interface FileChange {
  readonly kind: 'edit' | 'create' | 'delete' | 'rename';
  readonly path: string;
  readonly newPath?: string;
  /** The new text; absent for a file that is deleted, or renamed without a change. */
  readonly text?: string;
  /** False where the answer can be read in another way. */
  readonly certain: boolean;
  readonly findings: readonly MergeFinding[];
}

export interface RefusedPart {
  readonly part: string;
  readonly reason: string;
  readonly path?: string;
}

export interface AnswerResult {
  readonly files: FileChange[];
  readonly refused: RefusedPart[];
}

/** What the parts so far have made of one file. */
interface FileState {
  /** Undefined for a new file. */
  readonly origin: { readonly path: string; readonly text: string } | undefined;
  /** Undefined once it is deleted. */
  text: string | undefined;
  certain: boolean;
  findings: MergeFinding[];
}

/** Files of which the content is compared, where an answer names no file. */
const maxSearched = 20_000;
const maxCandidates = 8;
/** Parts without a name for which all files are compared. */
const maxSearches = 20;

/** Applies the parts of an answer one after another; later parts meet what earlier ones have made. */
export class WorkingSet {
  readonly #workspace: AnswerWorkspace;
  readonly #activePath: string | undefined;
  #names: FileNames | undefined;
  #searches = 0;
  /** By the present path, in the order in which the answer touched them. */
  readonly #states = new Map<string, FileState>();
  /** Old names of renamed files. */
  readonly #movedAway = new Set<string>();
  readonly #refused: RefusedPart[] = [];
  /** Parts that changed nothing, by the path of their file. */
  readonly #idle: { readonly path: string; readonly source: string }[] = [];

  constructor(workspace: AnswerWorkspace, activePath: string | undefined) {
    this.#workspace = workspace;
    this.#activePath = activePath;
  }

  apply({ source, operation }: AnswerPart): void {
    const refusal = this.#perform(operation, source);
    if (refusal !== undefined) this.#refuse(source, refusal, operation);
  }

  result(): AnswerResult {
    const files = [...this.#states].flatMap(([path, state]) => changeOf(path, state) ?? []);
    const changed = new Set(files.map(({ path, newPath }) => newPath ?? path));
    const idle = this.#idle
      .filter(({ path }) => !changed.has(path))
      .map(({ path, source }) => ({
        part: source,
        path,
        reason: `${path} already holds this edit: there is nothing to change.`,
      }));
    return { files, refused: [...this.#refused, ...idle] };
  }

  #refuse(source: string, reason: string, { path }: Operation): void {
    this.#refused.push({ part: source, reason, ...(path !== undefined && { path }) });
  }

  /** Returns the reason why it cannot be done. */
  #perform(operation: Operation, source: string): string | undefined {
    switch (operation.kind) {
      case 'none':
        return operation.reason;
      case 'create':
        return this.#create(operation.path, operation.text, source);
      case 'delete':
        return this.#delete(operation);
      case 'rename':
      case 'copy':
        return this.#move(operation, source);
      default:
        return operation.path === undefined
          ? this.#editUnnamed(operation, source)
          : this.#edit(operation, operation.path, source);
    }
  }

  #edit(operation: TextOperation, given: string, source: string): string | undefined {
    const location = this.#locate(given);
    if (location.kind === 'outside') return outside(given);
    if (location.kind === 'ambiguous') return this.#editOneOf(operation, location.paths, source);
    const { path } = location;
    const before = location.kind === 'found' ? this.#read(path) : undefined;
    if (before !== undefined) return this.#change(operation, path, before, source);
    if (location.kind === 'found') return `${path} cannot be read as text.`;
    const text = textOfNewFile(operation);
    if (text === undefined) {
      return `There is no file ${given} in this workspace, and the edit shows only a part of it.`;
    }
    return this.#create(given, text, source);
  }

  /** The file that the edit fits, if it fits only one of several with the name. */
  #editOneOf(
    operation: TextOperation,
    paths: readonly string[],
    source: string,
  ): string | undefined {
    const fitting = paths.slice(0, maxCandidates).flatMap(path => {
      const before = this.#read(path);
      const merged =
        before === undefined
          ? undefined
          : mergeOperation(before, operation, { path, isTouched: this.#states.has(path) });
      return merged?.kind === 'edited' && merged.certain ? [{ path, before, merged }] : [];
    });
    const [only, second] = fitting;
    if (only && second === undefined)
      return this.#keep(only.path, only.before ?? '', only.merged, source);
    const shown = paths.slice(0, maxCandidates).join(', ');
    return `Several files have this name: ${shown}. Say which one is meant.`;
  }

  /** An edit that names no file: for the active one, else for the one that holds its lines. */
  #editUnnamed(operation: TextOperation, source: string): string | undefined {
    const active = this.#activePath;
    const before = active === undefined ? undefined : this.#read(active);
    let reason: string = reasons.noPath;
    if (active !== undefined && before !== undefined) {
      const merged = mergeOperation(before, operation, {
        path: active,
        isTouched: this.#states.has(active),
      });
      if (merged.kind === 'edited') return this.#keep(active, before, merged, source);
      ({ reason } = merged);
    }
    const found = this.#searches++ < maxSearches ? this.#byContent(operation, active) : [];
    return found.length === 0 ? reason : this.#editOneOf(operation, found, source);
  }

  /** The files that hold the most of the lines that an edit shows. */
  #byContent(operation: TextOperation, except: string | undefined): string[] {
    const wanted = distinctiveLines(operation);
    if (wanted.length === 0) return [];
    let best = 0;
    let found: string[] = [];
    for (const path of this.#workspace.files().slice(0, maxSearched)) {
      if (path === except) continue;
      const text = this.#read(path);
      if (text === undefined) continue;
      const count = wanted.filter(line => text.includes(line)).length;
      if (count > best) {
        best = count;
        found = [];
      }
      if (count > 0 && count === best) found.push(path);
    }
    return found;
  }

  #change(
    operation: TextOperation,
    path: string,
    before: string,
    source: string,
  ): string | undefined {
    return this.#keep(
      path,
      before,
      mergeOperation(before, operation, { path, isTouched: this.#states.has(path) }),
      source,
    );
  }

  #keep(path: string, before: string, merged: Edited, source: string): string | undefined {
    if (merged.kind === 'refused') return merged.reason;
    if (merged.text === before) {
      this.#idle.push({ path, source });
      return undefined;
    }
    const state = this.#state(path, before);
    const lost = lostLine(state, merged.text);
    if (lost !== undefined) state.findings.push(laterPart(lost));
    state.text = merged.text;
    state.certain &&= merged.certain && lost === undefined;
    state.findings.push(...merged.findings);
    return undefined;
  }

  #create(given: string, text: string, source: string): string | undefined {
    const location = this.#locate(given, true);
    if (location.kind === 'outside') return outside(given);
    const path = location.kind === 'ambiguous' ? given : location.path;
    const before = this.#read(path);
    if (before !== undefined) {
      return this.#keep(
        path,
        before,
        mergeOperation(before, { kind: 'write', path, text }, { path }),
        source,
      );
    }
    this.#names?.add(path);
    this.#states.set(path, {
      origin: this.#states.get(path)?.origin,
      text: text === '' || text.endsWith('\n') ? text : `${text}\n`,
      certain: true,
      findings: [],
    });
    return undefined;
  }

  #delete({ path: given, isStated }: Extract<Operation, { kind: 'delete' }>): string | undefined {
    const location = this.#locate(given);
    if (location.kind === 'outside') return outside(given);
    const before = location.kind === 'found' ? this.#read(location.path) : undefined;
    if (location.kind !== 'found' || before === undefined) {
      return `There is no file ${given} in this workspace to delete.`;
    }
    const state = this.#state(location.path, before);
    state.text = undefined;
    state.certain &&= isStated !== true;
    return undefined;
  }

  #move(
    { kind, path: given, newPath, diff, isStated }: Extract<Operation, { kind: 'rename' | 'copy' }>,
    source: string,
  ): string | undefined {
    const location = this.#locate(given);
    const target = this.#locate(newPath, true);
    if (location.kind === 'outside' || target.kind === 'outside') {
      return outside(location.kind === 'outside' ? given : newPath);
    }
    const before = location.kind === 'found' ? this.#read(location.path) : undefined;
    if (location.kind !== 'found' || before === undefined) {
      return `There is no file ${given} in this workspace to ${kind}.`;
    }
    const to = target.kind === 'ambiguous' ? newPath : target.path;
    if (this.#read(to) !== undefined)
      return `${to} exists already, so ${given} does not take its place.`;
    const merged: Edited =
      diff === undefined
        ? { kind: 'edited', text: before, certain: true, findings: [] }
        : mergeOperation(before, { kind: 'diff', diff }, { path: location.path });
    if (merged.kind === 'refused') return merged.reason;
    if (kind === 'copy') return this.#create(to, merged.text, source);
    const state = this.#state(location.path, before);
    this.#states.delete(location.path);
    this.#movedAway.add(location.path);
    this.#names?.add(to);
    state.text = merged.text;
    state.certain &&= merged.certain && isStated !== true;
    state.findings.push(...merged.findings);
    this.#states.set(to, state);
    return undefined;
  }

  #state(path: string, text: string): FileState {
    let state = this.#states.get(path);
    if (!state) {
      state = { origin: { path, text }, text, certain: true, findings: [] };
      this.#states.set(path, state);
    }
    return state;
  }

  /** The present text of a file. */
  #read(path: string): string | undefined {
    const state = this.#states.get(path);
    if (state) return state.text;
    return this.#movedAway.has(path) ? undefined : this.#workspace.read(path);
  }

  /** @param isExact for a new file, which is not looked for in other folders. */
  #locate(given: string, isExact = false): Location {
    this.#names ??= new FileNames(this.#workspace.files());
    const location = this.#names.locate(given, this.#activePath);
    if (!isExact || location.kind === 'outside' || location.kind === 'missing') return location;
    const path = given.replace(/^(?:\.[\\/])+/, '').replaceAll('\\', '/');
    const isSame = location.kind === 'found' && location.path === path;
    return isSame ? location : { kind: 'missing', path };
  }
}

const linesOf = (text: string): string[] => text.split('\n').map(line => line.trim());

/** The first line that an earlier part of the answer added and a later one takes away. */
function lostLine({ origin, text = '' }: FileState, next: string): string | undefined {
  if (text === origin?.text) return undefined;
  const kept = new Set([...linesOf(next), ...linesOf(origin?.text ?? '')]);
  return linesOf(text).find(line => !kept.has(line));
}

const laterPart = (line: string): MergeFinding => ({
  kind: 'laterPart',
  severity: 'warning',
  line: 1,
  message: `A later part of the answer takes away what an earlier one adds, such as "${line}".`,
});

const outside = (path: string): string =>
  `${path} is outside of the workspace, so it is not changed.`;

/** The text of a file that does not exist yet; undefined when the edit shows only a part of one. */
function textOfNewFile(operation: TextOperation): string | undefined {
  switch (operation.kind) {
    case 'write':
      return operation.text;
    case 'snippet':
      return hasMarkers(operation.text) ? undefined : operation.text;
    case 'blocks': {
      const [block, second] = operation.blocks;
      return block && second === undefined && block.search.trim() === ''
        ? block.replace
        : undefined;
    }
    case 'diff': {
      const lines = operation.diff
        .split('\n')
        .filter(line => line !== '' && !line.startsWith('@@'));
      const isNew = lines.length > 0 && lines.every(line => line.startsWith('+'));
      return isNew ? lines.map(line => `${line.slice(1)}\n`).join('') : undefined;
    }
    default:
      return undefined;
  }
}

const minLineLength = 8;
const maxLines = 12;

/** Lines of the file that an edit shows: long ones, which few files share. */
function distinctiveLines(operation: TextOperation): string[] {
  const shown =
    operation.kind === 'snippet' || operation.kind === 'write'
      ? operation.text
      : operation.kind === 'blocks'
        ? operation.blocks.map(({ search }) => search).join('\n')
        : operation.kind === 'diff'
          ? operation.diff
              .split('\n')
              .flatMap(line => (/^[- ]/.test(line) ? [line.slice(1)] : []))
              .join('\n')
          : '';
  const lines = new Set(
    shown
      .split('\n')
      .map(line => line.trim())
      .filter(line => line.length >= minLineLength && !hasMarkers(line)),
  );
  return [...lines].toSorted((a, b) => b.length - a.length).slice(0, maxLines);
}

function changeOf(path: string, state: FileState): FileChange | undefined {
  const { origin, text, certain, findings } = state;
  if (!origin)
    return text === undefined ? undefined : { kind: 'create', path, text, certain, findings };
  if (text === undefined) return { kind: 'delete', path: origin.path, certain, findings };
  const isChanged = text !== origin.text;
  if (path !== origin.path) {
    return {
      kind: 'rename',
      path: origin.path,
      newPath: path,
      ...(isChanged && { text }),
      certain,
      findings,
    };
  }
  return isChanged ? { kind: 'edit', path, text, certain, findings } : undefined;
}
