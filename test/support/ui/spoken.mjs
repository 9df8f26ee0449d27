// What a screen reader reads of the element that has the focus, in the window or in a page inside it.

/** Things that are counted in labels of Splice. */
const things =
  'byte|call|change|character|chat|endpoint|entry|event|file|finding|hit|label|line|message|model|place|review|row|step|token|turn';

/** In the frame with the focus: the element, or the entry of a list or a tree that it points to. */
function focused() {
  const page = document;
  let element = page.activeElement;
  if (!page.hasFocus() || !element || element === page.body || element.tagName === 'IFRAME') {
    return null;
  }
  const text = id => page.getElementById(id)?.textContent ?? '';
  const names = one => {
    const labelled = one.getAttribute('aria-labelledby')?.split(/\s+/).map(text).join(' ');
    const own = labelled || one.getAttribute('aria-label');
    if (own) return own;
    const fields = [...(one.labels ?? [])].map(label => label.textContent).join(' ');
    return fields || one.innerText || one.title || one.placeholder || one.alt || '';
  };
  const roles = { A: 'link', BUTTON: 'button', SELECT: 'combobox', TEXTAREA: 'textbox' };
  const types = { text: 'textbox', search: 'searchbox', number: 'spinbutton' };
  const roleOf = one =>
    one.getAttribute('role') ??
    roles[one.tagName] ??
    (one.tagName === 'INPUT' ? (types[one.type] ?? one.type) : one.tagName.toLowerCase());
  const entry = page.getElementById(element.getAttribute('aria-activedescendant') ?? '');
  const around = entry ? { role: roleOf(element), name: names(element) } : undefined;
  if (entry) element = entry;
  const states = ['expanded', 'selected', 'checked', 'pressed', 'disabled'].flatMap(state => {
    const value = element.getAttribute(`aria-${state}`);
    return value === 'true'
      ? [state]
      : value === 'false' && state === 'expanded'
        ? ['collapsed']
        : [];
  });
  const describedBy = element.getAttribute('aria-describedby')?.split(/\s+/).map(text).join(' ');
  return {
    role: roleOf(element),
    name: names(element),
    states,
    description: element.getAttribute('aria-description') ?? describedBy ?? '',
    ...(around && { within: `${around.role} ${around.name}` }),
    ...('value' in element && element.type !== 'password' && { value: element.value }),
  };
}

const clean = text =>
  typeof text === 'string' ? text.replaceAll(/[\s\u00a0]+/g, ' ').trim() : text;

/** Undefined where nothing has the focus. */
export async function spoken(page) {
  // A page in the window is a frame in a frame, and the deepest one has the focus.
  for (const frame of page.frames().toReversed()) {
    // A frame may go at that moment.
    const found = await frame.evaluate(focused).catch(() => null);
    if (found)
      return Object.fromEntries(Object.entries(found).map(([key, text]) => [key, clean(text)]));
  }
  return undefined;
}

/** What is wrong with a label, one sentence each. */
export function faultsOf(label) {
  const { name, description = '' } = label;
  const faults = [];
  if (name === '') faults.push('has no name');
  const said = `${name} ${description}`;
  // Icons have characters of the private use area.
  if (/[\u{e000}-\u{f8ff}\u{f0000}-\u{10ffff}]|\$\([\w~-]+\)/u.test(said))
    faults.push('has an icon in its name');
  if (/undefined|\bnull\b|\bNaN\b|\[object|\{\d\}/.test(said))
    faults.push('has a value that is no text');
  const parts = name.split(/[,;·]|\. (?!·)/).map(part => part.trim().toLowerCase());
  for (const [at, part] of parts.entries()) {
    if (part === '' && at < parts.length - 1) faults.push('has an empty part');
    if (part !== '' && part === parts[at + 1]) faults.push(`says "${part}" twice`);
  }
  for (const [count] of said.matchAll(new RegExp(`(?<![\\d.,/])1 (?:${things})e?s\\b`, 'giu')))
    faults.push(`says "${count}"`);
  for (const [count] of said.matchAll(
    new RegExp(`(?<![\\d.,/])(?:0|[2-9]|\\d{2,}) (?:${things})\\b(?! \\d)`, 'giu'),
  ))
    faults.push(`says "${count}"`);
  return faults;
}
