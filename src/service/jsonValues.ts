import { isJson } from '../base/jsonSyntax';
import { parseJson } from './guards';

/** What a few errors cost is not felt; below that, a check of each text would only cost time. */
const mostErrors = 100;

/** Reads the values of one file or answer, of which any number may be no JSON. */
export class JsonValues {
  #errors = 0;

  /** `undefined` for what is no JSON. */
  parse(text: string): unknown {
    if (this.#errors > mostErrors && !isJson(text)) return undefined;
    const value = parseJson(text);
    if (value === undefined) this.#errors++;
    return value;
  }
}
