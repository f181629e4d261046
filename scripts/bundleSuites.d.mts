/** Returns the path of the bundle. */
export function bundleSuites(): Promise<string>;
