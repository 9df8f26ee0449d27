import { reviewScheme } from '../../../platform/ids';

/** The parts of a URI that tell which review its document belongs to. */
export interface UriParts {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
}

/** The review that a document belongs to. In tabs of earlier versions the id is the second part of the path. */
export function reviewIdOf(uri: UriParts | undefined): string | undefined {
  if (uri?.scheme !== reviewScheme) return undefined;
  return uri.authority || uri.path.split('/')[2];
}
