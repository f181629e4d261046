/** A question that one worker puts to another, and waits for, blocking its thread. */
import { MessageChannel, type MessagePort, receiveMessageOnPort } from "node:worker_threads";
import { invariant } from "../errors.ts";
import { type ErrorData, errorData, errorFromData } from "../protocol/engine.ts";

/** One end; goes to its worker in a message, with `port` in the list of what is transferred. */
export interface SyncPort {
  readonly port: MessagePort;
  /** One 32-bit counter of the answers given. */
  readonly answers: SharedArrayBuffer;
}

type Answer<A> = { readonly value: A } | { readonly error: ErrorData };

export function syncChannel(): { asker: SyncPort; answerer: SyncPort } {
  const { port1, port2 } = new MessageChannel();
  const answers = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  return { asker: { port: port1, answers }, answerer: { port: port2, answers } };
}

/**
 * Waits for the other side's answer, or throws its error. Only ending the worker ends the wait,
 * so the one who owns both workers ends this one if the other is gone.
 */
export const askSync = <Question, A>(asker: SyncPort, question: Question): A =>
  beginSync<Question, A>(asker, question)();

/** Asks now, and waits when the result is called, which must be before anything else is asked. */
export function beginSync<Question, A>(asker: SyncPort, question: Question): () => A {
  const counter = new Int32Array(asker.answers);
  const before = Atomics.load(counter, 0);
  asker.port.postMessage(question);
  return () => {
    // The notice of an answer that was seen without waiting may arrive while the next one is waited for.
    while (Atomics.load(counter, 0) === before) Atomics.wait(counter, 0, before);
    const received = receiveMessageOnPort(asker.port);
    invariant(received !== undefined, "an answer was counted but not sent");
    const answer = received.message as Answer<A>;
    if ("error" in answer) throw errorFromData(answer.error);
    return answer.value;
  };
}

/** Answers every question of the other side until the port closes; errors are answers too. */
export function answerSync<Question, A>(
  answerer: SyncPort,
  answer: (question: Question) => A | Promise<A>,
): void {
  const counter = new Int32Array(answerer.answers);
  const reply = (message: Answer<A>) => {
    answerer.port.postMessage(message);
    Atomics.add(counter, 0, 1);
    Atomics.notify(counter, 0);
  };
  answerer.port.on("message", async (question: Question) => {
    try {
      reply({ value: await answer(question) });
    } catch (error) {
      reply({ error: errorData(error) });
    }
  });
}
