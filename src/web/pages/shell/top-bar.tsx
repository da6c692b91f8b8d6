import { type Page, pages } from "../pages.ts";
import { live, lostSince } from "./contact.ts";
import { crumbs } from "./crumbs.ts";
import { nextTheme, theme } from "./theme.ts";

const themeNames = { auto: "as the system", light: "light", dark: "dark" } as const;

/** The bar at the top: present place, contact, theme, help. */
export function TopBar({
  current,
  onHelp,
}: {
  readonly current: Page | undefined;
  readonly onHelp: () => void;
}) {
  return (
    <header class="top">
      <a class="logo" href="/" aria-label="ludoflow, all runs">
        <Logo />
        <span>ludoflow</span>
      </a>
      <nav aria-label="Pages">
        {pages.map(({ entry, path }) =>
          entry === undefined ? undefined : (
            <a key={path} href={`/${path}`} aria-current={current?.path === path ? "page" : undefined}>
              {entry}
            </a>
          ),
        )}
        {crumbs.value.map((place) => {
          const [text, href] = typeof place === "string" ? [place] : place;
          return (
            <span key={text} class="crumb" title={text}>
              <span aria-hidden="true">›</span> {href === undefined ? text : <a href={href}>{text}</a>}
            </span>
          );
        })}
      </nav>
      <span class="grow" />
      {lostSince.value === undefined && live.value && (
        <span class="contact">
          <i aria-hidden="true" /> <span>Live</span>
        </span>
      )}
      <button
        type="button"
        class="plain"
        title={`Theme: ${themeNames[theme.value]}`}
        aria-label={`Theme: ${themeNames[theme.value]}. Change to ${themeNames[nextTheme()]}`}
        onClick={() => (theme.value = nextTheme())}
      >
        ◐
      </button>
      <button type="button" class="plain" title="Keys" aria-label="Keys" onClick={onHelp}>
        ?
      </button>
    </header>
  );
}

function Logo() {
  return (
    <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
      <rect x="1" y="1" width="8" height="8" rx="1.5" class="logo-a" />
      <path d="M11 5h6m-3-3l3 3-3 3" class="logo-line" />
      <rect x="1" y="11" width="8" height="8" rx="1.5" class="logo-a" />
      <rect x="11" y="11" width="8" height="8" rx="1.5" class="logo-b" />
    </svg>
  );
}
