/** True for files that consist of sentences, which an edit can then add. */
export const isText = (path: string): boolean => textFile.test(path);

const textFile = /\.(?:md|mdx|markdown|txt|text|rst|adoc|asciidoc|tex|org|textile|wiki)$/i;

/** True for files that show text to readers: curly quotes, dashes and entities can be meant there. */
export const mayHaveTypography = (path: string): boolean => isText(path) || pageFile.test(path);

const pageFile = /\.(?:html?|xml|svg|vue|svelte|[jt]sx|hbs|php|erb|po|properties|ya?ml)$/i;

/** True for languages in which indentation is syntax. */
export const isLayoutLanguage = (path: string): boolean => layoutFile.test(path);

const layoutFile = /\.(?:pyi?|ya?ml|pug|jade|sass|styl|haml|slim|coffee|fsx?|nim|l?hs|elm|gd)$/i;
