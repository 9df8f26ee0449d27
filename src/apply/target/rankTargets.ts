import { splitLines } from '../../base/text/textLines';
import { languageIdOfPath } from '../parse/languageName';

export interface TargetQuery {
  /** As named by the snippet; may be absolute, of another system, or wrong. Only compared, never opened. */
  readonly path?: string;
  readonly languageId?: string;
  readonly text: string;
}

export interface TargetCandidate {
  readonly id: string;
  /** Relative to the workspace, with '/'. */
  readonly path: string;
  readonly languageId?: string;
  readonly isActive: boolean;
  readonly isOpen: boolean;
  readonly text?: string;
}

export interface RankedTarget {
  readonly id: string;
  /** 0 to 1, higher is likelier. */
  readonly score: number;
  readonly why: 'path' | 'active' | 'content' | 'open';
  /** True when the file may be used without asking. */
  readonly clear: boolean;
}

/** Share of the snippet's rare lines that make the active file an obvious target. */
const minShare = 0.3;
/** If another file fits better than the active one by this much, the active file is no obvious target. */
const clearLead = 0.25;

const scores = { exactPath: 1, pathSuffix: 0.9, looseSuffix: 0.8, baseName: 0.6 };

interface Judged {
  readonly candidate: TargetCandidate;
  readonly pathScore: number;
  readonly share: number;
  readonly score: number;
}

/** Which file a snippet is meant for; the best first. */
export function rankTargets(
  query: TargetQuery,
  candidates: readonly TargetCandidate[],
): RankedTarget[] {
  const wanted = query.path === undefined ? [] : pathParts(query.path);
  const lines = rareLines(query.text, candidates);
  const judged = candidates
    .map(candidate => judge(query, wanted, lines, candidate))
    .sort((a, b) => b.score - a.score);
  const bestPath = Math.max(0, ...judged.map(({ pathScore }) => pathScore));
  const named = judged.filter(({ pathScore }) => pathScore === bestPath);

  return judged.map(one => {
    const isNamed = named.length === 1 && named[0] === one && one.pathScore >= scores.looseSuffix;
    const clear = wanted.length > 0 ? isNamed : isObvious(one, judged);
    return { id: one.candidate.id, score: one.score, why: reasonFor(one), clear };
  });
}

function judge(
  query: TargetQuery,
  wanted: readonly string[],
  lines: ReadonlyMap<string, number>,
  candidate: TargetCandidate,
): Judged {
  const pathScore = Math.min(
    scorePath(wanted, pathParts(candidate.path)),
    pointsOutside(query.path ?? '') ? scores.pathSuffix : scores.exactPath,
  );
  const share = shareOf(lines, candidate.text);
  const language = candidate.languageId ?? languageIdOfPath(candidate.path);
  const isOtherLanguage =
    query.languageId !== undefined && language !== undefined && query.languageId !== language;

  const base =
    0.5 * share +
    (candidate.isActive ? 0.25 : candidate.isOpen ? 0.1 : 0) +
    (isOtherLanguage ? 0 : 0.1);
  // A matching path outweighs everything else; the rest only decides between equal matches.
  const score =
    pathScore > 0 ? pathScore - 0.09 * (1 - base / 0.85) * (pathScore < 1 ? 1 : 0) : base * 0.6;
  return { candidate, pathScore, share, score: Math.min(Math.max(score, 0), 1) };
}

function reasonFor({ candidate, pathScore, share }: Judged): RankedTarget['why'] {
  if (pathScore > 0) return 'path';
  if (candidate.isActive) return 'active';
  return share > 0 ? 'content' : 'open';
}

/** Without a path: the active file, when it holds enough of the snippet and no other file holds far more. */
function isObvious({ candidate, share }: Judged, all: readonly Judged[]): boolean {
  if (!candidate.isActive || share < minShare) return false;
  return all.every(other => other.candidate === candidate || other.share < share + clearLead);
}

/** No system has longer paths; only the end of a longer one is used. */
const maxPathLength = 4096;

/** Folders and name, without drives, roots, '.' and '..'. */
export function pathParts(path: string): string[] {
  return path
    .slice(-maxPathLength)
    .replace(/^file:\/+/i, '')
    .split(/[\\/]+/)
    .filter(part => part !== '' && part !== '.' && part !== '..' && !/^[A-Za-z]:$/.test(part));
}

/** True for a path that is not relative to the workspace; only its end can match a file in it. */
export function pointsOutside(path: string): boolean {
  return /^(?:[\\/~]|[A-Za-z]:|file:)/i.test(path) || /(?:^|[\\/])\.\.(?:[\\/]|$)/.test(path);
}

function scorePath(wanted: readonly string[], own: readonly string[]): number {
  if (wanted.length === 0 || own.length === 0) return 0;
  if (wanted.join('/') === own.join('/')) return scores.exactPath;
  if (isSuffix(wanted, own)) return scores.pathSuffix;
  if (isSuffix(lower(wanted), lower(own))) return scores.looseSuffix;
  return wanted.at(-1)?.toLowerCase() === own.at(-1)?.toLowerCase() ? scores.baseName : 0;
}

function lower(parts: readonly string[]): string[] {
  return parts.map(part => part.toLowerCase());
}

/** True when one path ends with the other: chats omit parent folders, or add the workspace folder. */
function isSuffix(a: readonly string[], b: readonly string[]): boolean {
  const length = Math.min(a.length, b.length);
  if (length === 1 && a.length !== 1) return false;
  return a.slice(-length).join('/') === b.slice(-length).join('/');
}

/** The snippet's lines with a weight: a line in many candidates says little, `}` says nothing. */
function rareLines(text: string, candidates: readonly TargetCandidate[]): Map<string, number> {
  const weights = new Map<string, number>();
  for (const line of distinctiveLines(text)) weights.set(line, 0);
  for (const { text: own } of candidates) {
    if (own === undefined) continue;
    for (const line of distinctiveLines(own)) {
      const count = weights.get(line);
      if (count !== undefined) weights.set(line, count + 1);
    }
  }
  for (const [line, holders] of weights) weights.set(line, 1 / Math.max(holders, 1) ** 2);
  return weights;
}

function distinctiveLines(text: string): Set<string> {
  const lines = splitLines(text).map(line => line.trim());
  return new Set(lines.filter(line => line.replaceAll(/\W/g, '').length >= 4));
}

function shareOf(lines: ReadonlyMap<string, number>, text: string | undefined): number {
  if (text === undefined || lines.size === 0) return 0;
  const own = distinctiveLines(text);
  let held = 0;
  let all = 0;
  for (const [line, weight] of lines) {
    all += weight;
    if (own.has(line)) held += weight;
  }
  return held / all;
}
