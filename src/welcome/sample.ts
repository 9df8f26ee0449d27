/** What the walkthrough is tried on: a file, and an answer that shows only what changes in it. */

export const sampleName = 'cart.ts';

export const sampleText = `export interface Item {
  name: string;
  /** In cents. */
  price: number;
  quantity: number;
}

const shippingFee = 490;

export function subtotal(items: Item[]): number {
  let sum = 0;
  for (const item of items) {
    sum += item.price * item.quantity;
  }
  return sum;
}

export function total(items: Item[]): number {
  return subtotal(items) + shippingFee;
}

export function receipt(items: Item[]): string {
  const rows = items.map(item => \`\${item.quantity} x \${item.name}\`);
  return [...rows, \`Total: \${total(items)}\`].join('\\n');
}
`;

export const answerName = 'answer.md';

export const sampleAnswer = `Orders from 50.00 on now ship for free, and the receipt has the price of each line:

\`\`\`ts
// ... existing code ...

export function total(items: Item[]): number {
  const sum = subtotal(items);
  return sum >= 5000 ? sum : sum + shippingFee;
}

export function receipt(items: Item[]): string {
  const rows = items.map(
    item => \`\${item.quantity} x \${item.name}: \${item.price * item.quantity}\`,
  );
  return [...rows, \`Total: \${total(items)}\`].join('\\n');
}
\`\`\`
`;
