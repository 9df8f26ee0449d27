/** In the memory of all windows: true while something was on its way when the list was last read. */
export const hasWorkKey = 'splice.endpoints.hasWork';
