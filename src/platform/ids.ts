// Names of the platform that package.json and more than one feature use.

/** What the user types after `@`. */
export const chatName = 'splice';
/** The vendor of the chat models. */
export const modelVendor = 'splice';
/** File system scheme of the review preview, which the menus of other features leave out. */
export const reviewScheme = 'splice-review';
/** File system scheme of the page for a whole change set, whose proposed texts can be edited. */
export const pageScheme = 'splice-changes';
/** Scheme of read-only documents with answers of the service. */
export const jsonScheme = 'splice-json';
/** Scheme of the report of what was sent. */
export const sentScheme = 'splice-sent';
/** Scheme of the texts that the apply history compares. */
export const historyScheme = 'splice-history';
/** The extension that VS Code's chat runs in, which it disables until the chat is set up. */
export const chatExtension = 'GitHub.copilot-chat';
/** Type of the panel with the Playground, which VS Code opens again after a reload. */
export const playgroundPanel = 'splice.playground';
/** Context key: whether an API key is stored for the service address, as far as it is known. */
export const hasApiKey = 'splice:hasApiKey';
