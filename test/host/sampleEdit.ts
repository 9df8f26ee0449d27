/** Lines of `src/cart.ts` of the sample workspace, before and after an edit of its method `remove`. */
export const oldLine = '    return this.#lines.delete(sku);';
export const newLine = '    this.#coupon = undefined;\n    return this.#lines.delete(sku);';
/** The edit as a model writes it. */
export const snippet = `// ... existing code ...
  remove(sku: string): boolean {
${newLine}
  }
// ... existing code ...`;
