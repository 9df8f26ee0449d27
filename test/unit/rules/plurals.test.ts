import assert from 'node:assert/strict';
import { translatedFiles } from '../../../scripts/l10n';

const nouns =
  'byte|call|change|character|chat|check|day|edit|endpoint|entry|event|file|finding|hit|hour|label|line|minute|model|place|problem|prompt|reflex|review|row|set|token|turn|value';

const plural = new RegExp(
  String.raw`\{\d\} ((?:[a-z]+ )?)(${nouns.replace('entry', 'entrie')})e?s\b`,
  'u',
);

/** Their number is never 1, with the reason. */
const neverOne: Readonly<Record<string, readonly string[]>> = {
  'a limit of this extension or of the service': [
    'Compare up to {0} models, endpoints and efforts',
    'Sent: the paragraph at the cursor, up to {0} characters, when you pause, of files that match {1}. {2}',
    'The edit has more than {0} lines. Apply it in smaller parts.',
    'The figures are those of the calls of Splice on this computer and of test requests that you send: times and numbers of tokens, never a text. The latest {0} calls are kept.',
    'The message is longer than the {0} characters that agents take with a prompt, together with what waits already. Shorten it, or copy it.',
    'The query is longer than {0} characters.',
    'The texts go to {0}, at most {1} rows at a time. The results are written next to the file.',
    'Today: {0} of {1} calls, {2}, {3}, about {4}.',
    'What this window has sent since it was opened: the newest first, names and sizes only. The list is kept in memory on this computer, holds at most {0} calls, and goes with the window.',
    'what comes after its first {0} characters',
    '{0} has more than {1} prompts. Split the file before line {2}.',
    '{0} has more than {1} rows. Split the file before line {2}.',
    '{0} is about {1} tokens long; the limit is {2} tokens.',
    '{0} result sets are kept already. Dismiss one in the Search view first.',
  ],
  'the size of a model or a chat, or what it gets in an hour': [
    'Context window: {0} tokens',
    'The break-even is at {0} tokens per hour of the same mix; yours are {1}.',
    'The break-even is at {0} tokens per hour.',
    '{0} of {1} tokens',
    '{0} → {1} tokens, {2}',
  ],
  'only said where there are two or more': [
    'Accept all changes in {0} files',
    'Answer for {0} files',
    'Fix all {0} problems here with Splice',
    'Open reviews of {0} edits?',
    'The diff changes {0} files ({1}). Apply the part of each file to that file.',
    'The first {0} of {1} prompts, wrong answers first. Saved results have all of them.',
    'The last {0} lines of the file are missing.',
    'The orders of {0} endpoints are being refunded.',
    'The orders of {0} endpoints were refunded.',
    'The router reads your prompt and picks one of {0} models. Each choice costs {1}, plus the tokens of the model.',
    'The service no longer lists {0} endpoints that were here.',
    'The table built into Splice, {0} models.',
    '{0} days',
    '{0} edits in several files',
    '{0} fits at {1} places of the file. Add more unchanged lines around it, so that only one fits.',
    '{0} has {1} problems. The first {2} are fixed now, errors before warnings; run the command again for the rest.',
    '{0} of {1} files',
    '{0} to {1} of {2} rows',
    '⋯ {0} unchanged lines',
  ],
  'the text for one begins otherwise': [
    'The costs of {0} calls cannot be written to the disk: {1}.',
    '{0} of {1} changes accepted',
    '{0} reviews are open.',
    '{0}: none of the {1} endpoints is in a state for that.',
  ],
  'no number': [
    'Everything counts as reviewed from now on, also {0} with changes.',
    '{0} has changes in the notebook editor that are not saved. Save it, then apply the edit again.',
    '{0} on lines that you changed',
  ],
};

/** What stands for one: its wording may differ, but it begins and names its thing alike. */
function singularOf(text: string): RegExp {
  const [whole = '', adjective = '', noun = ''] = plural.exec(text) ?? [];
  const [before = ''] = text.split(whole);
  const start = before.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(`^${start}1 ${adjective}${noun.replace('entrie', 'entry')}\\b`, 'u');
}

describe('texts with a number of things', () => {
  it('have another form for one thing', () => {
    const texts = Object.keys(translatedFiles('.', 'de')[0]?.source ?? {});
    const counting = texts.filter(text => plural.test(text));
    assert.ok(counting.length > 50, `${counting.length}`);
    const exceptions = new Set(Object.values(neverOne).flat());
    const without = counting.filter(text => {
      const singular = singularOf(text);
      return !exceptions.has(text) && !texts.some(other => singular.test(other));
    });
    assert.deepEqual(without, []);
    assert.deepEqual(
      [...exceptions].filter(text => !counting.includes(text)),
      [],
      'no longer there',
    );
  });
});
