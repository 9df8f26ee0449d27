import assert from 'node:assert/strict';
import { AuditReport } from '../../../../../src/merge/audit/auditReport';
import { checkCharacters } from '../../../../../src/merge/audit/checks/characters';

const original = "const a = 'ä';\nconst b = a && 1;\n";

function found(line: string, path = 'a.ts', before = original): string[] {
  const report = new AuditReport(10);
  checkCharacters(before, `${before}${line}\n`, path, report);
  return report.sorted.map(({ kind, severity, line: at }) => `${severity} ${kind} ${at}`);
}

describe('characters of new lines', () => {
  it('are reported where no code has them', () => {
    for (const line of [
      'log(“text”);',
      'if (a &amp;&amp; b) log(a);',
      'log(\u00a0a);',
      'log\u200b(a);',
    ]) {
      assert.deepEqual(found(line), ['warning invalidCharacter 3'], line);
    }
    assert.deepEqual(found("log('caf\uFFFD');"), ['error invalidCharacter 3']);
  });

  it('are no finding in strings, comments, emoji, and files of text', () => {
    for (const line of [
      'log("say “hi”", \'10\u00a0km\');',
      '// “a”, b',
      "log('&lt;p&gt;');",
      "log('👩\u200d💻');",
      'const ü = 1;',
    ]) {
      assert.deepEqual(found(line), [], line);
    }
    assert.deepEqual(found('He said (“no”).', 'a.md'), []);
  });

  it('are no finding where the file has them', () => {
    const before = "x\u200b = '\uFFFD';\nlog(“a”);\n";
    assert.deepEqual(found("y\u200b = '\uFFFD' + f(“b”);", 'a.txt', before), []);
    assert.deepEqual(found('log(“b”);', 'a.js', before), []);
  });
});
