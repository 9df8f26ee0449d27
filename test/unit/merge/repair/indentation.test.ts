import assert from 'node:assert/strict';
import { mergeEdit } from '../../../../src/merge';

describe('the indentation of a first line', () => {
  it('is not that of the lines of the comment that it opens', () => {
    const original = `(*
 * Copyright (c) 2012 A. Author <a@example.org>
 *
 * Permission to use this software is granted.
 *)

open Lwt

let a = 1
`;
    const snippet = `(*{{{ Copyright (c) 2012 A. Author <a@example.org>
 *
 * Permission to use this software is granted.
 *)

open Lwt
(* ... existing code ... *)
`;
    const result = mergeEdit(original, snippet, { path: 'a.ml' });
    assert.ok(result.kind === 'merged');
    assert.equal(result.text, original.replace('(*\n * Copyright', '(*{{{ Copyright'));
  });

  it('comes back from the file where the selection began behind it', () => {
    const original =
      'class A:\n    def f(self):\n        x = self.size()\n        return x + 1\n\n    def g(self):\n        return 2\n';
    const result = mergeEdit(
      original,
      'def f(self):\n        x = self.size()\n        return x + 3\n',
      { path: 'a.py' },
    );
    assert.ok(result.kind === 'merged');
    assert.equal(result.text, original.replace('x + 1', 'x + 3'));
  });
});
