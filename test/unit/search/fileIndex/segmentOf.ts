import { IndexSegment } from '../../../../src/search/fileIndex/indexSegment';
import { SegmentBuilder } from '../../../../src/search/fileIndex/segmentBuilder';

/** A segment of files with these texts. */
export function segmentOf(texts: Readonly<Record<string, string>>): IndexSegment {
  const builder = new SegmentBuilder();
  for (const [path, text] of Object.entries(texts)) {
    builder.add(path, `stamp of ${path}`, Buffer.from(text));
  }
  return new IndexSegment(builder.build());
}
