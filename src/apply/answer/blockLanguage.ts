import { pathFromInfo } from '../../markdown';
import { languageIdOf, languageIdOfPath } from '../parse/languageName';

const family = (id: string): string => id.replace(/react$/, '').replace(/^jsonc$/, 'json');

/** Languages that stand for each other: a header of C may hold C++. */
const kin = [
  ['javascript', 'typescript'],
  ['c', 'cpp'],
];

/** A block in another language than the file of the section is not for it. @param info of its fence */
export function fitsFile(info: string, path: string | undefined): boolean {
  if (path === undefined || pathFromInfo(info) !== undefined) return true;
  const language = languageIdOf(/^[\w+#-]+/.exec(info)?.[0] ?? '');
  const own = languageIdOfPath(path);
  if (language === undefined || own === undefined || language === own) return true;
  const [one, two] = [family(language), family(own)];
  return one === two || kin.some(ids => ids.includes(one) && ids.includes(two));
}
