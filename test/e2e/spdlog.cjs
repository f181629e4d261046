/** Stands in for @vscode/spdlog in the editor under test: the same calls, lines appended to a file. */
const { appendFileSync, mkdirSync } = require("node:fs");
const { dirname } = require("node:path");

const levels = ["trace", "debug", "info", "warning", "error", "critical"];

class Logger {
  constructor(_kind, _name, file) {
    this.file = file;
    this.level = levels.indexOf("info");
    this.isRaw = false;
    levels.slice(0, -1).forEach((name, level) => {
      this[name === "warning" ? "warn" : name] = (message) => this.write(level, message);
    });
    this.critical = (message) => this.write(levels.indexOf("critical"), message);
  }

  write(level, message) {
    if (this.file === undefined || level < this.level) return;
    const stamp = new Date().toISOString();
    const line = this.isRaw ? `${message}` : `${stamp} [${levels[level]}] ${message}\n`;
    try {
      appendFileSync(this.file, line);
    } catch {
      // The folder is gone: the test that it belonged to has ended.
    }
  }

  getLevel() {
    return this.level;
  }

  setLevel(level) {
    this.level = level;
  }

  setPattern() {
    this.isRaw = false;
  }

  clearFormatters() {
    this.isRaw = true;
  }

  flush() {}

  drop() {
    this.file = undefined;
  }
}

async function create(kind, name, file) {
  mkdirSync(dirname(file), { recursive: true });
  return new Logger(kind, name, file);
}

module.exports = {
  version: 11100,
  Logger,
  setLevel() {},
  setFlushOn() {},
  shutdown() {},
  createRotatingLogger: (name, file) => create("rotating", name, file),
  createAsyncRotatingLogger: (name, file) => create("rotating_async", name, file),
};
