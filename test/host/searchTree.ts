// The view of search results, as VS Code asks for it.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { searchView } from '../../src/search/ids';
import { asGiven, asRead } from './asRead';

export interface Node {
  readonly kind: string;
  readonly children: readonly Node[];
}

let provider: vscode.TreeDataProvider<Node> | undefined;
let shown: vscode.TreeView<Node> | undefined;
const { createTreeView } = vscode.window;
// Test files load before the extension is activated, and so before it makes its view.
Object.defineProperty(vscode.window, 'createTreeView', {
  value: (id: string, options: vscode.TreeViewOptions<Node>) => {
    const view = createTreeView(id, options);
    if (id === searchView) [provider, shown] = [options.treeDataProvider, view];
    return view;
  },
  configurable: true,
});

export const treeProvider = () => provider;
export const view = () => shown ?? assert.fail('the view was made before the tests');
export const childrenOf = async (node?: Node) =>
  asRead((await provider?.getChildren(asGiven(node))) ?? []);
export const itemOf = async (node: Node) =>
  asRead((await provider?.getTreeItem(asGiven(node))) ?? assert.fail());
export const labelOf = ({ label, resourceUri }: vscode.TreeItem): string =>
  (typeof label === 'string' ? label : label?.label) ?? resourceUri?.path.split('/').at(-1) ?? '';
export const selected = (): readonly Node[] => view().selection;
/** The message above the results. */
export const said = () => asRead(view().message ?? '').replaceAll('\u00a0', ' ');

/** Labels of the rows, two blanks per level. */
export async function labels(node?: Node, indent = ''): Promise<string[]> {
  const rows: string[] = [];
  for (const child of await childrenOf(node)) {
    rows.push(indent + labelOf(await itemOf(child)));
    rows.push(...(await labels(child, `${indent}  `)));
  }
  return rows;
}

export async function nodeNamed(pattern: RegExp, within?: Node): Promise<Node> {
  const visit = async (nodes: readonly Node[]): Promise<Node | undefined> => {
    for (const node of nodes) {
      if (pattern.test(labelOf(await itemOf(node)))) return node;
      const below = await visit(await childrenOf(node));
      if (below) return below;
    }
    return undefined;
  };
  return (await visit(await childrenOf(within))) ?? assert.fail(`no node ${pattern}`);
}
