import { sentence } from '../../../base/sentence';
import { isFiller } from '../../lines';
import { isCommentOrDecorator } from '../../place/additions/entries';
import { declaredName } from '../../place/declaredName';
import { LinePattern } from '../../similarity';
import type { PlacedSection } from '../alignedMerge';
import type { AuditReport } from '../auditReport';
import { type AuditText, indentAt } from '../auditText';

/**
 * Reports a declaration that the snippet does not mention, and that is gone where the section declares another one: that
 * one may be new. True when there is one. A new name that more lines of the section use is a name in its stead.
 */
export function reportGoneDeclarations(
  { aligned: { original, merged, texts }, section, place }: PlacedSection,
  report: AuditReport,
): boolean {
  const gone = declaredIn(original, place.oldStart, place.oldEnd);
  if (gone.size === 0 || !isDeclarationsOnly(section)) return false;
  const left = declaredIn(merged, 0, merged.trimmed.length);
  const lost = [...gone.keys()].filter(
    name => !left.has(name) && !texts.some(({ trimmed }) => isUsed(name, trimmed)),
  );
  if (lost.length === 0) return false;
  const known = declaredIn(original, 0, original.trimmed.length);
  const fresh = [...declaredIn(section, 0, section.trimmed.length)].find(
    ([name, at]) => !known.has(name) && !isUsed(name, section.trimmed.toSpliced(at, 1)),
  );
  const [name] = lost;
  if (name === undefined || !fresh || isVariant(name, fresh[0])) return false;
  report.warning(
    'droppedCode',
    merged.rows[place.newStart + fresh[1]] ?? 0,
    sentence(
      '"{0}" takes the place of "{1}", which the snippet does not mention. Check that both are not needed.',
      fresh[0],
      name,
    ),
  );
  return true;
}

/** How alike two names are of which one is the other, spelled right. */
const minVariant = 0.9;

/** True when one name is the other with a part added or a letter corrected, which tells what became of it. */
function isVariant(one: string, other: string): boolean {
  return (
    one.includes(other) || other.includes(one) || new LinePattern(one).ratio(other) >= minVariant
  );
}

/** False for a section that shows lines around its declarations or only a part of one, which say what they replace. */
function isDeclarationsOnly(section: AuditText): boolean {
  const base = indentAt(section, 0);
  const last = section.trimmed.length - 1;
  const isWhole = indentAt(section, last) === base || section.trimmed.some(isPythonHeader);
  if (last < 2 || !isWhole) return false;
  return section.trimmed.every((text, at) => {
    const indent = indentAt(section, at);
    if (indent !== base) return indent > base;
    return declaredName(text) !== undefined || isFiller(text) || isCommentOrDecorator(text);
  });
}

const isPythonHeader = (text: string): boolean =>
  text.endsWith(':') && declaredName(text) !== undefined;

/** The names that lines `from` to `to` declare, each with the position of its first line. */
function declaredIn({ trimmed }: AuditText, from: number, to: number): Map<string, number> {
  const names = new Map<string, number>();
  for (let at = from; at < to; at++) {
    const name = declaredName(trimmed[at] ?? '');
    if (name !== undefined && !names.has(name)) names.set(name, at);
  }
  return names;
}

const wordPart = /[\p{L}\p{N}_$]/u;

function isUsed(name: string, lines: readonly string[]): boolean {
  return lines.some(line => {
    for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + 1)) {
      const isWhole =
        !wordPart.test(line[at - 1] ?? '') && !wordPart.test(line[at + name.length] ?? '');
      if (isWhole) return true;
    }
    return false;
  });
}
