/** The Testing view: what a controller lists, and what its runs say of it. */

import type { Range, Uri } from "./types.ts";
import type { Location } from "./vscode.ts";

export class TestMessage {
  readonly message: string;
  location: Location | undefined;
  constructor(message: string) {
    this.message = message;
  }
}

export interface FakeTestItem {
  readonly id: string;
  readonly label: string;
  readonly uri: Uri | undefined;
  readonly children: ReturnType<typeof collection>;
  parent: FakeTestItem | undefined;
  description: string | undefined;
  range: Range | undefined;
}

function collection(parent?: FakeTestItem) {
  const items = new Map<string, FakeTestItem>();
  const add = (item: FakeTestItem) => {
    item.parent = parent;
    items.set(item.id, item);
  };
  return {
    get: (id: string) => items.get(id),
    add,
    replace: (list: readonly FakeTestItem[]) => {
      items.clear();
      for (const item of list) add(item);
    },
    all: () => [...items.values()],
  };
}

function item(id: string, label: string, uri?: Uri): FakeTestItem {
  const made = { id, label, uri, parent: undefined, description: undefined, range: undefined };
  const whole: FakeTestItem = { ...made, children: collection() };
  return Object.assign(whole, { children: collection(whole) });
}

type Handler = (request: object, token: object) => Promise<void>;

/** What the view has, for a test to read and to press. */
export const fakeTests = {
  items: collection(),
  /** "failed NS101: message" of each item, in the order in which it was told. */
  told: [] as { readonly state: string; readonly label: string; readonly message?: TestMessage }[],
  run: (async () => undefined) as Handler,
};

const tell =
  (state: string) =>
  ({ label }: FakeTestItem, message?: unknown) =>
    fakeTests.told.push({
      state,
      label,
      ...(message instanceof TestMessage ? { message } : {}),
    });

export const tests = {
  createTestController: () => {
    fakeTests.items = collection();
    fakeTests.told = [];
    return {
      items: fakeTests.items,
      createTestItem: item,
      createRunProfile: (_label: string, _kind: number, handler: Handler) => {
        fakeTests.run = handler;
      },
      createTestRun: () => ({
        started: tell("started"),
        passed: tell("passed"),
        failed: tell("failed"),
        errored: tell("errored"),
        skipped: tell("skipped"),
        end: () => undefined,
      }),
      dispose: () => undefined,
    };
  },
};
