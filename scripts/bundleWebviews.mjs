/** Bundles the pages that the editor shows: dist/webview/<kind>.js, <kind>.css and the icon font. */
import { join } from "node:path";
import { build } from "esbuild";

const kinds = ["dashboard", "panel"];

/** Gives esbuild's metafiles. */
export async function bundleWebviews(root) {
  const common = {
    absWorkingDir: root,
    outdir: join(root, "dist/webview"),
    bundle: true,
    minify: true,
    metafile: true,
    legalComments: "none",
    logLevel: "warning",
  };
  const scripts = await build({
    ...common,
    entryPoints: kinds.map((kind) => ({ in: `webview/${kind}.ts`, out: kind })),
    format: "iife",
    platform: "browser",
    target: "es2022",
  });
  const styles = await build({
    ...common,
    entryPoints: kinds.map((kind) => ({ in: "webview/style.css", out: kind })),
    loader: { ".ttf": "file" },
    assetNames: "[name]",
  });
  return [scripts.metafile, styles.metafile];
}
