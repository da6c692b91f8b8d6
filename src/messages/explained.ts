/** The sentence of a diagnosis of learning: what is seen, what to change, and the section of the documentation that explains it. */
export function explained(name: string, says: string, cure: string): string {
  return `${says}: ${cure} (docs/it-does-not-learn.md#${name})`;
}
