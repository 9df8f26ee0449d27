import {
  all,
  insertAfter,
  insertBefore,
  type MergeCase,
  moveBefore,
  remove,
  replace,
} from './mergeCase';

const text = `:root {
  --ink: #1b1f24;
  --paper: #ffffff;
  --accent: #0b6bcb;
  --gap: 12px;
}

body {
  margin: 0;
  color: var(--ink);
  background: var(--paper);
  font: 16px/1.5 system-ui, sans-serif;
}

.toolbar {
  display: flex;
  align-items: center;
  gap: var(--gap);
  padding: 8px var(--gap);
}

.toolbar button {
  border: 1px solid var(--ink);
  border-radius: 4px;
  padding: 4px 8px;
}

.toolbar button:hover {
  background: var(--accent);
  color: var(--paper);
}

.card {
  display: flex;
  flex-direction: column;
  gap: var(--gap);
  border-radius: 4px;
  padding: var(--gap);
}

.card h2 {
  margin: 0;
  font-size: 1.25rem;
}

@media (max-width: 600px) {
  .toolbar {
    flex-wrap: wrap;
  }

  .card {
    padding: 8px;
  }
}
`;

const heading = '.card h2 {\n  margin: 0;\n  font-size: 1.25rem;\n}\n\n';

export const css: MergeCase = {
  path: 'media/app.css',
  text,
  edits: {
    'changes one colour': replace('  --accent: #0b6bcb;', '  --accent: #8a3ffc;'),
    'adds a declaration to a rule': insertAfter(
      '  flex-direction: column;\n',
      '  box-shadow: 0 1px 3px rgb(0 0 0 / 20%);\n',
    ),
    'adds a rule inside of a media query': insertBefore(
      '  .card {\n    padding: 8px;\n',
      '  body {\n    font-size: 14px;\n  }\n\n',
    ),
    'removes a rule': remove(
      '.toolbar button:hover {\n  background: var(--accent);\n  color: var(--paper);\n}\n\n',
    ),
    'moves a rule up': moveBefore(heading, '.toolbar {\n  display: flex;\n'),
    'adds a dark scheme at the end': all(
      insertAfter(
        '  .card {\n    padding: 8px;\n  }\n}\n',
        '\n@media (prefers-color-scheme: dark) {\n  :root {\n    --ink: #f0f0f0;\n    --paper: #16181c;\n  }\n}\n',
      ),
    ),
  },
};
