import type { PendingFile } from '../../../../../src/apply/external/core/tracker';
import type { ListedFile } from '../../../../../src/apply/external/rows/groups';

/** A file with a pending change, as lists show it. */
export function listedFile(path: string, more: Partial<PendingFile>): ListedFile {
  const content = { kind: 'file', id: 'a', size: 1 } as const;
  return {
    id: `file:///w/${path}`,
    label: path,
    pending: {
      path,
      status: 'changed',
      baseline: content,
      now: { ...content, id: 'b' },
      version: '1',
      labels: [],
      isEdited: false,
      isGenerated: false,
      ...more,
    },
  };
}
