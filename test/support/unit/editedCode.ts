import * as fc from 'fast-check';

export interface EditedCode {
  before: string;
  after: string;
}

type Statement = readonly string[];
/** Head, body and end. */
type Routine = readonly Statement[];

const unique: ((id: number) => Statement)[] = [
  id => [`  const total${id} = compute${id}(input);`],
  id => [`  registry.set('key${id}', input.field${id});`],
  id => [`  for (const item of input.list${id}) {`, '    push(item);', '  }'],
  id => [`  if (input.size > limit${id}) {`, `    throw new RangeError('limit${id}');`, '  }'],
];
/** As they stand in every second function. */
const repeated: Statement[] = [
  ['  if (!input) {', '    return undefined;', '  }'],
  ['  log(input);'],
  ['  count += 1;'],
];
const forms = [...unique, ...unique, ...unique, ...repeated.map(statement => () => statement)];

const form = fc.nat(forms.length - 1);
const routine = fc.array(form, { minLength: 2, maxLength: 7 });
const routines = fc.array(routine, { minLength: 1, maxLength: 8 });

const edit = fc.record({
  kind: fc.constantFrom('insert', 'delete', 'replace', 'move', 'insertRoutine', 'deleteRoutine'),
  routine: fc.nat(),
  statement: fc.nat(),
  target: fc.nat(),
  form,
});
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

/** Code as people write it, before and after some edits of whole statements and functions. */
export const editedCode: fc.Arbitrary<EditedCode> = fc
  .tuple(routines, fc.array(edit, { minLength: 1, maxLength: 4 }))
  .map(([kinds, edits]) => {
    const before = kinds.map((body, nth) => routineOf(body, nth * 100));
    const after = edits.reduce<readonly Routine[]>(
      (code, one, nth) => edited(code, one, 10_000 + nth * 100),
      before,
    );
    return { before: textOf(before), after: textOf(after) };
  })
  .filter(({ before, after }) => before !== after && after !== '');

function routineOf(kinds: readonly number[], id: number): Routine {
  const body = kinds.map((kind, nth) => statementOf(kind, id + nth));
  return [[`function handle${id}(input) {`], ...body, ['  return input;', '}', '']];
}

const statementOf = (kind: number, id: number): Statement => forms[kind]?.(id) ?? [];

function edited(code: readonly Routine[], one: Edit, id: number): readonly Routine[] {
  const nth = one.routine % Math.max(1, code.length);
  const [target] = code.slice(nth, nth + 1);
  if (one.kind === 'insertRoutine' || !target) {
    return code.toSpliced(nth, 0, routineOf([one.form, one.target % forms.length], id));
  }
  const inner = target.length - 2; // neither the head nor the end
  const at = 1 + (one.statement % inner);
  const added = statementOf(one.form, id);
  switch (one.kind) {
    case 'insert':
      return code.with(nth, target.toSpliced(at, 0, added));
    case 'replace':
      return code.with(nth, target.with(at, added));
    case 'delete':
      return inner > 1 ? code.with(nth, target.toSpliced(at, 1)) : code;
    case 'move': {
      const moved = target.slice(at, at + 1);
      return code.with(
        nth,
        target.toSpliced(at, 1).toSpliced(1 + (one.target % inner), 0, ...moved),
      );
    }
    default:
      return code.length > 1 ? code.toSpliced(nth, 1) : code;
  }
}

const textOf = (code: readonly Routine[]): string =>
  [
    "import { compute, limit } from './compute';",
    '',
    ...code.flat(2),
    "registry.start('main');",
    '',
  ].join('\n');

/** The same code in a language that has neither braces nor semicolons. */
export function asPython(code: string): string {
  const lines = code.split('\n').filter(line => line.trim() !== '}');
  return lines.map(line => line.replace(/;$/, '').replace(/ \{$/, ':')).join('\n');
}
