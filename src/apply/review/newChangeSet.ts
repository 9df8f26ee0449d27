import { randomUUID } from 'node:crypto';
import type { ChangeSetRef } from './model/fileOperation';

/** A set for the reviews of one answer, which add their position to it. @param size number of its files. */
export const newChangeSet = (size: number): Omit<ChangeSetRef, 'index'> => ({
  id: randomUUID().slice(0, 8),
  createdAt: Date.now(),
  size,
});
