import assert from 'node:assert/strict';
import { type Addition, additionIn } from '../../../../../src/merge/place/additions/addition';
import { indexOf, sectionOf } from '../places';

const file = `const errors = [
  'stopped',
  'timed out',
  'closed',
];

function first(path) {
  open(path);
}

function second(path) {
  open(path);
  close();
}
`;

interface Shown {
  /** How many lines at the edge are the neighbor. */
  readonly kept?: number;
  readonly isBelow?: boolean;
  /** Columns of the marker beside the new entry. */
  readonly marker?: number;
  readonly original?: string;
}

function shown(section: string, given: Shown = {}): Addition | undefined {
  const { kept = 1, isBelow = true, marker = 0, original = file } = given;
  const index = indexOf(original);
  const markers = isBelow ? { below: marker } : { above: marker };
  return additionIn(sectionOf(section, index, markers), index, kept, isBelow);
}

/** Of a section that adds an entry: what it says of the lines of the file. */
function added(section: string, given: Shown = {}) {
  const addition = shown(section, given);
  assert.ok(addition, 'no addition');
  const index = indexOf(given.original ?? file);
  return {
    isBlock: addition.isBlock,
    isApart: addition.isApart,
    shows: (line: string) => addition.shows(index.numberOf(line)),
    replaces: (line: string) => addition.replaces(index.numberOf(line)),
  };
}

const news = (count: number): string =>
  Array.from({ length: count }, (_, at) => `  'new ${at}',\n`).join('');

describe('a section that adds an entry', () => {
  it('has lines of its neighbor and new ones', () => {
    assert.ok(shown("  'stopped',\n  'reset',\n"));
    assert.equal(shown("  'stopped',\n  'reset',\n", { kept: 0 }), undefined);
    assert.equal(shown("  'stopped',\n  'timed out',\n", { kept: 2 }), undefined);
  });

  it('shows the neighbor above or below it', () => {
    const section = "  'reset',\n  'closed',\n";
    assert.ok(shown(section, { isBelow: false }));
    assert.equal(shown(section, { isBelow: false, kept: 2 }), undefined);
  });

  it('has no line of the file among the new ones, unless they are a block', () => {
    assert.equal(shown("  'stopped',\n  'closed',\n"), undefined);
    const block = '  open(path);\n}\nfunction third(path) {\n  close();\n}\n';
    assert.ok(shown(block, { kept: 2 }));
  });

  it('may have a line that the file has elsewhere, indented otherwise', () => {
    assert.ok(
      shown("  'stopped',\n  close();\n", { original: file.replace('  close', '    close') }),
    );
  });

  it('is not shown by lines that are everywhere', () => {
    assert.equal(shown('];\nconst others = [];\n'), undefined);
    assert.equal(shown('}\nconst others = 1;\n'), undefined);
  });

  it('is shown by the end of a list if its lines have names', () => {
    const original = '{\n  "a": 1,\n  "b": 2\n}\n';
    assert.ok(shown('  "c": 3\n}\n', { original, isBelow: false }));
    assert.equal(shown('  read()\n}\n', { original, isBelow: false }), undefined);
    assert.equal(shown('{\n  "c": 3\n', { original }), undefined);
  });

  it('does not contain the marker below it', () => {
    assert.ok(shown("  'stopped',\n  'reset',\n", { marker: 2 }));
    assert.equal(shown("  'stopped',\n  'reset',\n", { marker: 3 }), undefined);
  });

  it('does not contain the neighbor below it', () => {
    const section = "group(\n  'closed',\n";
    assert.equal(shown(section, { isBelow: false }), undefined);
  });

  it('closes what it opens', () => {
    assert.equal(shown("  'stopped',\n  ...read([\n"), undefined);
    assert.ok(shown("  'stopped',\n  ...read([]),\n"));
    assert.equal(shown('  open(path);\n  text = """\n'), undefined);
    assert.ok(shown('  open(path);\n  text = """a"""\n'));
  });

  it('has at most 60 lines', () => {
    assert.ok(shown(`  'stopped',\n${news(59)}`));
    assert.equal(shown(`  'stopped',\n${news(60)}`), undefined);
  });
});

const isApart = (section: string): boolean => added(`  'stopped',\n${section}`).isApart;

const isBlock = (section: string): boolean => added(`  'stopped',\n${section}`).isBlock;

describe('an added entry', () => {
  it('is a block if it starts one, or with a line that leads one', () => {
    assert.equal(isBlock("  'reset',\n"), false);
    assert.equal(isBlock('function third() {\n}\n'), true);
    assert.equal(isBlock('case ok:\n'), true);
    assert.equal(isBlock('@Input()\nname = 1;\n'), true);
    assert.equal(isBlock('- one\n'), false);
    assert.equal(isBlock('- one\n  two\n'), true);
    assert.equal(isBlock('- one\n- two\n'), false);
  });

  it('stands apart if it is a block, a comment, or a statement in brackets', () => {
    assert.equal(isApart("  'reset',\n"), false);
    assert.equal(isApart('function third() {\n}\n'), true);
    assert.equal(isApart('// one\n// two\n'), true);
    assert.equal(isApart('// one\nread();\n'), false);
    assert.equal(isApart('read({\n  one,\n});\n'), true);
    assert.equal(isApart('read({\n  one,\n});\nread({\n});\n'), true);
    assert.equal(isApart('read({\n});\n});\nread({\n});\n'), false, 'closes more than it opens');
  });

  it('does not stand apart in the brackets that its neighbor opens', () => {
    const section = 'function second(path) {\n  read({\n    one,\n  });\n';
    assert.equal(added(section).isApart, false);
  });

  it('does not stand apart above its neighbor', () => {
    const section = "  read({\n    one,\n  }),\n  'closed',\n";
    assert.equal(added(section, { isBelow: false, marker: 2 }).isApart, false);
  });

  it('does not stand apart if it shows a line that the file has once', () => {
    const original = file.replace("  'stopped',\n", "  'stopped',\n    close,\n");
    const section = '  open(path);\n  read({\n  close,\n  });\n';
    assert.equal(added(section, { original }).isApart, false);
    const twice = original.replace('    close,\n', '    close,\n    close,\n');
    assert.equal(added(section, { original: twice }).isApart, true);
  });

  it('shows the lines that it has in common with one place of the file', () => {
    const section = "  'stopped',\nfunction third(path) {\n  open(path);\n  close();\n}\n";
    const { shows } = added(section);
    assert.equal(shows('close();'), true);
    assert.equal(shows('open(path);'), false, 'there are two');
    assert.equal(shows("'closed',"), false);
  });

  it('replaces the line of the same name', () => {
    const original = 'const one = 1;\nconst limit = read(1);\nconst other = read(1);\n';
    const { replaces } = added('const one = 1;\nconst limit = compute({});\n', { original });
    assert.equal(replaces('const limit = read(1);'), true);
    assert.equal(replaces('const other = read(1);'), false);
  });

  it('replaces no line of another name, however similar', () => {
    const original = 'const one = 1;\nconst limit1 = compute(1);\n';
    const { replaces } = added('const one = 1;\nconst limit2 = compute(1);\n', { original });
    assert.equal(replaces('const limit1 = compute(1);'), false);
  });

  it('replaces a line by no name that its neighbor has too', () => {
    const original = '  name: one\n  name: something else\n';
    const { replaces } = added('  name: one\n  name: two\n', { original, marker: 2 });
    assert.equal(replaces('name: something else'), false);
  });

  it('replaces a line that it hardly changes, or that it puts something into', () => {
    const original = "use('a');\nuse('actions/checkout@v3');\nrun(value);\n";
    const { replaces } = added("use('a');\nuse('actions/checkout@v4');\n", { original });
    assert.equal(replaces("use('actions/checkout@v3');"), true);
    assert.equal(replaces('run(value);'), false);
    const longer = added("use('a');\nrun(value, 3);\n", { original });
    assert.equal(longer.replaces('run(value);'), true);
    const other = added("use('a');\nrun(other, 3);\n", { original });
    assert.equal(other.replaces('run(value);'), false);
    const renamed = added("use('a');\nfun(value, 3);\n", { original });
    assert.equal(renamed.replaces('run(value);'), false);
  });

  it('replaces no line that it resembles no more than its neighbor', () => {
    const original = "use('actions/checkout@v2');\nuse('actions/checkout@v3');\n";
    const { replaces } = added("use('actions/checkout@v2');\nuse('actions/checkout@v4');\n", {
      original,
    });
    assert.equal(replaces("use('actions/checkout@v3');"), false);
  });
});
