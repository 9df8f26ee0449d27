import { css } from './css';
import { go } from './go';
import type { MergeCase } from './mergeCase';
import { python } from './python';
import { ruby } from './ruby';
import { rust } from './rust';
import { shell } from './shell';
import { sql } from './sql';
import { tsx } from './tsx';
import { typescript } from './typescript';
import { yaml } from './yaml';

export const mergeCases: readonly MergeCase[] = [
  typescript,
  tsx,
  python,
  go,
  rust,
  ruby,
  css,
  yaml,
  sql,
  shell,
];
