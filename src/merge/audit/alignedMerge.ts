import type { Section } from '../snippet/sections';
import type { AuditText, Postings } from './auditText';
import type { SectionPlacement } from './explainMerge';
import type { Fit, RequiredEnds } from './fitter';

/** The merged text, divided into kept lines and sections of the snippet. */
export interface AlignedMerge {
  original: AuditText;
  merged: AuditText;
  inMerged: Postings;
  texts: readonly AuditText[];
  sections: readonly Section[];
  placed: readonly SectionPlacement[];
  markers: number;
}

/** A section that changed something, with its place in the merged text. */
export interface PlacedSection {
  aligned: AlignedMerge;
  section: AuditText;
  place: SectionPlacement;
  nth: number;
  /** How the section fits the lines that it replaced. */
  fit: Fit;
  requiredEnds: RequiredEnds;
}
