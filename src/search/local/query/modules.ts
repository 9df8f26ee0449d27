import { partsOf } from './words';

/** The path of a module that a query names, as `celery.app.base` names `celery/app/base.py`. */
export interface ModulePath {
  /** In lower case, with `/` between folders and without the extension of the file. */
  readonly path: string;
  /** Names that were left out of it, such as that of a class in the module. */
  readonly leftOut: number;
}

const separator = /\.|::|\\/;
const moduleName = /^[\p{L}_][\p{L}\p{N}_]*(?:(?:\.|::|\\)[\p{L}_][\p{L}\p{N}_]*)+$/u;
/** Rust's keywords for the current package and module, which are not folders. */
const relative = /^(?:crate|self|super)$/;
const minNames = 2;

/**
 * The modules that a name with separators may be in: `io.netty.channel.Channel`, `crate::ui::text`, or
 * `Jekyll::Drops::SiteDrop`. The first name can be that of a package whose folder has another one, and the last
 * one that of something in the module.
 */
export function modulesOf(name: string): ModulePath[] {
  if (!moduleName.test(name)) return [];
  const names = name.split(separator).filter(one => !relative.test(one));
  const { length } = names;
  const found: ModulePath[] = [];
  for (const [start, end] of [
    [0, length],
    [1, length],
    [0, length - 1],
    [1, length - 1],
  ] as const) {
    const kept = names.slice(start, end);
    if (kept.length < minNames) continue;
    for (const path of spellingsOf(kept)) found.push({ path, leftOut: length - kept.length });
  }
  return found;
}

/** `site_drop.rb` has the class SiteDrop in Ruby. */
const spellingsOf = (names: readonly string[]): Set<string> =>
  new Set([names, names.map(separated)].map(all => all.join('/').toLowerCase()));

const separated = (name: string): string =>
  /^\p{Lu}/u.test(name) ? partsOf(name).join('_') : name;
