import assert from 'node:assert/strict';
import { isConflictText } from '../../../../../../src/apply/external/disk/git/conflictText';

const ours = 'one\nours\nend\n';
const theirs = 'one\ntheirs\nend\n';
const base = 'one\nbase\nend\n';
const versions = [base, ours, theirs];
const conflict = 'one\n<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> other\nend\n';

describe('a text with conflict markers', () => {
  it('is of git when it has only lines of the versions', () => {
    assert.ok(isConflictText(conflict, versions));
    assert.ok(isConflictText(conflict.replaceAll('\n', '\r\n'), versions));
    assert.ok(isConflictText(conflict.replace('=======', '||||||| 1234\nbase\n======='), versions));
    assert.ok(isConflictText(conflict.replace(' HEAD', '').replace(' other', ''), versions));
    assert.ok(isConflictText(conflict + conflict, versions));
  });

  it('is not of git alone when somebody has been at it', () => {
    assert.ok(!isConflictText(conflict.replace('ours', 'theirs and ours'), versions));
    assert.ok(!isConflictText(`${conflict}more\n`, versions));
    assert.ok(!isConflictText(conflict.replace('<<<<<<< HEAD\n', ''), versions));
    assert.ok(!isConflictText(conflict.replace('>>>>>>> other\n', ''), versions));
    assert.ok(!isConflictText(conflict.replace('ours', '<<<<<<< HEAD'), versions));
    assert.ok(!isConflictText(conflict.replace('>>>>>>> other', '>>>>>>>other'), versions));
    assert.ok(!isConflictText(ours, versions));
    assert.ok(!isConflictText('', versions));
  });

  it('may have lines that look like a marker where the versions have them', () => {
    const heading = 'Title\n=======\n';
    assert.ok(isConflictText(heading + conflict, [...versions, heading]));
    assert.ok(!isConflictText(heading + conflict, versions));
  });
});
