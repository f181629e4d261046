/** Where things lie in the memory of the WebAssembly module, in bytes. */

export const stateAddress = 0;

/** Words of the Mersenne Twister's state; four more are kept behind it (see `twist`). */
export const stateWords = 624;

export const wordsAddress = 4096;

/** Random words that are drawn at once; a multiple of 16. 64 KiB, which the caches hold. */
export const chunkWords = 16384;

/** Behind the words, and behind the last vector that is written over their end. */
export const extentAddress = wordsAddress + 4 * chunkWords + 64;

/** 64 KiB each: the state, the words, and room for the last vector to write over the end. */
export const memoryPages = 2;
