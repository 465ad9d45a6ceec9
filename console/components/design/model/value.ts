const ALONE = /^\{\{-?\s*([\w.]+)/

/** What a chip says of its Liquid: the name of the value, or all of it. */
export const formatLiquidChip = (code: string): string => ALONE.exec(code)?.[1]?.replace(/^contact\./, '') ?? code
