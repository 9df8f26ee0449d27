// Texts of a language that nobody speaks: English with accents, and with words that are 40 % longer, as those of
// other languages are. What is shown without accents was not translated.

/** Placeholders, icons, code, the targets of links, and names of files and variables. */
const fixed = /(\{\d+\}|\$\([\w~-]+\)|`[^`]*`|\]\([^)]*\)|<[^>]*>|\bhttps?:\/\/\S+)/;
const plain = 'aeiouyAEIOUY';
const accented = 'áéíóúýÁÉÍÓÚÝ';
const moreLetters = 0.4; // of a word

export function pseudoText(text: string): string {
  return text
    .split(fixed)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[A-Za-z]+/g, pseudoWord)))
    .join('');
}

function pseudoWord(word: string): string {
  const letters = word.replaceAll(
    /[aeiouy]/gi,
    letter => accented[plain.indexOf(letter)] ?? letter,
  );
  // At least one, so that a word without a vowel is told from an English one.
  return letters + 'ö'.repeat(Math.ceil(word.length * moreLetters));
}

export const pseudoBundle = (source: Readonly<Record<string, string>>): string =>
  JSON.stringify(
    Object.fromEntries(Object.entries(source).map(([key, text]) => [key, pseudoText(text)])),
  );

/** Two English words one after another, none of which has an accent. */
const englishWords =
  /(?<![\p{L}\p{N}_./-])[A-Za-z][a-z']+[ \u00a0]+[a-z][a-z']+(?![\p{L}\p{N}_./-])/u;

/** The texts that have English words in a row, but for the names that are data. */
export const leftInEnglish = (texts: readonly string[], data: readonly string[] = []): string[] => {
  const without = (text: string) => data.reduce((left, name) => left.replaceAll(name, ''), text);
  return [...new Set(texts.map(text => text.trim()))].filter(text =>
    englishWords.test(without(text)),
  );
};
