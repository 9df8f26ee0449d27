import { appendFileSync } from 'node:fs';

/** Writes to the terminal of the test run; console.log stays in the window. */
export function print(text: string): void {
  const file = process.env['HOST_TEST_OUT'];
  if (file) appendFileSync(file, `${text}\n`);
  else console.log(text);
}
