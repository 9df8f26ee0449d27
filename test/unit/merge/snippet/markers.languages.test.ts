import assert from 'node:assert/strict';
import { written } from '../../../../src/base/sentence';
import { auditMerge, mergeEdit } from '../../../../src/merge';
import { hasMarkers, isMarkerAt, isMarkerLine } from '../../../../src/merge/snippet/markers';

const common = [
  '# （其余代码保持不变）',
  '# …（中略）…',
  '# 以下略',
  '# 既存のコード',
  '# 変更なし',
  '# Rest bleibt unverändert',
  '# resto do código sem alterações',
  '# остальной код без изменений',
  '# ···',
  '# etc.',
  '# TODO: keep existing code',
  '@@ ... @@',
];

describe('markers in other words', () => {
  const markers = [
    ...common,
    '// 其余代码不变',
    '// 其他代码保持不变',
    '// ... 其他代码 ...',
    '// 保留原有代码',
    '/* 此处省略 */',
    '// ……',
    '// 原有代码',
    '<!-- 其余部分不变 -->',
    '// 省略其他方法',
    '// 其餘程式碼不變',
    '# 【省略】',
    '// 既存のコードはそのまま',
    '// 残りのコードは変更なし',
    '// ... 既存のコード ...',
    '// （以下省略）',
    '// 以下、変更なし',
    '// 残りは同じ',
    '// ・・・',
    '// 기존 코드',
    '// 나머지 코드는 그대로 유지',
    '// 나머지는 동일합니다',
    '// 변경 없음',
    '// 이하 생략',
    '// ... 기존 코드 유지 ...',
    '// 기존 코드와 동일',
    '// Restlicher Code unverändert',
    '// Restlicher Code bleibt gleich',
    '// bestehender Code',
    '// Rest des Codes',
    '// Der Rest der Datei bleibt wie gehabt',
    '// keine Änderungen',
    '// Rest wie bisher',
    '// alles andere bleibt gleich',
    '// le reste du code est inchangé',
    '// reste du code inchangé',
    '// code existant',
    '// Le reste du fichier reste identique',
    '// sans changement',
    '// ... autres méthodes ...',
    '// El resto del código permanece igual',
    '// resto del código sin cambios',
    '// código existente',
    '// el resto del archivo no cambia',
    '// resto del código',
    '// sin cambios',
    '// O restante do código permanece o mesmo',
    '// código existente',
    '// resto do arquivo',
    '// restante do código inalterado',
    '// il resto del codice rimane invariato',
    '// codice esistente',
    '// resto del codice',
    '// senza modifiche',
    '// остальной код остается без изменений',
    '// остальная часть файла',
    '// существующий код',
    '// без изменений',
    '// ... остальные методы ...',
    '// код не изменился',
    '(其余代码保持不变)',
    '# ⋯',
    '# ︙',
    '-- 以下省略',
    '; остальное без изменений',
    '{/* 既存のコード */}',
    '% Rest bleibt gleich',
    '# etc',
    '# usw.',
    '# и т. д.',
    '# 等等',
    '// and so on',
    '// TODO: leave the rest unchanged',
    '# NOTE: rest of the code unchanged',
    '＃ 以下略',
  ];
  for (const line of markers) {
    it(`takes ${line} for a marker`, () => assert.equal(isMarkerLine(line), true));
  }

  const comments = [
    '# keep existing code style',
    '# Reste à faire',
    '# TODO: remaining tests',
    '# TODO: other endpoints',
    '# Reste à traduire',
    '# Rest',
    '# REST API',
    '# rest parameters',
    '# Restauriere bestehende Verbindungen...',
    '// ne pas modifier',
    '// no modificar',
    '// nicht ändern',
    '// не менять',
    '// 不要修改',
    '// 保留字',
    '// 変更なしの場合は何もしない',
    '// その他',
    '// 残り時間',
    '// 既存ユーザー',
    '// 既存のユーザーを確認する',
    '// 省略可能',
    '// 省略時は既定値',
    '// 他のファイルから呼ばれる',
    '// 基本设置',
    '// 其他',
    '// 其他方法',
    '// 现有用户',
    '// 处理剩余的行',
    '// 기존 사용자',
    '// 나머지 계산',
    '// 다른 코드에서 사용',
    '// autres méthodes',
    '// méthodes de test',
    '// même méthode que la classe mère',
    '// le reste de la division',
    '// El resto de la división',
    '// archivos existentes en el directorio',
    '// остаток от деления',
    '// существующий пользователь',
    '// файл не изменился, выходим',
    "// l'utilisateur existant",
    '// Otros',
    '// testes unitários',
    '// importar módulos',
    '// configuração atual do usuário',
    "// file non modificato dall'utente",
    '# · · nota',
    '# • item',
    '@@ -1,2 +1,3 @@',
    '@@ def foo @@',
    '@@',
    '// ・項目',
    '# etcd',
    '# etc/passwd',
    '# list, tuple, etc.',
    '// ============ 设置 ============',
    '// TODO: 其余代码',
    '// TODO: restlicher Code',
    '// bleibt gleich',
    '// codice fiscale esistente',
    '// como antes',
    '// igual',
    '// existing code path',
    '// Fichier de configuration',
    '// Prüft, ob die Datei existiert',
    '// Test auf bestehende Datei',
  ];
  for (const line of comments) {
    it(`takes ${line} for a comment`, () => assert.equal(isMarkerLine(line), false));
  }
});

describe('a marker that may be the end of a comment', () => {
  it('is one only on its own', () => {
    assert.equal(isMarkerAt(['# lists, tuples,', '# etc.', 'x = 1'], 1), false);
    assert.equal(isMarkerAt(['x = 1', '# etc.', '# and the next'], 1), false);
    assert.equal(isMarkerAt(['x = 1', '# etc.', 'y = 2'], 1), true);
    assert.equal(isMarkerAt(['# ...', '# etc.', 'y = 2'], 1), true);
    assert.equal(hasMarkers('# lists,\n# etc.\nx = 1'), false);
    assert.equal(hasMarkers('x = 1\n# etc.'), true);
  });

  it('is none in the middle of a sentence', () => {
    const comment = [
      '# Writes the header and keeps the',
      '# rest of the file unchanged',
      '# until it is closed.',
    ];
    assert.equal(isMarkerAt(comment, 1), false);
    assert.equal(isMarkerAt(['# A new constant.', '# rest of the file unchanged'], 1), true);
  });

  it('keeps the comment that a snippet adds', () => {
    const original = 'def a():\n    return 1\n\n\ndef b():\n    return 2\n';
    const snippet =
      'def a():\n    # Numbers, strings,\n    # etc.\n    return 3\n\n# ... existing code ...\n';
    const result = mergeEdit(original, snippet, { path: 'a.py' });
    assert.ok(result.kind === 'merged');
    assert.equal(
      result.text,
      'def a():\n    # Numbers, strings,\n    # etc.\n    return 3\n\n\ndef b():\n    return 2\n',
    );
    assert.deepEqual(auditMerge(original, snippet, result.text, { path: 'a.py' }), []);
  });
});

describe('a snippet with markers in other words', () => {
  const original = Array.from(
    { length: 6 },
    (_, at) => `def f${at}(x):\n    return x + ${at}\n`,
  ).join('\n');
  const expected = original.replace('x + 2', 'x * 2');
  for (const marker of common) {
    it(`is merged with ${marker}`, () => {
      const snippet = `${marker}\n\ndef f2(x):\n    return x * 2\n\n${marker}\n`;
      const result = mergeEdit(original, snippet, { path: 'a.py' });
      assert.ok(result.kind === 'merged', result.kind === 'refused' ? written(result.reason) : '');
      assert.equal(result.text, expected);
      assert.equal(result.certain, true);
      assert.deepEqual(auditMerge(original, snippet, result.text, { path: 'a.py' }), []);
    });

    it(`keeps ${marker} where it is a line of the file`, () => {
      const own = original.replace('    return x + 2', `    ${marker}\n    return x + 2`);
      const snippet = `# ... existing code ...\n\ndef f2(x):\n    ${marker}\n    return x * 2\n\n# ... existing code ...\n`;
      const result = mergeEdit(own, snippet, { path: 'a.py' });
      assert.ok(result.kind === 'merged');
      assert.equal(result.text, own.replace('x + 2', 'x * 2'));
    });
  }
});
