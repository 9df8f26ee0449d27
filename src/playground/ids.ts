/** Scheme of the read-only answers. */
export const playgroundScheme = 'splice-playground';
