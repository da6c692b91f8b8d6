/**
 * Why a version cannot be released with this change log: its entry is missing, has no day or no text, or something
 * is under "Unreleased". Empty if it can be released.
 */
export function changeLogProblems(text: string, version: string): string[] {
  const sections = text.split(/^## /m).slice(1);
  const bodyOf = (name: string) => sections.find((section) => section.startsWith(`[${name}]`));
  const says = (section: string) => /^- /m.test(section);
  const problems: string[] = [];
  const unreleased = bodyOf("Unreleased");
  if (unreleased !== undefined && says(unreleased))
    problems.push(
      `CHANGELOG.md has entries under "Unreleased"; move them under "## [${version}] - YYYY-MM-DD", or raise the version in package.json first`,
    );
  const entry = bodyOf(version);
  if (entry === undefined)
    problems.push(`CHANGELOG.md has no entry for version ${version}; add "## [${version}] - YYYY-MM-DD"`);
  else {
    if (!/^\[[^\]]+\] - \d{4}-\d\d-\d\d$/m.test(entry.split("\n", 1)[0]!))
      problems.push(
        `the entry of version ${version} in CHANGELOG.md has no day; write "## [${version}] - YYYY-MM-DD"`,
      );
    if (!says(entry)) problems.push(`the entry of version ${version} in CHANGELOG.md lists no change`);
  }
  return problems;
}
