/** Pictures of what the tests saw, for a person to look at. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterEach } from "vitest";

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), "shots");

export async function shot(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** For the tests of a file: what the window showed when one of them failed. */
export function shootFailures(pageOf: () => Page | undefined): void {
  afterEach(async ({ task }) => {
    const page = pageOf();
    if (task.result?.state !== "fail" || page === undefined) return;
    await shot(page, `failed-${task.name.replaceAll(/\W+/g, "-").slice(0, 60)}`);
  });
}
