/**
 * A run of training as a TensorBoard event file: records of TFRecord's form that hold Event messages
 * with scalars. https://www.tensorflow.org/tutorials/load_data/tfrecord#tfrecords_format_details
 */
import type { TrainReport } from "../../protocol/training.ts";
import { toNumber } from "../number.ts";
import { columnsOf } from "./history.ts";

/** `wallTime`: seconds since 1970, of the first step; the others follow evenly. */
export function eventFile(report: TrainReport, wallTime: number): Uint8Array {
  const of = columnsOf(report);
  const perStep = report.timing.trainMs / 1000 / Math.max(report.timing.trained, 1);
  const version = event(wallTime, 0, text(3, "brain.Event:2"));
  const steps = report.steps.map((step, at) => {
    const values = of(step).map(([name, value]) =>
      message(1, [...text(1, name), ...float(2, toNumber(value))]),
    );
    return event(wallTime + at * perStep, step.step, message(5, values.flat()));
  });
  return concatenated([version, ...steps].map(record));
}

/** What TensorBoard looks for in a folder. */
export const eventFileName = (wallTime: number): string =>
  `events.out.tfevents.${Math.floor(wallTime)}.normscope`;

const event = (wallTime: number, step: number, content: readonly number[]): Uint8Array =>
  Uint8Array.from([...double(1, wallTime), ...varint(2 << 3), ...varint(step), ...content]);

/** Length, its checksum, the data, and their checksum. */
function record(data: Uint8Array): Uint8Array {
  const out = new Uint8Array(data.length + 16);
  const view = new DataView(out.buffer);
  view.setUint32(0, data.length, true);
  view.setUint32(8, maskedCrc(out.subarray(0, 8)), true);
  out.set(data, 12);
  view.setUint32(12 + data.length, maskedCrc(data), true);
  return out;
}

function concatenated(parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

const message = (field: number, content: readonly number[]): number[] => [
  ...varint((field << 3) | 2),
  ...varint(content.length),
  ...content,
];

const text = (field: number, value: string): number[] =>
  message(field, [...new TextEncoder().encode(value)]);

function double(field: number, value: number): number[] {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value, true);
  return [...varint((field << 3) | 1), ...bytes];
}

function float(field: number, value: number): number[] {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return [...varint((field << 3) | 5), ...bytes];
}

/** CRC-32C (Castagnoli), the polynomial's bits reversed. */
const polynomial = 0x82f63b78;
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
  return crc;
});

export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

/** As TFRecord stores it, so that a checksum of data with checksums in it is safe. */
function maskedCrc(bytes: Uint8Array): number {
  const crc = crc32c(bytes);
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
