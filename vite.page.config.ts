import { join } from "node:path";
import { defineConfig } from "vite";

// Bundles the page into the package: `npm run build:page`. Nothing of it is fetched from elsewhere when it is used.
export default defineConfig({
  root: join(import.meta.dirname, "src/web/pages"),
  // Pages lie at addresses of any depth.
  base: "/",
  build: {
    outDir: join(import.meta.dirname, "dist/page"),
    emptyOutDir: true,
    // Small files as files too: the page's policy forbids images and styles within the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: "es2023",
    reportCompressedSize: true,
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
});
