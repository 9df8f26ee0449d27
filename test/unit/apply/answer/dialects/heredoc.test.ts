import assert from 'node:assert/strict';
import { applyAnswer } from '../../../../../src/apply/answer';

const texts: Readonly<Record<string, string>> = { 'src/a.ts': 'const a = 1;\n' };
const read = (answer: string) => {
  const { files, refused } = applyAnswer(answer, {
    files: () => Object.keys(texts),
    read: path => texts[path],
  });
  return {
    files: files.map(({ kind, path, text }) => [kind, path, text]),
    refused: refused.map(({ reason }) => reason),
  };
};
const written = [['edit', 'src/a.ts', 'const a = 2;\n']];
const created = [['create', 'src/new.ts', 'export {};\n']];

describe('a command that writes a file', () => {
  const commands: Readonly<Record<string, string>> = {
    'in a fence': "```bash\ncat > src/a.ts <<'EOF'\nconst a = 2;\nEOF\n```\n",
    'outside of one': "Run this:\n\ncat <<'EOF' > src/a.ts\nconst a = 2;\nEOF\n\nThat is all.\n",
    'with tee': "```sh\ntee src/a.ts <<'END'\nconst a = 2;\nEND\n```\n",
    'behind a prompt': '```\n$ cat > "src/a.ts" << "EOF"\nconst a = 2;\nEOF\n```\n',
    'without quotation marks': '```bash\ncat > src/a.ts <<EOF\nconst a = 2;\nEOF\n```\n',
  };
  for (const [name, answer] of Object.entries(commands)) {
    it(`is an edit ${name}`, () => {
      assert.deepEqual(read(answer), { files: written, refused: [] });
    });
  }

  it('may make its folder, and create the file', () => {
    const answer =
      "```bash\nmkdir -p src\n# the new one\nmkdir -p src && cat > src/new.ts <<'EOF'\nexport {};\nEOF\n```\n";
    assert.deepEqual(read(answer), { files: created, refused: [] });
  });

  it('adds to the end of a file', () => {
    const answer = "```bash\ncat >> src/a.ts <<'EOF'\nconst b = 2;\nEOF\n```\n";
    assert.deepEqual(read(answer).files, [['edit', 'src/a.ts', 'const a = 1;\nconst b = 2;\n']]);
  });

  it('has its escapes undone where the shell would undo them', () => {
    const answer = '```bash\ncat > src/a.ts <<EOF\nconst a = "\\$x";\nEOF\n```\n';
    assert.deepEqual(read(answer).files, [['edit', 'src/a.ts', 'const a = "$x";\n']]);
  });

  it('is refused where the shell would put values in, and where it is cut off', () => {
    const values = read('```bash\ncat > src/a.ts <<EOF\nconst a = "$HOME";\nEOF\n```\n');
    assert.deepEqual(values.files, []);
    assert.match(values.refused.join('\n'), /would put values into this text/);
    const cut = read("```bash\ncat > src/a.ts <<'EOF'\nconst a = 2;\n```\n");
    assert.deepEqual(cut.files, []);
    assert.match(cut.refused.join('\n'), /The line EOF that ends the text is missing/);
  });

  it('names the other commands', () => {
    const answer = "```bash\ncat > src/a.ts <<'EOF'\nconst a = 2;\nEOF\nnpm test\n```\n";
    const { files, refused } = read(answer);
    assert.deepEqual(files, written);
    assert.match(refused.join('\n'), /commands for a terminal/);
  });
});
