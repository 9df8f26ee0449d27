import { wordsOf } from './vocabulary';

/** British and American spellings that follow no rule here. What begins so is spelled so, too. */
const irregular = wordsOf(`
  armour:armor artefact:artifact behaviour:behavior centre:center colour:color defence:defense favour:favor
  favourite:favorite fibre:fiber flavour:flavor grey:gray harbour:harbor honour:honor labour:labor
  licence:license metre:meter neighbour:neighbor offence:offense theatre:theater vapour:vapor
`).map(pair => pair.split(':'));

/** A search for the American word finds the British one as well, which begins so. */
const shortened = /^(catalog|dialog|analog|monolog)ue(?=s?$)/;
/** `ise` and `ize`, also of `analyse`, in the forms of a verb of some letters. */
const ending = /^(\w{3,}?[iy])([sz])(e|ed|er|ers|es|ing|ation|ations)$/;

/** The other spelling of an English word in lower case, as `normalize` for `normalise`; undefined for most. */
export function otherSpellingOf(word: string): string | undefined {
  for (const pair of irregular) {
    const at = pair.findIndex(spelling => word.startsWith(spelling));
    const spelled = pair[at];
    if (spelled !== undefined) return (pair[1 - at] ?? '') + word.slice(spelled.length);
  }
  if (shortened.test(word)) return word.replace(shortened, '$1');
  const [, start, sound, end] = ending.exec(word) ?? [];
  return start === undefined ? undefined : `${start}${sound === 's' ? 'z' : 's'}${end}`;
}
