const byName: Readonly<Record<string, string>> = {
  bash: 'shellscript',
  'c#': 'csharp',
  'c++': 'cpp',
  cc: 'cpp',
  cjs: 'javascript',
  cs: 'csharp',
  cts: 'typescript',
  docker: 'dockerfile',
  golang: 'go',
  h: 'c',
  hpp: 'cpp',
  htm: 'html',
  js: 'javascript',
  jsx: 'javascriptreact',
  kt: 'kotlin',
  kts: 'kotlin',
  make: 'makefile',
  md: 'markdown',
  mjs: 'javascript',
  mts: 'typescript',
  objc: 'objective-c',
  pl: 'perl',
  ps1: 'powershell',
  py: 'python',
  pyi: 'python',
  rb: 'ruby',
  rs: 'rust',
  sh: 'shellscript',
  shell: 'shellscript',
  tf: 'terraform',
  ts: 'typescript',
  tsx: 'typescriptreact',
  yml: 'yaml',
  zsh: 'shellscript',
};
const selfNamed = new Set(
  (
    'c clojure cpp csharp css dart dockerfile elixir erlang fsharp go graphql groovy haskell html ini java javascript ' +
    'javascriptreact json jsonc julia kotlin latex less lua makefile markdown nix objective-c perl php powershell ' +
    'prisma proto python r ruby rust sass scala scss shellscript sql svelte swift terraform toml typescript ' +
    'typescriptreact vue xml yaml zig'
  ).split(' '),
);

/** The language id of VS Code for a name in a fence or a file extension. */
export function languageIdOf(name: string): string | undefined {
  const lower = name.toLowerCase();
  return selfNamed.has(lower) ? lower : byName[lower];
}

export function languageIdOfPath(path: string): string | undefined {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return languageIdOf(name.includes('.') ? (name.split('.').at(-1) ?? '') : name);
}

const hashed = new Set(
  'dockerfile elixir graphql julia makefile nix perl powershell python r ruby shellscript terraform toml yaml'.split(
    ' ',
  ),
);
const dashed = new Set(['haskell', 'lua', 'sql']);
const tagged = new Set(['html', 'markdown', 'svelte', 'vue', 'xml']);

/** The marker line that stands for unchanged code, as a comment of the language. */
export function existingCodeMarker(languageId: string | undefined): string {
  const text = '... existing code ...';
  if (languageId === undefined) return `// ${text}`;
  if (hashed.has(languageId)) return `# ${text}`;
  if (dashed.has(languageId)) return `-- ${text}`;
  if (tagged.has(languageId)) return `<!-- ${text} -->`;
  return languageId === 'css' ? `/* ${text} */` : `// ${text}`;
}

/** Languages whose code stands in each other's files. */
const families: readonly (readonly string[])[] = [
  ['javascript', 'javascriptreact', 'typescript', 'typescriptreact', 'vue', 'svelte'],
  ['html', 'vue', 'svelte', 'xml', 'php'],
  ['css', 'less', 'sass', 'scss', 'vue', 'svelte', 'html'],
  ['c', 'cpp', 'objective-c'],
  ['json', 'jsonc'],
];

/** Whether a file may hold code that a fence or an editor calls this language. */
export function mayHold(path: string, languageId: string): boolean {
  const own = languageIdOfPath(path);
  return (
    own === languageId ||
    (own !== undefined &&
      families.some(family => family.includes(languageId) && family.includes(own)))
  );
}
