import { splitLines } from '../../base/text/textLines';
import { pathFromHeading } from '../../markdown';
import { unifiedOf } from '../../merge';

/** A heuristic that tells code from prose, line by line. */

const keyword =
  /^(?:import|export|from|package|using|namespace|module|def|class|interface|enum|struct|trait|impl|fn|func|fun|function|const|let|var|val|return|throw|raise|await|async|public|private|protected|static|final|abstract|override|type|if|elif|else|for|foreach|while|switch|case|default|try|except|catch|finally|with|do|end|begin|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|FROM|WHERE|use|pub|mod|require|include|assert)\b/;
const codeLines = [
  /[{}[\]();,]\s*$/,
  /=>/,
  /^(?:\/\/|\/\*|\*\/|#include|#define|#!|<!--|--\s|@\w+)/,
  /^<\/?[A-Za-z!][^>]*>?/,
  /^[\w.$[\]'"]+\s*(?::=|[-+*/|&^%?]?=)\s*\S/,
  /^[\w$.]+\([^)]*\)/,
  /^(?:- )?["']?[\w.-]+["']?:(?:\s+\S{1,60})?$/,
  /^\[[\w.:"-]+\]$/,
  /^[-+].*[;{}()]\s*$/,
];
const comment = /^\s*(?:\/\/|#(?!#)|--|\/?\*)/;
const marker = /\.{3}|…|existing code/i;

function isCodeLine(text: string): boolean {
  if (codeLines.some(shape => shape.test(text)) || isLabelled(text)) {
    return !isSentence(text) || /[{};]\s*$/.test(text);
  }
  if (keyword.test(text))
    return (!isSentence(text) || /\w\(/.test(text)) && /[^\w\s,'’.]|^\w+ \w+$|^\w+$/.test(text);
  return /^[#*]/.test(text) && marker.test(text);
}

/** `name: value`, where the value is one word. */
function isLabelled(text: string): boolean {
  const label = /^\$?[\w-]+:/.exec(text)?.[0];
  if (label === undefined) return false;
  const value = text.slice(label.length).trimStart();
  return value !== '' && !value.includes(' ');
}

/** A word of prose with quotes, brackets and punctuation. */
const proseWord =
  /^["'(*_`]*[A-Za-zÀ-žА-я’-]+(?:'+[A-Za-zÀ-žА-я’-]+)*["')*_`]*(?:[.,;:!?]+["')*_`]*)?$/;
/** An apostrophe counts as a letter, so a single one is a word. */
const apostrophe = /^(?:["'*_`]*\()*["*_`]*'["')*_`]*(?:[.,;:!?]+["')*_`]*)?$/;
const isWord = (word: string): boolean => proseWord.test(word) || apostrophe.test(word);

/** Several words, mostly prose; two or three only with closing punctuation. */
function isSentence(text: string): boolean {
  if (/[\u3040-\u30ff\u4e00-\u9fff]/.test(text)) return !/[{};=]/.test(text);
  const words = text.split(/\s+/);
  if (words.some(word => /^[-+*/%<>=|&!]+$/.test(word)) && !/^[-*+>] /.test(text)) return false;
  const plain = words.filter(isWord);
  if (plain.length < words.length * 0.7) return false;
  return words.length >= 4 || (words.length >= 2 && /[.!?]$/.test(text));
}

/** Word processors make curly quotes of the first two. */
const docstringMark = /"""|'''|“”["”]|‘’['’]/g;

/** A longer text is sampled: only about this many of its lines are examined. */
const maxJudgedLines = 10_000;
/** Longer lines are judged by their start: expressions fail on a word of millions of characters. */
const maxJudgedLength = 2000;

/** True for a diff, and when at least half of the lines that can be classified are code. */
export function looksLikeCode(text: string): boolean {
  const lines = splitLines(text);
  return linesLookLikeCode(lines) || unifiedOf(lines) !== undefined;
}

/** {@link looksLikeCode} for the lines of a text. */
export function linesLookLikeCode(all: readonly string[]): boolean {
  let code = 0;
  let prose = 0;
  let lines = 0;
  const step = Math.ceil(all.length / maxJudgedLines);
  let isInDocstring = false;
  for (let at = 0; at < all.length; at += step) {
    const line = all[at]?.trim().slice(0, maxJudgedLength) ?? '';
    const marks = line.match(docstringMark)?.length ?? 0;
    // The prose of a docstring is a part of the code.
    if (marks > 0 && step === 1) isInDocstring = isInDocstring !== (marks % 2 === 1);
    if (line === '' || marks > 0 || isInDocstring) continue;
    lines++;
    if (isCodeLine(line)) code++;
    else if (!comment.test(line) && isSentence(line)) prose++;
  }
  if (code > 0) return code >= prose;
  // Lists of words or patterns, as in ignore files, are neither; so are indented lines that are no sentences.
  return prose === 0 && (lines > 1 || all.some(line => /[{}()[\];=<>]/.test(line)));
}

/** True for code that is not in a fence: neither its first line nor most of the others are prose. */
export function isMostlyCode(lines: readonly string[]): boolean {
  const first = lines.find(line => line.trim() !== '');
  if (first === undefined) return false;
  if (/^\s*(?:#{1,6} |[-*] |\*\*|`|>|\d+\. )/.test(first) || pathFromHeading(first)) return false;
  return (
    looksLikeCode(first) && linesLookLikeCode(lines) && lines.some(line => /[;{}()=]/.test(line))
  );
}
