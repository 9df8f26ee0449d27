/** A message of an invented chat in the shape of Chat Completions. */
export type Step =
  | { readonly user: string }
  | { readonly assistant: string }
  | { readonly system: string }
  | { readonly call: object; readonly result: string; readonly name?: string };

/** The bytes of a file with these messages. */
export function chatBytes(steps: readonly Step[]): Uint8Array {
  const messages = steps.flatMap((step, at): object[] => {
    if ('user' in step) return [{ role: 'user', content: step.user }];
    if ('assistant' in step) return [{ role: 'assistant', content: step.assistant }];
    if ('system' in step) return [{ role: 'system', content: step.system }];
    const id = `call_${at}`;
    const made = { name: step.name ?? 'run', arguments: JSON.stringify(step.call) };
    return [
      { role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: made }] },
      { role: 'tool', tool_call_id: id, content: step.result },
    ];
  });
  return new TextEncoder().encode(JSON.stringify(messages));
}

/** Lines of a source file, all different. */
export function sourceLines(name: string, count: number): string {
  return Array.from(
    { length: count },
    (_, at) =>
      `export const ${name}Value${at} = compute${at % 7}(${1000 + at}, '${name}/part${at}');`,
  ).join('\n');
}

/** A session of many turns, in which results take most of the space. */
export function longSession(turns = 30): Step[] {
  return Array.from({ length: turns }, (_, turn): Step[] => [
    { user: `Request ${turn}: please look at module${turn} and do not touch config${turn}.` },
    { assistant: `I decided in turn ${turn} to read module${turn} first.` },
    {
      call: { path: `src/module${turn}.ts` },
      result: sourceLines(`module${turn}`, 60),
      name: 'read',
    },
    {
      call: { path: `src/module${turn}.ts`, content: sourceLines(`changed${turn}`, 40) },
      result: 'written',
      name: 'write',
    },
  ]).flat();
}
