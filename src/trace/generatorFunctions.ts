/** What Python asks of generators of random numbers. */
import { invariant } from "../errors.ts";
import { createGenerator, decodeState, encodeState, type Generator } from "../random/generator.ts";
import type { Session } from "./session.ts";

export function generatorFunctions(session: Session) {
  const { store } = session;
  const generatorAt = (number: number): Generator => {
    const generator = session.generators[number];
    invariant(generator, `no generator ${number}`);
    return generator;
  };

  return {
    /** A generator of the script's own; number 0 is the default one. */
    new_generator(seed: number) {
      session.generators.push(createGenerator(seed));
      return session.generators.length - 1;
    },
    /** Random calls draw from this one until another is chosen. */
    use_generator(number: number) {
      session.generator = generatorAt(number);
    },
    manual_seed(number: number, seed: number) {
      session.generators[number] = createGenerator(seed);
      if (number === 0) session.generator = generatorAt(0);
    },
    /** What `random_()` gives an int64: 63 bits, as text, since a JavaScript number holds 53. */
    random63: (number: number) => String(BigInt.asUintN(63, generatorAt(number).random64())),
    rng_state(number: number) {
      const bytes = encodeState(generatorAt(number).getState());
      return store.fromNumbers({ dtype: "uint8", isComplex: false }, [bytes.length], bytes).id;
    },
    /** Where in its sequence the generator is: another text after each draw. */
    rng_mark(number: number) {
      const { seed, words, used, spareNormal } = generatorAt(number).getState();
      return [seed, used, spareNormal, words[0], words[1]].join();
    },
    /** Gives the seed that the state began with. */
    set_rng_state(number: number, id: number) {
      const state = decodeState(Uint8Array.from(store.numbers(store.tensorOf(id))));
      generatorAt(number).setState(state);
      return Number(state.seed);
    },
  };
}
