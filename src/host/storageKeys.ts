/** In the workspace's memory: what the user has agreed to. */
export const consentKey = 'splice.reflex.consent';
/** In the workspace's memory: a batch that goes on. */
export const hasRunsKey = 'splice.reflex.hasRuns';
/** In the memory of all windows: what the indicator used today. */
export const usageKey = 'splice.reflex.usage';
/** In the memory of all windows: true while something was on its way when the list was last read. */
export const hasWorkKey = 'splice.endpoints.hasWork';
