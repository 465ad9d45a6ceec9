import { parseFieldTemplate } from '../../expression/field-template.ts'

const LEADING_VARIABLE = /^\{\{-?\s*([\w.]+)\s*(?:\||-?\}\})/

/** Label of a Liquid chip: the name of the field or value, or the whole Liquid code. */
export const formatLiquidChip = (code: string): string =>
  parseFieldTemplate(code)?.name ?? LEADING_VARIABLE.exec(code)?.[1]?.replace(/^contact\./, '') ?? code
