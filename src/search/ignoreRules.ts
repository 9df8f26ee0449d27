/** Lines of an ignore file, as git reads them. Paths are relative to the file's folder, with `/`. */
export class IgnoreRules {
  readonly #rules: { regex: RegExp; isNegated: boolean; isFolderOnly: boolean }[] = [];

  constructor(lines: readonly string[]) {
    for (const line of lines) {
      const rule = ruleOf(line);
      if (rule) {
        this.#rules.push(rule);
      }
    }
  }

  /** Whether the last rule that fits ignores the path; undefined when none fits. */
  ignores(path: string, isFolder: boolean): boolean | undefined {
    for (const { regex, isNegated, isFolderOnly } of this.#rules.toReversed()) {
      if ((isFolder || !isFolderOnly) && regex.test(path)) {
        return !isNegated;
      }
    }
    return undefined;
  }
}

function ruleOf(
  line: string,
): { regex: RegExp; isNegated: boolean; isFolderOnly: boolean } | undefined {
  let glob = line.replace(/\r$/, '').replace(/(?<!\\) +$/, '');
  if (!glob || glob.startsWith('#')) {
    return undefined;
  }
  const isNegated = glob.startsWith('!');
  glob = isNegated ? glob.slice(1) : glob;
  const isFolderOnly = glob.endsWith('/');
  glob = isFolderOnly ? glob.slice(0, -1) : glob;
  // A slash before the end ties the rule to the folder of its file.
  const isAnchored = glob.includes('/');
  glob = glob.replace(/^\//, '');
  if (!glob) {
    return undefined;
  }
  try {
    const regex = new RegExp(`^${isAnchored ? '' : '(?:.*/)?'}${regexOf(glob)}$`, 'u');
    return { regex, isNegated, isFolderOnly };
  } catch {
    // A class such as [z-a] fits nothing.
    return undefined;
  }
}

function regexOf(glob: string): string {
  let regex = '';
  for (let at = 0; at < glob.length; ) {
    const rest = glob.slice(at);
    const stars = /^(?:\*\*\/|\/\*\*$|\*\*$)/.exec(rest)?.[0];
    if (stars) {
      regex += stars === '**/' ? '(?:.*/)?' : stars === '**' ? '.*' : '/.+';
      at += stars.length;
      continue;
    }
    const run = /^\*+/.exec(rest)?.[0];
    if (run) {
      regex += '[^/]*';
      at += run.length;
      continue;
    }
    const group = /^\[([!^]?)(\]?[^\]]*)\]/.exec(rest);
    const braces = /^\{([^{}]*)\}/.exec(rest);
    if (group) {
      const [whole, not, inside = ''] = group;
      regex += `[${not ? '^/' : ''}${inside.replace(/[\\\]&[]/g, '\\$&')}]`;
      at += whole.length;
    } else if (braces) {
      // Only globs of settings have these; ignore files hardly ever.
      const [whole, inside = ''] = braces;
      regex += `(?:${inside.split(',').map(regexOf).join('|')})`;
      at += whole.length;
    } else if (rest.startsWith('?')) {
      regex += '[^/]';
      at += 1;
    } else {
      const escaped = rest.startsWith('\\') && rest.length > 1;
      const character = String.fromCodePoint(rest.codePointAt(escaped ? 1 : 0) ?? 0);
      regex += character.replace(/[$()*+./?[\\\]^{|}-]/g, '\\$&');
      at += (escaped ? 1 : 0) + character.length;
    }
  }
  return regex;
}
