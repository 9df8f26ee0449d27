import type { Placed } from './explain';
import type { Fit, Held } from './fit';
import type { AuditText, Postings } from './auditText';
import type { Section } from '../snippet/sections';

/** The merged text as kept lines and sections. */
export interface Reading {
  original: AuditText;
  merged: AuditText;
  inMerged: Postings;
  texts: readonly AuditText[];
  sections: readonly Section[];
  placed: readonly Placed[];
  markers: number;
}

/** A section that changed something, as it stands in the merged text. */
export interface PlacedSection {
  reading: Reading;
  section: AuditText;
  place: Placed;
  nth: number;
  /** How the section fits the lines that it replaced. */
  fit: Fit;
  held: Held;
}
