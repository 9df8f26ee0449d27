import assert from 'node:assert/strict';
import { namedLine, titleLine } from '../../../../src/compact/sessions/titles';

const asked = (...texts: readonly string[]) => ({
  messages: texts.map(text => ({
    role: 'user' as const,
    parts: [{ type: 'text' as const, text }],
  })),
});

const part = (type: 'text' | 'tool_result', text: string) => ({ type, text });

const command = (name: string, args: string) =>
  `<command-name>${name}</command-name>\n<command-message>x</command-message>\n<command-args>${args}</command-args>`;

describe('the title of a session', () => {
  it('is its own, or the first question', () => {
    assert.equal(titleLine({ title: 'The lamp', ...asked('Why?') }), 'The lamp');
    assert.equal(titleLine(asked('Why?', 'How?')), 'Why?');
    assert.equal(titleLine(asked('', ' \n', 'How?')), 'How?');
    assert.equal(titleLine(asked()), '');
  });

  it('is of the user, and of what was typed', () => {
    assert.equal(
      titleLine({
        messages: [
          { role: 'assistant', parts: [part('text', 'Hello.')] },
          { role: 'user', parts: [part('tool_result', 'found'), part('text', 'Why?')] },
        ],
      }),
      'Why?',
    );
  });

  it('is one line without marks, tags and wide gaps', () => {
    assert.equal(titleLine(asked('\n\n## > Why\t is   it? \nMore')), 'Why is it?');
    assert.equal(titleLine(asked('<context>\n</context>\nWhy?')), 'Why?');
    assert.equal(titleLine(asked('#\n>\n')), '');
    assert.equal(titleLine({ title: '', ...asked('Why?') }), '');
  });

  it('is a command as it was typed, but none of the tool itself', () => {
    assert.equal(titleLine(asked(command('/clear', ''), 'Why?')), 'Why?');
    assert.equal(titleLine(asked(command('/plan', 'the\n release'), 'Why?')), '/plan the');
    const request =
      '<command-message>review</command-message>\n<command-name>/review</command-name>';
    assert.equal(titleLine(asked(request, 'Why?')), '/review');
  });

  it('is what was typed, next to what the tool adds', () => {
    const sent =
      '<context>\nThe current date is 2026-03-01.\n</context>\n<userRequest>\nWhy?\n</userRequest>';
    assert.equal(titleLine(asked(sent)), 'Why?');
    assert.equal(
      titleLine(asked('<system-reminder>\nBe brief.\n</system-reminder>\nWhy?')),
      'Why?',
    );
    const added = '<system-reminder>\nBe brief.\n</system-reminder>';
    assert.equal(titleLine(asked(added, 'Why?')), 'Why?');
    assert.equal(titleLine(asked(added)), 'Be brief.');
  });

  it('has up to 80 characters, of the first 2000', () => {
    assert.equal(titleLine(asked('x'.repeat(81))), 'x'.repeat(80));
    assert.equal(titleLine(asked(`${' '.repeat(1999)}abc`)), 'a');
    assert.equal(titleLine(asked(`${' '.repeat(2000)}abc`)), '');
  });

  it('is not the name of a session without one, if there is a question', () => {
    const unnamed = /^New session/;
    assert.equal(namedLine({ title: 'New session 1', ...asked('Why?') }, unnamed), 'Why?');
    assert.equal(namedLine({ title: 'New session 1', ...asked() }, unnamed), 'New session 1');
    assert.equal(namedLine({ title: 'The lamp', ...asked('Why?') }, unnamed), 'The lamp');
    assert.equal(namedLine(asked('Why?'), unnamed), 'Why?');
    assert.equal(namedLine(asked(), /^$/), '');
  });
});
