import { splitPath, withoutExtension } from '../paths';
import { isCompound } from '../query/querySymbols';
import { declaredIn } from './heads';
import { headsOf } from './languages';
import { indentOf } from './spans';

/** What a line that declares a route names as the code for it, such as `users#show` or `views.update_name`. */
export interface RouteHandler {
  /** Names of what it is in, from outside to inside: modules, objects or a class. */
  readonly owners: readonly string[];
  /** A function or a class; empty for all of a controller. */
  readonly name: string;
}

/** Where a handler is declared. */
export interface HandlerPlace {
  /** 1-based; 1 where only the name of the file tells. */
  readonly line: number;
  /** How well the file fits, next to others. */
  readonly fit: number;
}

const maxHandlers = 8;
const maxLines = 4;
const maxLineChars = 400;
/** Annotations and attributes stand above the code itself. */
const isAnnotation = /^\s*(?:@|#?\[)/;
const quoted = /"[^"]*"|'[^']*'|`[^`]*`/g;
const namesAndSigns = /\w[\w.:>#@-]*/g;
const separator = /\.|:+|->/;
const plainName = /^[A-Za-z_]\w*$/;
/** Between a class and its method, as in `[UserController::class, 'show']` and `UserController, :show`. */
const beforeMethod = /^, *['":]$/;
/** Members of a handler that say nothing of it. */
const isCommonMember = /^(?:as_view|bind|class|call|to|of)$/;
const resource = /^\s*resources? :(\w+)/;

/**
 * What the declaration of a route names as its handlers.
 * @param line 1-based
 * @param path as the line has it
 */
export function handlersIn(text: string, line: number, path: string): RouteHandler[] {
  const rows = text.split('\n', line + maxLines - 1);
  const [first = '', ...others] = rows.slice(line - 1);
  if (isAnnotation.test(first)) return [];
  const at = first.indexOf(path);
  let rest = (at < 0 ? first : first.slice(at + path.length)).slice(0, maxLineChars);
  // A call over several lines ends with the first one that is not followed by more.
  for (const row of others) {
    if (!/[(,]\s*$/.test(rest) && rest.trim().length > 1) break;
    rest += row.slice(0, maxLineChars);
  }
  rest = rest
    .replace(/^["'`]/, '')
    .replaceAll(quoted, found => (found.length === 2 || found.includes('/') ? '' : found));
  return [...ofResource(rows.slice(0, line), path), ...namedIn(rest)]
    .filter(({ owners, name }) => owners.length > 0 || isCompound(name))
    .slice(0, maxHandlers);
}

function* namedIn(text: string): Generator<RouteHandler> {
  const all = [...text.matchAll(namesAndSigns)];
  for (const [at, { 0: whole, index }] of all.entries()) {
    const [file = '', action] = whole.split('#');
    const [owner = '', method] = whole.split('@');
    if (action !== undefined) yield { owners: [`${file}_controller`], name: action };
    else if (method !== undefined) yield { owners: [owner], name: method };
    else {
      const names = whole
        .split(separator)
        .filter(name => plainName.test(name) && !isCommonMember.test(name));
      const name = names.at(-1) ?? '';
      const next = all[at + 1];
      const between = text.slice(index + whole.length, next?.index);
      if (next && name.endsWith('Controller') && beforeMethod.test(between)) {
        yield { owners: [name], name: next[0] };
      }
      yield { owners: names.slice(0, -1), name };
    }
  }
}

/** In Rails, `post :run` is in the block of its resource. */
function ofResource(rows: readonly string[], path: string): RouteHandler[] {
  const name = /^:(\w+)$/.exec(path)?.[1];
  const own = rows.at(-1) ?? '';
  if (name === undefined) return [];
  const around = rows.findLast(row => {
    const isOwn = row === own || indentOf(row) < indentOf(own);
    return isOwn && resource.test(row);
  });
  const owner = around === undefined ? undefined : resource.exec(around)?.[1];
  return owner === undefined
    ? []
    : [{ owners: [`${owner}_controller`], name: owner === name ? '' : name }];
}

/**
 * Where a file may declare a handler.
 * @param file relative to the root
 */
export function handlerIn(
  text: string,
  file: string,
  { owners, name }: RouteHandler,
): HandlerPlace | undefined {
  const { folder, name: base } = splitPath(file);
  const stem = keyOf(withoutExtension(base));
  const folders = folder.split('/').map(keyOf);
  const keys = owners.map(keyOf);
  const isOwner = keys.at(-1) === stem || (keys.length === 0 && keyOf(name) === stem);
  const fit = (isOwner ? 2 : 0) + keys.filter(key => folders.includes(key)).length;
  const line = fit > 0 || isCompound(name) ? lineOf(text, file, name) : undefined;
  if (line !== undefined) return { line, fit: fit + 4 };
  return isOwner && /controller/.test(stem) ? { line: 1, fit } : undefined;
}

function lineOf(text: string, file: string, name: string): number | undefined {
  if (name === '' || !text.includes(name)) return undefined;
  const language = headsOf(file);
  const at = text
    .split('\n')
    .findIndex(row => row.includes(name) && declaredIn(row, language)?.names.at(-1) === name);
  return at < 0 ? undefined : at + 1;
}

const keyOf = (name: string): string => name.toLowerCase().replaceAll(/[-_.]/g, '');
