/** Absolute paths as Python sees them: POSIX, also where the real ones are not. */

/** `C:\models\a.py` is `/C:/models/a.py` in Python; POSIX paths stay. */
export function toPythonPath(path: string): string {
  const slashed = path.replaceAll("\\", "/");
  return process.platform === "win32" ? `/${slashed}` : path;
}

/** The inverse of `toPythonPath`. */
export function fromPythonPath(path: string): string {
  if (process.platform !== "win32") return path;
  return path.slice(1).replaceAll("/", "\\");
}
