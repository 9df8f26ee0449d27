import type { RankedFile } from './rank/rank';
import type { FileText } from './text/fileText';
import { handlerIn, handlersIn, type RouteHandler } from './text/handlers';
import type { NamedPlace } from './text/namedPlaces';

export interface ReadText {
  readonly text: string;
  readonly facts: FileText;
}

/** A file with the place that handles the requested route, where it has one. */
export interface HandlingFile extends RankedFile {
  readonly handler?: NamedPlace | undefined;
}

type ReadFile = (file: RankedFile) => ReadText | undefined;

/** Best files whose declarations of the route are asked for its handlers. */
const maxDeclaring = 3;
/** Log odds between the best file and a handler. */
const belowBest = 1;

/**
 * The files with what declarations of the requested route name as its handlers right behind the best one.
 * @param files best first
 */
export function withHandlers(files: readonly RankedFile[], read: ReadFile): HandlingFile[] {
  const found = new Map<RankedFile, NamedPlace>();
  for (const declaring of files.slice(0, maxDeclaring)) {
    const own = read(declaring);
    const route = own?.facts.named.find(({ kind }) => kind === 'route');
    if (!own || !route) continue;
    for (const handler of handlersIn(own.text, route.line, route.text)) {
      const [file, place] = bestOf(handler, files, declaring, read) ?? [];
      if (file && place && place.worth > (found.get(file)?.worth ?? 0)) found.set(file, place);
    }
  }
  const best = (files[0]?.score ?? 0) - belowBest;
  return files
    .map(file => {
      const handler = found.get(file);
      return handler ? { ...file, handler, score: Math.max(file.score, best) } : file;
    })
    .sort((a, b) => b.score - a.score);
}

/** The file that fits best for a handler that another one names. */
function bestOf(
  handler: RouteHandler,
  files: readonly RankedFile[],
  declaring: RankedFile,
  read: ReadFile,
): [RankedFile, NamedPlace] | undefined {
  let best: [RankedFile, NamedPlace] | undefined;
  for (const file of files) {
    if (file === declaring) continue;
    const found = handlerIn(read(file)?.text ?? '', file.path, handler);
    if (!found || found.fit <= (best?.[1].worth ?? 0)) continue;
    best = [file, { kind: 'handler', text: handler.name, line: found.line, worth: found.fit }];
  }
  return best;
}
