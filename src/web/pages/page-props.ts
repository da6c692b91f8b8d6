/** What a page gets. */
export interface PageProps {
  /** The parts of the address behind the page's own, decoded. */
  readonly rest: readonly string[];
}
