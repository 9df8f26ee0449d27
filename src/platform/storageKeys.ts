/** Global state: true while an API key is stored for the service address, as far as it is known. */
export const hasApiKeyKey = 'splice.hasApiKey';
/** Workspace state: what the user has agreed to. */
export const consentKey = 'splice.reflex.consent';
/** Workspace state: true while a batch is to be resumed. */
export const hasRunsKey = 'splice.reflex.hasRuns';
/** Global state: what the indicator used today. */
export const usageKey = 'splice.reflex.usage';
/** Global state: true while an endpoint was being started when the list was last read. */
export const hasWorkKey = 'splice.endpoints.hasWork';
/** Global state: true while there is an index of chat histories. */
export const hasHistoryIndexKey = 'splice.compact.hasHistoryIndex';
/** Global state: true once the walkthrough has opened by itself, or must not. */
export const offeredStartKey = 'splice.offeredStart';
/** Global state: what plans of endpoints cost an hour, in US dollars, as the user has entered it. */
export const hourlyPricesKey = 'splice.endpoints.hourlyPrices';
