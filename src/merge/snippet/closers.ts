const closer = /^([)\]}>;,]+|end|fi|done|esac)\s*(?:\/\/|#|--|\/\*|<!--)/;

/** The closing line without its comment: `}` for `} // end`; undefined for any other line. */
export function closerWithoutComment(trimmed: string): string | undefined {
  // A fast path: few lines start with one of these.
  return ')]}>;,efd'.includes(trimmed.charAt(0)) ? closer.exec(trimmed)?.[1] : undefined;
}
