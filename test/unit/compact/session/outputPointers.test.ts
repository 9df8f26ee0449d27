import assert from 'node:assert/strict';
import { isOutputPointer } from '../../../../src/compact/session/outputPointers';

const pointer = 'Full output saved to: /tmp/tool/1.txt';

describe('a line that tells where the whole of an output is', () => {
  it('says where it was saved, or that it is the full one', () => {
    for (const line of [
      pointer,
      'Output too large (99KB). Saved to: /home/ada/a1.txt',
      'the results were written to ~/out.log',
      'The log is stored in "C:\\Temp\\a.log"',
      '[Showing lines 1-90. Full output: /tmp/pi.log]',
      'Complete logs at `/var/log/run`',
      'ENTIRE RESULT IN (~/run)',
    ])
      assert.ok(isOutputPointer(line), line);
  });

  it('is not one about another file, or without a path', () => {
    for (const line of [
      'Settings saved to: /etc/app.conf',
      'The output was saved to the clipboard',
      'Full output: see below',
      'output /tmp/a.txt',
      '',
    ])
      assert.ok(!isOutputPointer(line), line);
  });

  it('is short', () => {
    assert.ok(isOutputPointer(pointer.padEnd(400)));
    assert.ok(!isOutputPointer(pointer.padEnd(401)));
  });
});
