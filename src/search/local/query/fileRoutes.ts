import { splitPath, withoutExtension } from '../paths';
import type { RequestedRoute } from './requestedRoute';

/** Frameworks that take the path of a file for its route have it below one of these folders. */
const rootFolder = /(?:^|\/)(app|pages|routes|server)\//;
/** Next.js, SvelteKit and Astro: the folder is the route. */
const namesFolder = /^(?:\+?(?:page|server|route)(?:\.server)?|index|default)$/;
const isPageOfApp = /(?:^|\/)(?:page|route|default)\.\w+$/;
const pageExtension = /\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx?)$/i;
/** Nuxt: `users.get.ts`. */
const methodSuffix = /\.(?:get|head|post|put|patch|delete|options)$/;

type Part = { readonly name: string } | 'parameter' | 'rest';

/**
 * Whether a file answers a request by where it is, as `app/users/[id]/page.tsx` does for `/users/42`.
 * @param file relative to the root, in lower case
 */
export function answersByPath(file: string, { segments }: RequestedRoute): boolean {
  if (!pageExtension.test(file)) return false;
  for (const parts of partsOfFile(file)) {
    const hasRest = parts.at(-1) === 'rest';
    const named = hasRest ? parts.slice(0, -1) : parts;
    const fits = hasRest ? named.length <= segments.length : named.length === segments.length;
    if (!fits || !named.some(part => typeof part === 'object')) continue;
    const isSame = named.every((part, at) => {
      if (typeof part === 'string') return true;
      return segments[at]?.isValue === false && segments[at].text === part.name;
    });
    if (isSame) return true;
  }
  return false;
}

/** The routes that a file may be: of each folder that can be the root of all, from outside to inside. */
function* partsOfFile(file: string): Generator<Part[]> {
  let start = 0;
  for (;;) {
    const root = rootFolder.exec(file.slice(start));
    if (!root) return;
    start += root.index + root[0].length;
    const below = file.slice(start);
    if (isRootOf(root[1], below)) yield routeBelow(below);
    // Both folders of `app/routes/` can be.
    start--;
  }
}

/** In `app/`, only some names are pages, and in `server/`, only what is below `api/`; other files may be anything. */
function isRootOf(folder: string | undefined, below: string): boolean {
  if (folder === 'app') return isPageOfApp.test(below);
  return folder !== 'server' || below.startsWith('api/');
}

function routeBelow(below: string): Part[] {
  const { folder, name } = splitPath(below);
  const stem = withoutExtension(name).replace(methodSuffix, '');
  const names = folder.split('/').filter(part => part !== '');
  if (!namesFolder.test(stem)) names.push(...stem.split('.'));
  return names.filter(part => !isGroup(part)).map(partOf);
}

/** `(marketing)` and `@modal` of Next.js, and `_auth` without a dynamic part of Remix, are not in the URL. */
const isGroup = (part: string): boolean => /^(?:\(.*\)|@.*|index)$/.test(part);

function partOf(part: string): Part {
  if (/^\[?\[\.\.\.\w+\]\]?$|^\$$/.test(part)) return 'rest';
  return /^(?:\[\[?.+\]|\$\w+|_\w+|:\w+)$/.test(part) ? 'parameter' : { name: part };
}
