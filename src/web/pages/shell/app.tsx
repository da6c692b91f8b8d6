import { useSignal } from "@preact/signals";
import { pages } from "../pages.ts";
import { HelpDialog } from "./help-dialog.tsx";
import { useKeys } from "./keys.ts";
import { NoContact } from "./no-contact.tsx";
import { goTo, pathParts } from "./router.ts";
import { TopBar } from "./top-bar.tsx";
import { lostSince, useContact } from "./contact.ts";

/** The whole page: bar, contact, and the page of the address. */
export function App() {
  useContact();
  const help = useSignal(false);
  const [first = "", ...rest] = pathParts.value;
  const page = pages.find(({ path }) => path === first);
  useKeys({
    "?": () => (help.value = true),
    ...Object.fromEntries(
      pages.flatMap(({ key, path }) => (key === undefined ? [] : [[`g ${key}`, () => goTo(`/${path}`)]])),
    ),
  });
  const Shown = page?.component;
  return (
    <>
      <a class="skip" href="#main">
        To the content
      </a>
      <TopBar current={page} onHelp={() => (help.value = true)} />
      <NoContact />
      <main id="main" class={lostSince.value === undefined ? "" : "stale"}>
        {Shown === undefined ? <NoSuchPage /> : <Shown key={first} rest={rest} />}
      </main>
      {help.value && <HelpDialog onClose={() => (help.value = false)} />}
    </>
  );
}

function NoSuchPage() {
  return (
    <div class="empty panel">
      <h1 tabIndex={-1}>There is no such page.</h1>
      <p>
        <a href="/">To the runs</a>
      </p>
    </div>
  );
}
