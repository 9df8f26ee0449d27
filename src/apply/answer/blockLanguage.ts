import { pathFromInfo } from '../../markdown';
import { languageIdOf, languageIdOfPath } from '../parse/languageName';

const family = (id: string): string => id.replace(/react$/, '').replace(/^jsonc$/, 'json');

/** A block in another language than the file of the section is not for it. @param info of its fence */
export function fitsFile(info: string, path: string | undefined): boolean {
  if (path === undefined || pathFromInfo(info) !== undefined) return true;
  const language = languageIdOf(/^[\w+#-]+/.exec(info)?.[0] ?? '');
  const own = languageIdOfPath(path);
  if (language === undefined || own === undefined || language === own) return true;
  const scripts = ['javascript', 'typescript'];
  const [one, two] = [family(language), family(own)];
  return (
    one === two || (scripts.includes(one) && scripts.includes(two)) || /^c(?:pp)?$/.test(one + two)
  );
}
