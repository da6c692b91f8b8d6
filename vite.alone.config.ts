import { join } from "node:path";
import { defineConfig } from "vite";

// Bundles what an exported game page runs (`ludoflow play CHECKPOINT --page FILE`) into one script: `npm run build:page`.
export default defineConfig({
  build: {
    outDir: join(import.meta.dirname, "dist/alone"),
    emptyOutDir: true,
    target: "es2023",
    lib: {
      entry: join(import.meta.dirname, "src/web/pages/alone/main.ts"),
      formats: ["iife"],
      name: "ludoflowAlone",
      fileName: () => "player.js",
    },
  },
});
