import { parseJson } from '../typeGuards';
import { isJson } from './jsonSyntax';

/** Up to this many errors are cheap; checking each text before parsing would cost more. */
const maxErrors = 100;

/** Reads the values of one file or answer, any number of which may be invalid JSON. */
export class JsonValues {
  #errors = 0;

  /** `undefined` for invalid JSON. */
  parse(text: string): unknown {
    if (this.#errors > maxErrors && !isJson(text)) return undefined;
    const value = parseJson(text);
    if (value === undefined) this.#errors++;
    return value;
  }
}
