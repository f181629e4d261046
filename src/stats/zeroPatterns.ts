/** Where a tensor's zeros can be, as bits. */

export type Zeros = number;

/** No zero but by chance. */
export const nowhere: Zeros = 0;
/** Single elements. */
export const some: Zeros = 1;
/** Whole lines along the last axis. */
export const rows: Zeros = 2;
/** Whole lines along the axis before the last. */
export const columns: Zeros = 4;
export const anywhere: Zeros = some | rows | columns;
