import type { Translate } from '../../base/sentence';
import type { Conversation, ImagePart, Part } from './conversation';
import { imageProblem } from './conversion';

/** What the user attached to the current prompt and the model does not receive. */
export interface LeftOutSummary {
  /** One sentence; '' if everything is sent. */
  readonly text: string;
  /** Nothing else is in the prompt. */
  readonly isAll: boolean;
}

/** Covers the last turn only: earlier ones were reported when they were sent. */
export function leftOutOf(
  { turns }: Conversation,
  takesImages: boolean,
  t: Translate,
): LeftOutSummary {
  const last = turns.at(-1);
  const parts = last?.role === 'user' ? last.parts : [];
  const reasons = parts.flatMap(part => reasonOf(part, takesImages, t) ?? []);
  const isAll = reasons.length > 0 && !parts.some(part => isSaid(part, takesImages, t));
  const list = [...new Set(reasons)].map(reason => {
    const count = reasons.filter(other => other === reason).length;
    return count === 1 ? reason : t('{0} ({1} times)', reason, count);
  });
  return { text: list.length === 0 ? '' : t('Left out: {0}.', list.join('; ')), isAll };
}

function isSaid(part: Part, takesImages: boolean, t: Translate): boolean {
  if (part.type === 'text') return part.text.trim() !== '';
  return part.type !== 'unknown' && reasonOf(part, takesImages, t) === undefined;
}

function reasonOf(part: Part, takesImages: boolean, t: Translate): string | undefined {
  if (part.type === 'image') return imageReason(part, takesImages, t);
  // Only file types; other names belong to VS Code's internal parts.
  if (part.type !== 'unknown' || !/^(?:application|audio|video|font)\//.test(part.what)) {
    return undefined;
  }
  return t('an attachment of the type {0}, which models do not take', part.what.slice(0, 60));
}

function imageReason(part: ImagePart, takesImages: boolean, t: Translate): string | undefined {
  switch (imageProblem(part, takesImages)) {
    case 'noImages':
      return t('a picture, because this model takes none');
    case 'oddImage':
      return t('a picture of the type {0}, which models do not take', part.mediaType.slice(0, 60));
    case 'emptyImage':
      return t('a picture without data');
    default:
      return undefined;
  }
}
