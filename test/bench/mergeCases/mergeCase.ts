export type Edit = (text: string) => string;

export interface MergeCase {
  path: string;
  text: string;
  /** By what they do. */
  edits: Record<string, Edit>;
}

/** Throws when the old text does not stand exactly once, so that no case tests less than it says. */
export function replace(oldText: string, newText: string): Edit {
  return text => {
    const [head, tail, ...more] = text.split(oldText);
    if (head === undefined || tail === undefined || more.length > 0) {
      throw new Error(`stands ${more.length === 0 ? 'nowhere' : 'more than once'}: ${oldText}`);
    }
    return head + newText + tail;
  };
}

export function insertAfter(anchor: string, added: string): Edit {
  return replace(anchor, anchor + added);
}

export function insertBefore(anchor: string, added: string): Edit {
  return replace(anchor, added + anchor);
}

export function remove(oldText: string): Edit {
  return replace(oldText, '');
}

export function moveBefore(block: string, anchor: string): Edit {
  return all(remove(block), insertBefore(anchor, block));
}

export function all(...edits: Edit[]): Edit {
  return text => edits.reduce((current, edit) => edit(current), text);
}
