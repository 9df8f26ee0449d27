import type { AnyNode } from 'acorn';
import { childrenOf, parseTypeScript, textOf, translatedArguments } from './syntax';

/**
 * The English texts that code has translated, in its order; of a choice between several, all.
 *
 * @throws for a text that is put together before it is translated, which no bundle can hold.
 */
export function sourceTexts(typescript: string): string[] {
  const texts: string[] = [];
  const visit = (node: AnyNode): void => {
    const [text] = translatedArguments(node) ?? [];
    if (text) texts.push(...choices(text));
    for (const child of childrenOf(node)) visit(child);
  };
  visit(parseTypeScript(typescript));
  return texts;
}

function choices(node: AnyNode): string[] {
  if (node.type === 'ConditionalExpression')
    return [...choices(node.consequent), ...choices(node.alternate)];
  if (node.type === 'LogicalExpression') return [...choices(node.left), ...choices(node.right)];
  if (node.type === 'TemplateLiteral' && node.expressions.length > 0)
    throw new Error(`a text is put together before it is translated: ${textOf(node) ?? ''}`);
  const text = textOf(node);
  return text === undefined ? [] : [text];
}
