// An esbuild plugin. esbuild decides by file what a chunk needs: whoever imports one name of an index would
// load all files that the index names, and activation with it. Here each name is imported from its own file.
import { readFileSync } from 'node:fs';
import path from 'node:path';

const exported = /^export (?:type )?\{([^}]*)\} from '(\.[^']+)';$/gm;
const imported = /^import (type )?\{([^}]*)\} from '(\.[^']+)';$/gm;

const namesIn = list =>
  list
    .split(',')
    .map(name => name.trim())
    .filter(Boolean);

/** Name → file without extension, of what an index exports. */
function readIndex(file) {
  const files = new Map();
  for (const [, list, from] of readFileSync(file, 'utf8').matchAll(exported))
    for (const name of namesIn(list))
      files.set(name.replace(/^type /, ''), path.join(path.dirname(file), from));
  return files;
}

/** @param indexes folders whose `index.ts` only exports from other files, with absolute paths. */
export function directImports(indexes) {
  return {
    name: 'direct-imports',
    setup(build) {
      const tables = new Map(
        indexes.map(folder => [folder, readIndex(path.join(folder, 'index.ts'))]),
      );
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path: file }) => {
        const direct = (all, type, list, from) => {
          const table = tables.get(path.resolve(path.dirname(file), from));
          if (!table || type) return all;
          return namesIn(list)
            .filter(name => !name.startsWith('type '))
            .map(name => {
              const target = table.get(name.split(' as ')[0]);
              if (!target) throw new Error(`${file}: ${from} does not export ${name}`);
              return `import { ${name} } from ${JSON.stringify(target)};`;
            })
            .join(' ');
        };
        const contents = readFileSync(file, 'utf8').replace(imported, direct);
        return { contents, loader: 'ts' };
      });
    },
  };
}
