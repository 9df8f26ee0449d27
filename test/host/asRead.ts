// What the extension gives to VS Code, as tests read it: in a run with longer texts without their tails.
import * as vscode from 'vscode';
import { isLonger, withoutTail } from '../support/longer/texts.mjs';

const views = new WeakMap<object, object>();
const originals = new WeakMap<object, object>();

const withTexts = [
  vscode.CodeAction,
  vscode.CodeLens,
  vscode.DocumentSymbol,
  vscode.Hover,
  vscode.MarkdownString,
  vscode.SymbolInformation,
  vscode.TreeItem,
];

const hasTexts = (value: object): boolean =>
  Array.isArray(value) ||
  Object.getPrototypeOf(value) === Object.prototype ||
  withTexts.some(type => value instanceof type);

function viewOf(value: unknown): unknown {
  if (typeof value === 'string') return withoutTail(value);
  if (value instanceof Promise) return value.then(viewOf);
  if (typeof value !== 'object' || value === null || !hasTexts(value)) return value;
  const known = views.get(value);
  if (known) return known;
  const view = viewOfObject(value);
  views.set(value, view);
  return view;
}

/** Through it a test may also change the object. */
function viewOfObject<T extends object>(value: T): T {
  const view = new Proxy(value, {
    get(target, key) {
      const found: unknown = Reflect.get(target, key, target);
      return typeof found === 'function' && !Array.isArray(target) && key !== 'constructor'
        ? (...given: unknown[]) =>
            viewOf(
              found.apply(
                target,
                given.map(one => originalOf(one)),
              ),
            )
        : viewOf(found);
    },
    set: (target, key, changed) => Reflect.set(target, key, originalOf(changed), target),
  });
  originals.set(view, value);
  return view;
}

/** What the view is of. @param texts of which one may have been chosen, as they are */
function originalOf(value: unknown, texts: readonly unknown[] = []): unknown {
  if (typeof value === 'string')
    return texts.find(text => typeof text === 'string' && withoutTail(text) === value) ?? value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value) && !originals.has(value))
    return value.some(one => originalOf(one, texts) !== one)
      ? value.map(one => originalOf(one, texts))
      : value;
  return originals.get(value) ?? value;
}

/** A view of the value in which all texts, also those in lists and records, are without tails. */
export function asRead<T>(value: T): T;
export function asRead(value: unknown): unknown {
  return isLonger ? viewOf(value) : value;
}

/** What {@link asRead} has made a view of, for VS Code and the extension. */
export function asGiven<T>(value: T): T;
export function asGiven(value: unknown): unknown {
  return originalOf(value);
}

/** They make inputs. */
const makers = ['createQuickPick', 'createInputBox'] as const;

/** Whether a function of a test runs that makes an input in the place of VS Code. */
let isMaking = false;

/** The function `name` of VS Code as a test replaces it: it reads what it is given, and may choose from it. */
export function asReader(name: string, act: unknown): unknown {
  if (!isLonger || typeof act !== 'function') return act;
  return (...given: unknown[]) => {
    const texts = given.flat();
    const isOfTest = isMaking; // which has replaced the function again
    isMaking = makers.some(maker => maker === name);
    try {
      const result: unknown = act(...given.map(viewOf));
      if (isOfTest) return result;
      return result instanceof Promise
        ? result.then(value => originalOf(value, texts))
        : originalOf(result, texts);
    } finally {
      isMaking = isOfTest;
    }
  };
}

// A test that makes an input by the function that it replaces sees a view of it, and the extension never does.
if (isLonger)
  for (const name of makers) {
    const make: () => vscode.QuickInput = vscode.window[name];
    Object.defineProperty(vscode.window, name, {
      value: () => (isMaking ? viewOfObject(make()) : make()),
      configurable: true,
      writable: true,
    });
  }
