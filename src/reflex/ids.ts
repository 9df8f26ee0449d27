/** Scheme of reports and traces of the classifiers. */
export const reflexScheme = 'splice-reflex';
export const statusItem = 'splice.reflex';
