const dataFile =
  /\.(?:json[c5]?|ya?ml|properties|strings|xcstrings|arb|ini|toml|res[xw]|xml|ftl|xliff?|xlf)$/i;
const codeFile = /\.(?:[cm]?[jt]sx?|php|rb|dart|py|go|kt|exs?)$/i;
/** Formats of nothing else, and the resources of Android. */
const textFile =
  /\.(?:strings|xcstrings|arb|res[xw]|ftl|xliff?|xlf)$|(?:^|\/)values(?:-[\w-]+)?\/[^/]+\.xml$/i;
/** In the path of other files that are nothing but texts. */
const ofTexts =
  /(?:^|[/._-])(?:locales?|i18n|l10n|lang(?:uage)?s?|translations?|messages?|strings|texts?|nls)(?=[/._-])/i;

/** What tools write. */
const lockFile =
  /(?:^|\/)(?:package-lock\.json|pnpm-lock\.yaml|npm-shrinkwrap\.json|[^/]+\.min\.js)$/;

/** Whether a file may have the texts of a user interface, each with a key. */
export const isCatalog = (path: string): boolean =>
  (dataFile.test(path) && !lockFile.test(path)) || (codeFile.test(path) && ofTexts.test(path));

/** Whether nothing else is in a file than texts, as its path says. */
export const isOfTexts = (path: string): boolean =>
  ofTexts.test(path) ||
  textFile.test(path) ||
  (dataFile.test(path) && languageIn(path) !== undefined);

const languages =
  /(?:^|[/._-])([a-z]{2}|[a-z]{3}(?=[-_][A-Z]{2}[/.]))(?:[-_](r?[A-Z]{2}|[a-z]{2}|[A-Z][a-z]{3}))?(?=[/.])/g;
/** Folders and extensions that look like one. */
const isNoLanguage = /^(?:ui|js|ts|db|ci|go|py|rb)$/;

/** The last name in a path that is one of a language, and its region. */
export function languageIn(path: string): { code: string; region: string | undefined } | undefined {
  for (const [, code = '', region] of [...path.matchAll(languages)].reverse()) {
    if (!isNoLanguage.test(code)) return { code, region };
  }
  return undefined;
}

/** 0 for texts in the language that others are translated from, which is mostly English, and more for others. */
export function languageRank(path: string): number {
  const found = languageIn(path);
  if (!found) return 0;
  if (found.code !== 'en') return 2;
  return found.region === undefined || /us$/i.test(found.region) ? 0 : 1;
}

/** Whether a file has the texts in another language than the one that they are translated from. */
export const isTranslation = (path: string): boolean => isCatalog(path) && languageRank(path) > 0;
