const LEADING_VARIABLE = /^\{\{-?\s*([\w.]+)/

/** Label of a Liquid chip: the name of the value, or the whole Liquid code. */
export const formatLiquidChip = (code: string): string =>
  LEADING_VARIABLE.exec(code)?.[1]?.replace(/^contact\./, '') ?? code
