/** The code of an error of the operating system, such as `ENOENT`. */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** Whether a file does not exist, as opposed to a file that cannot be read. */
export const isMissing = (error: unknown): boolean => errorCode(error) === 'ENOENT';

/** {@link isMissing}, or a part of the path is no folder, or a link that leads nowhere. */
export const isNoFile = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '');
