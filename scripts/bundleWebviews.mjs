/** Bundles the pages that the editor shows: dist/webview/<kind>.js, <kind>.css and the icon font. */
import { join } from "node:path";
import { build } from "esbuild";

const kinds = ["dashboard", "panel"];

export async function bundleWebviews(root) {
  const page = {
    absWorkingDir: root,
    outdir: join(root, "dist/webview"),
    bundle: true,
    minify: true,
  };
  await build({
    ...page,
    entryPoints: kinds.map((kind) => ({ in: `webview/${kind}.ts`, out: kind })),
    format: "iife",
    platform: "browser",
    target: "es2022",
    legalComments: "none",
    logLevel: "warning",
  });
  await build({
    ...page,
    entryPoints: kinds.map((kind) => ({ in: "webview/style.css", out: kind })),
    loader: { ".ttf": "file" },
    assetNames: "[name]",
    logLevel: "warning",
  });
}
