import type { RequestedRoute, RouteSegment } from '../query/requestedRoute';
import { escapeRegex, partsOf, stemOf } from '../query/words';
import type { NamedPlace } from './namedPlaces';

/** Log odds for a file that declares all of the requested path. */
const worthOfAll = 12;
/** In one place, so that nothing is left to guess. */
const worthOfWhole = 1;
/** The line says the method. */
const worthOfMethod = 0.7;
const worthOfParameter = 0.3;
const maxParameters = 2;
/** Below this share of the path, it is another one that has a name of it. */
const minCoverage = 0.3;

/** How sure a name of the path is, by where it was found outside of a declared path. */
const certainty = {
  /** In another declared path of the file, such as that of the class around a method. */
  nearby: 0.9,
  /** In the path of the file. */
  file: 0.7,
  /** It may be a value for a parameter. */
  parameter: 0.15,
  /** The same where all of the path is as declared. */
  wholeParameter: 0.6,
};

/** What a line with a path is: the declaration of a route, a call of it, or unknown. */
type LineKind = 'declares' | 'unknown' | 'calls';
const lineFactors: Record<LineKind, number> = { declares: 1, unknown: 0.35, calls: 0.1 };

const maxPathChars = 160;
const maxLineChars = 200;
/** Paths in one text that are looked at. */
const maxPaths = 2000;

const endsPath = /[\s"'`,]/;
const quotes = '"\'`';
/** In the part of a line that is before a path. */
const declares =
  /(?:route|mapping|\bre_?path|\bpath|\burl\(|http(?:get|post|put|patch|delete|head|options)|\b(?:get|post|put|patch|delete|head|options|all|any|use|match|handle|handlefunc|group|scope|resources?|namespace|mount|prefix|map|mapget|mappost|mapput|mapdelete|controller|endpoint|blueprint|bp|router)\b)/i;
const calls =
  /\b(?:fetch|axios|https?|requests?|client|ajax|href|src|goto|visit|redirect\w*|navigate|push|link|linkto|link_to|open|curl|reverse|assert\w*|expect|location|import|require|from|include)\b|\$\.|[$.]http/i;
/** A method of an object, such as `headers.get(`. */
const isMemberCall = /[\w)]\.\w+\(\s*$/;
const isResource = /resources?\W*$/i;
const isGroupLine =
  /(?:group|scope|prefix|mount|controller|requestmapping|\buse) ?[(:=] ?(?:(?:value|path) ?= ?)?$/i;
const maxLinesOfGroup = 200;
/** Actions of Rails, Laravel and Phoenix that no line declares. */
const isAction = /^(?:new|edit|create)$/;
/** In front of a path without quotes, as in YAML, the routes of Play, and Ruby. */
const startsLine =
  /^(?:(?:- )?(?:path|location):?|GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|\*|resources?|get|post|put|patch|delete|)$/;
const quotedWord = /'\w*'|"\w*"/g;
const isGiven = /^[^(]*(?:=|\broute:)\s*$/;
/** `"GET /users"` of Go. */
const quotedMethod = /["'`][A-Z]{3,7} $/;
const isInserted = /\$\{|%s/;

/** Folders and names of files that answer requests. */
const isOfRoutes = /rout|controller|handler|endpoint|resource|view|urls|api/i;
/** A path without names, such as `'/'` or `"/{id}"`. */
const namelessPath = /["'`](\/?[^"'`\s/]{0,40})["'`]/g;

/** The part of the requested path that another one is. */
interface Match {
  /** Segments of the route, the last one exclusive. */
  readonly from: number;
  readonly to: number;
  /** Those that it has as names. */
  readonly names: readonly number[];
  /** Names that may be a value of a parameter. */
  readonly guessed: readonly number[];
  /** Parameters where the route has a value. */
  readonly parameters: number;
}

/** A path that a text has. */
interface FoundPath extends Match {
  readonly text: string;
  readonly line: number;
  readonly kind: LineKind;
  readonly hasMethod: boolean;
  /** The line declares all actions of a resource. */
  readonly isResource: boolean;
  /** The line declares what other routes begin with. */
  readonly isGroup: boolean;
}

/** What is known of the names of the route in a file, beside a path that it has. */
interface Surroundings {
  /** Segments that any declared path of the file has as names. */
  readonly declared: ReadonlySet<number>;
  /** Those whose words are in the path of the file. */
  readonly inFile: ReadonlySet<number>;
}

/** Finds the lines that declare what answers a request. */
export class RouteFinder {
  readonly #segments: readonly RouteSegment[];
  readonly #names: RegExp;
  /** By segment. */
  readonly #words: readonly (readonly string[])[];
  readonly #method: string | undefined;
  readonly #total: number;

  constructor({ segments, method }: RequestedRoute) {
    this.#method = method;
    this.#segments = segments;
    this.#names = namesOf(segments);
    this.#words = segments.map(({ text }) => wordsOf(text));
    this.#total = segments.reduce((sum, { weight }) => sum + weight, 0);
  }

  /**
   * The line of a text that most likely declares the route.
   * @param file its path, relative to the root
   */
  placeIn(text: string, file: string): NamedPlace | undefined {
    const paths = this.#pathsIn(text);
    const surroundings = {
      declared: new Set(
        paths.filter(({ kind }) => kind === 'declares').flatMap(({ names }) => names),
      ),
      inFile: this.#namesIn(file),
    };
    let best: FoundPath | undefined;
    let worth = 0;
    let distance = 0;
    /** By segment: the line of the last declared path that has it. */
    const groups: number[] = [];
    for (const path of paths) {
      const own = this.#worthOf(path, surroundings);
      if (own > 0 && own >= worth) {
        // Among routes that are alike, the one in the group with the name before its own is meant.
        const lines =
          path.from === 0 ? 0 : path.line - (groups[path.from - 1] ?? Number.NEGATIVE_INFINITY);
        if (own > worth || lines < distance) [best, worth, distance] = [path, own, lines];
      }
      if (path.kind === 'declares') for (const name of path.names) groups[name] = path.line;
    }
    if (!best) return this.#namelessIn(text, file, surroundings);
    if (best.kind !== 'declares') return { kind: 'call', text: best.text, line: best.line, worth };
    const rest = this.#segments.slice(best.to);
    const isGroup = rest.length === 0 ? best.isGroup : rest.length === 1 && !best.isResource;
    const line = isGroup ? this.#lineOfNameless(text, best.line) : undefined;
    return { kind: 'route', text: best.text, line: line ?? best.line, worth };
  }

  #namesIn(file: string): ReadonlySet<number> {
    const inFile = new Set(wordsOf(file));
    const isIn = (at: number): boolean => this.#words[at]?.every(word => inFile.has(word)) === true;
    return new Set([...this.#words.keys()].filter(isIn));
  }

  /** What declares the route of what the file is named after, such as `get('/')` in `routes/topics.js`. */
  #namelessIn(text: string, file: string, { inFile }: Surroundings): NamedPlace | undefined {
    const isNamed = this.#segments.every(({ weight }, at) => weight < 1 || inFile.has(at));
    if (!isNamed || !isOfRoutes.test(file)) return undefined;
    const line = this.#lineOfNameless(text, 0);
    if (line === undefined) return undefined;
    return { kind: 'route', text: file, line, worth: worthOfAll * certainty.file };
  }

  /**
   * The line that declares a path without names: a parameter for a value at the end of the route, or nothing.
   * @param group the line above it that declares the rest of the route; 0 if none does
   */
  #lineOfNameless(text: string, group: number): number | undefined {
    const hasValue = this.#segments.at(-1)?.isValue === true;
    const lines: { line: number; hasMethod: boolean }[] = [];
    const lineAt = lineCounter(text);
    for (const { index, 1: path = '' } of text.matchAll(namelessPath)) {
      if (hasValue ? !isParameter(path) : path !== '' && path !== '/') continue;
      const head = headOf(text, index);
      if (kindOf(head, path) !== 'declares') continue;
      const line = lineAt(index);
      if (group > 0 && (line <= group || line > group + maxLinesOfGroup)) continue;
      lines.push({ line, hasMethod: hasWord(head, this.#method) });
    }
    const found = lines.find(({ hasMethod }) => hasMethod) ?? lines[0];
    return found?.line;
  }

  #worthOf(path: FoundPath, surroundings: Surroundings): number {
    const isToEnd = this.#segments
      .slice(path.to)
      .every(({ isValue, text }) => isValue || (path.isResource && isAction.test(text)));
    if (!isToEnd) return 0;
    const isWhole = path.from === 0 && path.to === this.#segments.length;
    let sum = 0;
    for (const [at, { text, weight }] of this.#segments.entries()) {
      sum += weight * certaintyOf(text, at, path, surroundings, isWhole);
    }
    const coverage = sum / this.#total;
    if (coverage < minCoverage) return 0;
    const whole =
      worthOfAll * coverage +
      (isWhole ? worthOfWhole : 0) +
      (path.hasMethod ? worthOfMethod : 0) +
      worthOfParameter * Math.min(maxParameters, path.parameters);
    return lineFactors[path.kind] * whole;
  }

  #pathsIn(text: string): FoundPath[] {
    const found: FoundPath[] = [];
    const lineAt = lineCounter(text);
    let end = -1;
    let looked = 0;
    for (const { index } of text.matchAll(this.#names)) {
      if (index < end) continue;
      if (++looked > maxPaths) break;
      let start = index;
      while (start > 0 && index - start < maxPathChars && !endsPath.test(text[start - 1] ?? ''))
        start--;
      end = index;
      while (end < text.length && end - index < maxPathChars && !endsPath.test(text[end] ?? ''))
        end++;
      const path = text.slice(start, end);
      const isQuoted = isQuote(text[start - 1]) && isQuote(text[end]);
      const matched = this.#match(segmentsOf(path));
      if (!matched) continue;
      const before = headOf(text, isQuoted ? start - 1 : start);
      const head = before.replace(quotedMethod, '');
      if (!isPath(path, isQuoted || head !== before, head)) continue;
      found.push({
        ...matched,
        text: path,
        line: lineAt(start),
        kind: kindOf(head, path),
        hasMethod: hasWord(before, this.#method),
        isResource: isResource.test(head),
        isGroup: isGroupLine.test(head),
      });
    }
    return found;
  }

  /** The part of the route that has most names of a path. */
  #match(parts: readonly string[]): Match | undefined {
    let best: Match | undefined;
    for (let from = this.#segments.length - 1; from >= 0; from--) {
      const matched = this.#matchAt(parts, from);
      if (matched && matched.names.length > (best?.names.length ?? 0)) best = matched;
    }
    return best;
  }

  #matchAt(parts: readonly string[], from: number): Match | undefined {
    const names: number[] = [];
    const guessed: number[] = [];
    let parameters = 0;
    let at = from;
    for (const part of parts) {
      const segment = this.#segments[at];
      if (!segment) return undefined;
      if (isRest.test(part)) {
        for (; at < this.#segments.length; at++) guessed.push(at);
        break;
      }
      if (isParameter(part)) {
        if (segment.isValue) parameters++;
        else guessed.push(at);
      } else if (!segment.isValue && part.toLowerCase() === segment.text) {
        names.push(at);
      } else {
        return undefined;
      }
      at++;
    }
    return { from, to: at, names, guessed, parameters };
  }
}

/** Tells the lines of positions that only grow. */
function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let counted = 0;
  return at => {
    for (; counted < at; counted++) if (text[counted] === '\n') line++;
    return line;
  };
}

/** Matches any name of a route as a whole word. */
const namesOf = (segments: readonly RouteSegment[]): RegExp =>
  new RegExp(
    `(?<![a-z\\d])(?:${segments
      .filter(({ isValue }) => !isValue)
      .map(({ text }) => escapeRegex(text))
      .join('|')})(?![a-z\\d])`,
    'gi',
  );

/** How sure it is that a name of the route is part of what a path declares, from 0 to 1. */
function certaintyOf(
  name: string,
  at: number,
  path: FoundPath,
  { declared, inFile }: Surroundings,
  isWhole: boolean,
): number {
  if (path.names.includes(at)) return 1;
  if (declared.has(at) || (path.isResource && isAction.test(name))) return certainty.nearby;
  if (inFile.has(at)) return certainty.file;
  if (!path.guessed.includes(at)) return 0;
  return isWhole ? certainty.wholeParameter : certainty.parameter;
}

const wordsOf = (name: string): string[] => partsOf(name).map(part => stemOf(part));

/** The segments of a path as code writes it: `^users/(?P<id>[^/]+)/$`, `/users/:id`, `:users`. */
function segmentsOf(path: string): string[] {
  const plain = path
    .replace(/^\^/, '')
    .replace(/(?:\/\?)?\$$/, '')
    .replace(/[:;)]{1,3}$/, '');
  if (/^:\w+$/.test(plain)) return [plain.slice(1)];
  const [asked = ''] = plain.includes('<') ? [plain] : plain.split('?');
  return splitAtSlashes(asked);
}

/** At those outside of brackets. */
function splitAtSlashes(path: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const sign of path) {
    if ('([{<'.includes(sign)) depth++;
    else if (')]}>'.includes(sign)) depth = Math.max(0, depth - 1);
    if (sign === '/' && depth === 0) {
      if (part !== '') parts.push(part);
      part = '';
    } else {
      part += sign;
    }
  }
  return part === '' ? parts : [...parts, part];
}

const isParameter = (part: string): boolean => /[:{<[(*$]|%[sd]|#\{/.test(part);

const isRest = /^(?:\*\*?\w*|\[\.\.\.\w+\]|<path:\w+>|\{\*\w+\})$/;

/** What stands in a line before a path; the line above it, too, where nothing does. */
function headOf(text: string, start: number): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const head = text.slice(Math.max(lineStart, start - maxLineChars), start);
  if (/\p{L}/u.test(head) || lineStart < 2) return head;
  const above = text.lastIndexOf('\n', lineStart - 2) + 1;
  return text.slice(Math.max(above, lineStart - maxLineChars), start);
}

const isQuote = (sign: string | undefined): boolean => sign !== undefined && quotes.includes(sign);

/** Whether a text that has names of the route is a path, not a key or a word of a sentence. */
function isPath(text: string, isQuoted: boolean, head: string): boolean {
  if (!isQuoted) return /^[:/]/.test(text) && startsLine.test(head.trim());
  return text.includes('/') || (declares.test(head) && !isMemberCall.test(head));
}

function kindOf(line: string, path: string): LineKind {
  if (calls.test(line)) return 'calls';
  const words = line.replace(quotedWord, '');
  const head = words.slice(1 + Math.max(...Array.from(quotes, sign => words.lastIndexOf(sign))));
  // A word that is given to a variable names a page, a view or the like.
  if (!path.includes('/') && isGiven.test(head)) return 'unknown';
  if (!declares.test(head)) return isInserted.test(path) ? 'calls' : 'unknown';
  return isInserted.test(path) ? 'unknown' : 'declares';
}

/** Whether a word of a line begins with a method, as in `.get(`, `@GetMapping(` and `[HttpGet(`. */
function hasWord(line: string, method: string | undefined): boolean {
  if (method === undefined) return false;
  const words = line.toLowerCase().match(/[a-z]+/g) ?? [];
  return words.some(word => word.startsWith(method) || word.startsWith(`http${method}`));
}
