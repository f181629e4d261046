/** The one command that mends what a device lacks, for the system it is typed on. */
import { existsSync, readFileSync } from "node:fs";

/** Families of Linux, by what installs their packages. */
type Family = "ubuntu" | "debian" | "fedora" | "arch" | "suse" | "other";

const install: Readonly<Record<Family, string | null>> = {
  ubuntu: "sudo apt-get install",
  debian: "sudo apt-get install",
  fedora: "sudo dnf install",
  arch: "sudo pacman -S",
  suse: "sudo zypper install",
  other: null,
};

const driverCommand: Readonly<Record<Family, string>> = {
  ubuntu: "sudo ubuntu-drivers install",
  debian: "sudo apt-get install nvidia-driver",
  fedora: "sudo dnf install akmod-nvidia",
  arch: "sudo pacman -S nvidia",
  suse: "sudo zypper install nvidia-driver",
  other: "install NVIDIA's driver for this system",
};

const vulkanPackages: Readonly<Record<Family, { loader: string; drivers: string }>> = {
  ubuntu: { loader: "libvulkan1", drivers: "mesa-vulkan-drivers" },
  debian: { loader: "libvulkan1", drivers: "mesa-vulkan-drivers" },
  fedora: { loader: "vulkan-loader", drivers: "mesa-vulkan-drivers" },
  arch: { loader: "vulkan-icd-loader", drivers: "vulkan-swrast" },
  suse: { loader: "libvulkan1", drivers: "Mesa-vulkan-device-select" },
  other: { loader: "the Vulkan loader", drivers: "a Vulkan driver for the GPU" },
};

/** `isInContainer`: the driver is the host's, and is handed in when the container starts. */
export const driverRemedy = (family = familyHere(), isInContainer = inContainer()): string =>
  isInContainer ? "start the container with the GPU: docker run --gpus all" : driverCommand[family];

/** `reason` is what WebGPU said. */
export function webgpuRemedy(reason: string, family = familyHere()): string | null {
  if (process.platform !== "linux") return null;
  const { loader, drivers } = vulkanPackages[family];
  const lacks = reason.includes("libvulkan") ? loader : drivers;
  if (!/libvulkan|adapter/i.test(reason)) return null;
  const command = install[family];
  return command === null ? `install ${lacks}` : `${command} ${lacks}`;
}

function inContainer(): boolean {
  return existsSync("/.dockerenv") || existsSync("/run/.containerenv");
}

function familyHere(): Family {
  const file = "/etc/os-release";
  return existsSync(file) ? familyOf(readFileSync(file, "utf8")) : "other";
}

/** `text` is os-release's: the system's own name counts before those that it is like. */
export function familyOf(text: string): Family {
  const word = (key: string) => new RegExp(`^${key}="?([^"\n]*)`, "m").exec(text)?.[1] ?? "";
  const names = `${word("ID")} ${word("ID_LIKE")}`.toLowerCase().split(/\s+/);
  const known: Readonly<Record<string, Family>> = {
    ubuntu: "ubuntu",
    debian: "debian",
    fedora: "fedora",
    rhel: "fedora",
    arch: "arch",
    suse: "suse",
    opensuse: "suse",
  };
  return names.map((name) => known[name]).find((family) => family !== undefined) ?? "other";
}
