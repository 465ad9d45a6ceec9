/** Limits of an integer that the database keeps as int32: in a schema, others are 400 and never reach it. */
export const int32 = { minimum: -0x80000000, maximum: 0x7fffffff } as const
