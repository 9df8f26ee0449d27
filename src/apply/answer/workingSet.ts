import { type Sentence, sentence, type Translate, translated, verbatim } from '../../base/sentence';
import { type ComparedFile, type HoldingFile, holdersAmong } from '../target/contentLookup';
import { judgePlaces } from '../target/places';
import { guessedFile, laterPart, lostLine, unmarkedLines } from './answerFindings';
import type { AnswerResult, AnswerWorkspace, RefusedPart } from './answerResult';
import { changeOf, type FileState, newState, noteCutOff } from './fileState';
import { FileNames, type Location } from './locate';
import { type Edited, mergeOperation, type TextOperation } from './mergeOperation';
import { editNotebook, isJsonEdit, onlyCell } from './notebook/editNotebook';
import { isNotebookPath } from './notebook/notebookFile';
import { type EditOperation, type EditPart, reasons } from './operations';
import { shownLines, textOfNewFile } from './shownText';

/** Files of which the content is compared, where an answer names no file. */
const maxSearched = 20_000;
const maxCandidates = 8;
/** Parts without a name for which all files are compared. */
const maxSearches = 20;
/** Files with this share of the best one's score are tried too. */
const minShare = 0.6;

/** A file that an edit without a name may be for. */
interface FoundFile {
  readonly path: string;
  readonly before: string;
  readonly merged: Edited;
  readonly isCertain: boolean;
}

/** Applies the parts of an answer one after another; later parts meet what earlier ones have made. */
export class WorkingSet {
  readonly #workspace: AnswerWorkspace;
  readonly #activePath: string | undefined;
  readonly #t: Translate;
  #indexed: FileNames | undefined;
  #searches = 0;
  /** By the present path, in the order in which the answer touched them. */
  readonly #states = new Map<string, FileState>();
  /** Old names of renamed files. */
  readonly #movedAway = new Set<string>();
  readonly #refused: RefusedPart[] = [];
  /** The part that is applied. */
  #part: EditPart = { source: '', operation: { kind: 'none', reason: reasons.noPath } };
  /** Parts that changed nothing, by the path of their file. */
  readonly #idle: { readonly path: string; readonly source: string }[] = [];

  /** Paths as the answer gives them. */
  readonly #given: readonly string[];

  /** @param parts of the answer. */
  constructor(
    parts: readonly EditPart[],
    workspace: AnswerWorkspace,
    activePath: string | undefined,
    t: Translate,
  ) {
    this.#given = parts.flatMap(({ operation: { path } }) => path ?? []);
    this.#workspace = workspace;
    this.#activePath = activePath;
    this.#t = t;
  }

  apply(part: EditPart): void {
    this.#part = part;
    const { source, operation, isFurtherPart } = part;
    const refusal = this.#perform(operation);
    // The prose between two blocks may lead to another file without a name.
    const mayBeElsewhere =
      isFurtherPart === true && (operation.kind === 'snippet' || operation.kind === 'blocks');
    const reason =
      refusal && mayBeElsewhere
        ? this.#editByContent({ ...operation, path: undefined }, operation.path, refusal)
        : refusal;
    if (reason) this.#refuse(source, reason, operation);
  }

  result(): AnswerResult {
    const files = [...this.#states].flatMap(([path, state]) => changeOf(path, state) ?? []);
    const changed = new Set(files.map(({ path, newPath }) => newPath ?? path));
    const idle = this.#idle
      .filter(({ path }) => !changed.has(path))
      .map(({ path, source }) => ({
        part: source,
        path,
        reason: translated(
          sentence('{0} already holds this edit: there is nothing to change.', path),
          this.#t,
        ),
      }));
    return { files, refused: [...this.#refused, ...idle] };
  }

  #refuse(source: string, why: Sentence, { path }: EditOperation): void {
    const reason = translated(why, this.#t);
    this.#refused.push({ part: source, reason, ...(path !== undefined && { path }) });
  }

  /** Returns the reason why it cannot be done. */
  #perform(operation: EditOperation): Sentence | undefined {
    const names = [operation.path, 'newPath' in operation ? operation.newPath : undefined];
    // Where an answer was cut off, the end of a name may be lines away.
    if (names.some(name => name !== undefined && /[\n\r\0]/.test(name))) return reasons.noPath;
    switch (operation.kind) {
      case 'none':
        return operation.reason;
      case 'create':
        return this.#create(operation.path, operation.text, operation.hasUnmarked);
      case 'delete':
        return this.#delete(operation);
      case 'rename':
      case 'copy':
        return this.#move(operation);
      default:
        return operation.path === undefined
          ? this.#editUnnamed(operation)
          : this.#edit(operation, operation.path);
    }
  }

  #edit(operation: TextOperation, given: string): Sentence | undefined {
    const location = this.#locate(given);
    if (location.kind === 'outside') return outside(given);
    if (location.kind === 'ambiguous') return this.#editOneOf(operation, location.paths);
    const { path } = location;
    const cells = isJsonEdit(operation) ? undefined : this.#workspace.cells?.(path);
    if (cells) return this.#editCell(operation, cells);
    const before = location.kind === 'found' ? this.#read(path) : undefined;
    if (before !== undefined) {
      return this.#keep(path, before, this.#merge(operation, path, before));
    }
    if (location.kind === 'found') {
      return this.#unreadable(path) ?? sentence('{0} cannot be read as text.', path);
    }
    const text = textOfNewFile(operation);
    if (text === undefined) {
      return sentence(
        'There is no file {0} in this workspace, and the edit shows only a part of it.',
        given,
      );
    }
    return this.#create(given, text);
  }

  /** A notebook that is open in its editor is changed there, cell by cell. */
  #editCell(operation: TextOperation, cells: readonly string[]): Sentence | undefined {
    const texts = cells.map(path => this.#read(path) ?? '');
    const file = { isTouched: true, t: this.#t };
    const chosen = onlyCell(
      operation,
      texts,
      cells.map((path, at) => mergeOperation(texts[at] ?? '', operation, { ...file, path })),
    );
    if ('reason' in chosen) return chosen.reason;
    return this.#keep(cells[chosen.at] ?? '', texts[chosen.at] ?? '', chosen.edit);
  }

  /** The file that the edit fits, if it fits only one of several with the name. */
  #editOneOf(operation: TextOperation, paths: readonly string[]): Sentence | undefined {
    const fitting = paths.slice(0, maxCandidates).flatMap(path => {
      const before = this.#read(path);
      if (before === undefined) return [];
      const merged = this.#merge(operation, path, before);
      return merged.kind === 'edited' && merged.certain ? [{ path, before, merged }] : [];
    });
    const [only, second] = fitting;
    if (only && second === undefined) {
      return this.#keep(only.path, only.before, only.merged);
    }
    const shown = paths.slice(0, maxCandidates).join(', ');
    return sentence('Several files have this name: {0}. Say which one is meant.', shown);
  }

  /** An edit that names no file: for the active one, else for the one that holds its lines. */
  #editUnnamed(operation: TextOperation): Sentence | undefined {
    const active = this.#activePath;
    const before = active === undefined ? undefined : this.#read(active);
    let reason: Sentence = reasons.noPath;
    if (active !== undefined && before !== undefined) {
      const merged = this.#merge(operation, active, before);
      if (merged.kind === 'edited') return this.#keep(active, before, merged);
      ({ reason } = merged);
    }
    return this.#editByContent(operation, active, reason);
  }

  /**
   * Makes an edit in the file that holds its lines.
   *
   * @param except the file that is known not to take it.
   * @returns the reason why it cannot be done: `reason` where no file holds any.
   */
  #editByContent(
    operation: TextOperation,
    except: string | undefined,
    reason: Sentence,
  ): Sentence | undefined {
    const found = this.#searches++ < maxSearches ? this.#byContent(operation, except) : [];
    const [best] = found;
    if (!best) return reason;
    if (best.isCertain) return this.#keep(best.path, best.before, best.merged);
    const [only, second] = found.filter(({ merged }) => merged.kind === 'edited' && merged.certain);
    if (only && !second && only.merged.kind === 'edited') {
      const findings = [...only.merged.findings, guessedFile(only.path, this.#t)];
      return this.#keep(only.path, only.before, { ...only.merged, certain: false, findings });
    }
    const paths = found.map(({ path }) => path).join(', ');
    return second
      ? sentence('It names no file, and fits several: {0}. Say which one is meant.', paths)
      : sentence('It names no file, and it is unclear whether it is for one of these: {0}.', paths);
  }

  /** The files that hold the most of the lines that an edit shows, and what the edit makes of them. */
  #byContent(operation: TextOperation, except: string | undefined): FoundFile[] {
    const shown = shownLines(operation);
    const holding = this.#search(shown).filter(({ file }) => file.path !== except);
    const enough = minShare * (holding[0]?.score ?? 0);
    const tried = holding
      .filter(({ score }) => score >= enough)
      .slice(0, maxCandidates)
      .flatMap(one => {
        const text = this.#read(one.file.path);
        if (text === undefined) return [];
        const edited = this.#merge(operation, one.file.path, text);
        const merged = edited.kind === 'edited' ? { ...edited, kind: 'merged' as const } : edited;
        return [{ ...one, text, merged, edited }];
      });
    return judgePlaces(shown, tried).flatMap(({ file, certain }) => {
      const one = tried.find(each => each.file === file);
      return one
        ? [{ path: file.path, before: one.text, merged: one.edited, isCertain: certain }]
        : [];
    });
  }

  /** What the answer itself has made of files counts, too. */
  #search(shown: readonly string[]): HoldingFile<ComparedFile>[] {
    const made = [...this.#states].flatMap(([path, { text }]) =>
      text === undefined ? [] : [{ path, text }],
    );
    const found = this.#workspace.search?.(shown);
    if (!found) {
      const paths = new Set([
        ...this.#workspace.files().slice(0, maxSearched),
        ...this.#states.keys(),
      ]);
      const texts = [...paths].map(path => ({ path, text: this.#read(path) ?? '' }));
      return holdersAmong(texts, shown);
    }
    const gone = new Set([...this.#states.keys(), ...this.#movedAway]);
    return [...found.filter(({ file }) => !gone.has(file.path)), ...holdersAmong(made, shown)].sort(
      (a, b) => b.score - a.score,
    );
  }

  #keep(path: string, before: string, merged: Edited): Sentence | undefined {
    if (merged.kind === 'refused') return merged.reason;
    if (merged.text === before) {
      this.#idle.push({ path, source: this.#part.source });
      return undefined;
    }
    const state = this.#state(path, before);
    const lost = lostLine(state.origin?.text, state.text, merged.text);
    if (lost !== undefined) state.findings.push(laterPart(lost, this.#t));
    state.text = merged.text;
    state.certain &&= merged.certain && lost === undefined;
    state.findings.push(...merged.findings);
    state.operations.push(this.#part.operation);
    noteCutOff(this.#part, state, before, this.#t);
    return undefined;
  }

  #create(given: string, text: string, hasUnmarked = false): Sentence | undefined {
    const location = this.#names.placeOf(given);
    if (location.kind === 'outside') return outside(given);
    const { path } = location;
    const before = this.#read(path);
    if (before !== undefined) {
      const written = this.#merge({ kind: 'write', path, text }, path, before);
      return this.#keep(path, before, written);
    }
    const unreadable = this.#states.has(path) ? undefined : this.#unreadable(path);
    if (unreadable) return unreadable;
    this.#names.add(path);
    const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`;
    const state = newState(this.#states.get(path)?.origin, whole);
    this.#states.set(path, state);
    if (hasUnmarked) state.findings.push(unmarkedLines(this.#t));
    state.certain = !hasUnmarked;
    noteCutOff(this.#part, state, '', this.#t);
    return undefined;
  }

  #delete({
    path: given,
    isStated,
  }: Extract<EditOperation, { kind: 'delete' }>): Sentence | undefined {
    const location = this.#locate(given);
    if (location.kind === 'outside') return outside(given);
    const before = location.kind === 'found' ? this.#read(location.path) : undefined;
    if (location.kind !== 'found' || before === undefined) {
      const why = this.#unreadable(given);
      return why
        ? sentence('{0} Delete it in the Explorer instead.', why)
        : sentence('There is no file {0} in this workspace to delete.', given);
    }
    const state = this.#state(location.path, before);
    const lost = lostLine(state.origin?.text, before, '');
    if (lost !== undefined) state.findings.push(laterPart(lost, this.#t));
    state.text = undefined;
    state.certain &&= isStated !== true && lost === undefined;
    return undefined;
  }

  #move({
    kind,
    path: given,
    newPath,
    diff,
    isStated,
  }: Extract<EditOperation, { kind: 'rename' | 'copy' }>): Sentence | undefined {
    const location = this.#locate(given);
    const target = this.#names.placeOf(newPath);
    if (location.kind === 'outside' || target.kind === 'outside') {
      return outside(location.kind === 'outside' ? given : newPath);
    }
    const before = location.kind === 'found' ? this.#read(location.path) : undefined;
    if (location.kind !== 'found' || before === undefined) {
      const why = this.#unreadable(given);
      if (why) return sentence('{0} Rename or copy it in the Explorer instead.', why);
      return kind === 'rename'
        ? sentence('There is no file {0} in this workspace to rename.', given)
        : sentence('There is no file {0} in this workspace to copy.', given);
    }
    const to = target.path;
    if (this.#read(to) !== undefined || this.#unreadable(to))
      return sentence('{0} exists already, so {1} does not take its place.', to, given);
    const merged: Edited =
      diff === undefined
        ? { kind: 'edited', text: before, certain: true, findings: [] }
        : this.#merge({ kind: 'diff', diff }, location.path, before);
    if (merged.kind === 'refused') return merged.reason;
    if (kind === 'copy') return this.#create(to, merged.text);
    const state = this.#state(location.path, before);
    this.#states.delete(location.path);
    this.#movedAway.add(location.path);
    this.#names.add(to);
    state.text = merged.text;
    state.certain &&= merged.certain && isStated !== true;
    state.findings.push(...merged.findings);
    this.#states.set(to, state);
    return undefined;
  }

  /** Why a file that is there has no text. */
  #unreadable(given: string): Sentence | undefined {
    const location = this.#locate(given);
    const why = location.kind === 'found' ? this.#workspace.unreadable?.(location.path) : undefined;
    return why === undefined ? undefined : verbatim(why);
  }

  #state(path: string, text: string): FileState {
    let state = this.#states.get(path);
    if (!state) {
      state = newState({ path, text }, text);
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

  get #names(): FileNames {
    if (!this.#indexed) {
      this.#indexed = new FileNames(this.#workspace.files(), path =>
        this.#workspace.relative?.(path),
      );
      this.#indexed.learnRoots(this.#given);
    }
    return this.#indexed;
  }

  #locate(given: string): Location {
    return this.#names.locate(given, this.#activePath);
  }

  #merge(operation: TextOperation, path: string, before: string): Edited {
    const file = { path, isTouched: this.#states.has(path), t: this.#t };
    return isNotebookPath(path)
      ? editNotebook(before, operation, file)
      : mergeOperation(before, operation, file);
  }
}

const outside = (path: string): Sentence =>
  sentence('{0} is outside of the workspace, so it is not changed.', path);
