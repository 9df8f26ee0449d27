// The parsers that read texts of others, with the words of what each of them reads.
import { applyParsers } from './apply';
import { compactParsers } from './compact';
import { hostParsers } from './host';
import { mergeParsers } from './merge';
import { modelParsers } from './models';
import type { Parser } from './parser';
import { reflexParsers } from './reflex';
import { searchParsers } from './search';
import { serviceParsers } from './service';

export type { Parser } from './parser';

export const parsers: readonly Parser[] = [
  ...applyParsers,
  ...mergeParsers,
  ...compactParsers,
  ...hostParsers,
  ...reflexParsers,
  ...searchParsers,
  ...modelParsers,
  ...serviceParsers,
];
