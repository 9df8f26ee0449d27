import { sentence } from '../../../base/sentence';
import { endsLine } from '../../../base/text/textLines';
import { fenceAt } from '../../../markdown';
import { isMarkerAt } from '../../snippet/markers';
import type { AuditReport } from '../auditReport';
import type { AuditText, Postings } from '../auditText';

/** Checks line endings, the byte order mark and the final newline. */
export function checkFileFormat(original: string, merged: string, report: AuditReport): void {
  if (original === '' || merged === '') {
    return;
  }
  const before = lineEndsOf(original);
  if (before.size > 0 && [...lineEndsOf(merged)].some(end => !before.has(end))) {
    report.error('lineEndings', 0, sentence('The line endings changed.'));
  }
  if (original.startsWith('\uFEFF') !== merged.startsWith('\uFEFF')) {
    report.warning('lineEndings', 0, sentence('The byte order mark changed.'));
  }
  const ended = endsLine(original);
  if (ended !== endsLine(merged)) {
    report.warning(
      'finalNewline',
      report.height - 1,
      ended
        ? sentence('The newline at the end of the file is gone.')
        : sentence('A newline was added at the end of the file.'),
    );
  }
}

/** Reports markers and fences of the answer that were left in the file. */
export function checkLeftovers(
  merged: AuditText,
  inOriginal: Postings,
  inSnippet: ReadonlySet<number>,
  report: AuditReport,
): void {
  const seen = new Map<number, number>();
  merged.codes.forEach((code, at) => {
    const known = inOriginal.count(code);
    const row = merged.rows[at] ?? 0;
    if (known > 0) {
      const count = (seen.get(code) ?? 0) + 1;
      seen.set(code, count);
      // The file has such a line, but not as often. Dots alone may be syntax.
      const isDots = merged.trimmed[at] === '...';
      if (count > known && !isDots && isMarkerAt(merged.trimmed, at)) {
        report.warning(
          'leakedMarker',
          row,
          sentence('This line looks like a placeholder for existing code.'),
        );
      }
      return;
    }
    const trimmed = merged.trimmed[at] ?? '';
    if (fenceAt(trimmed, 0) !== undefined && !inSnippet.has(code)) {
      report.error('codeFence', row, sentence('A code fence was left in the file.'));
    } else if (!inSnippet.has(code) && isMarkerAt(merged.trimmed, at)) {
      report.error(
        'leakedMarker',
        row,
        sentence('A placeholder for existing code was left in the file.'),
      );
    }
  });
}

function lineEndsOf(text: string): Set<string> {
  if (!text.includes('\r')) {
    return new Set(text.includes('\n') ? ['\n'] : []);
  }
  return new Set(text.match(/\r\n|\n|\r/g));
}
