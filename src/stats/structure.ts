/** What a traced model is made of, found from its arithmetic: blocks, norms, attention. No name is looked at. */
import type { Node } from "../graph/graph.ts";
import type { TracedProgram } from "../trace/program.ts";
import { type Block, findBlocks } from "./blocks.ts";
import { type FoundAttention, findAttention } from "./foundAttention.ts";
import { type FoundNorm, findNorms } from "./foundNorms.ts";
import { findNormalised, type Normalised } from "./normalised.ts";
import { findProducers, type Producers } from "./producers.ts";
import { findSources, type SourceOf } from "./sources.ts";
import { stackOf } from "./stackOf.ts";
import { type StreamEnd, streamEnd } from "./streamEnd.ts";

export interface Structure {
  /** The forward pass, in execution order. */
  readonly nodes: readonly Node[];
  readonly sourceOf: SourceOf;
  readonly found: Normalised;
  readonly producers: Producers;
  readonly norms: readonly FoundNorm[];
  readonly attention: readonly FoundAttention[];
  readonly blocks: readonly Block[];
  /** By the last block of each stack. */
  readonly ends: ReadonlyMap<Block, StreamEnd>;
}

export function findStructure(program: TracedProgram): Structure {
  const nodes = program.graph.nodes.filter(({ origin }) => origin.direction === "forward");
  const sourceOf = findSources({ ...program.graph, nodes });
  const found = findNormalised(nodes, sourceOf);
  const producers = findProducers(nodes, sourceOf);
  const blocks = findBlocks(program, nodes, found);
  const ends = new Map<Block, StreamEnd>();
  for (const [at, block] of blocks.entries()) {
    const next = blocks[at + 1];
    if (next && stackOf(next) === stackOf(block)) continue;
    const end = streamEnd(block.output, block.nodes, found, producers);
    if (end) ends.set(block, end);
  }
  return {
    nodes,
    sourceOf,
    found,
    producers,
    norms: findNorms(nodes, found, producers),
    attention: findAttention(nodes, found, producers, program.mode),
    blocks,
    ends,
  };
}
