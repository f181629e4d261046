/** A Chromium for the tests. One at a time: it takes more than a gigabyte. */
import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

const candidates = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

export async function launchBrowser(): Promise<Browser> {
  const given = process.env["NORMSCOPE_CHROMIUM"];
  const executablePath = given ?? candidates.find((file) => existsSync(file));
  if (executablePath === undefined) {
    throw new Error("No Chromium: install one, or name it in NORMSCOPE_CHROMIUM");
  }
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
    ],
  });
}
