/** Where a diagnosis is explained: from the root of the package. */
export function explainedAt(name: string): string {
  return `docs/it-does-not-learn.md#${name}`;
}

/** A diagnosis in a line for people, without its place: what is seen, what to change, and the section that explains it. */
export function diagnosisText({
  cure,
  name,
  says,
}: {
  readonly name: string;
  readonly says: string;
  readonly cure: string;
}): string {
  return `${name}: ${says}. ${cure} (${explainedAt(name)})`;
}
