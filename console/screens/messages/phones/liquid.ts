import { quoteLiquidText } from '../../../components/expression/field-template.ts'

/** A link whose clicks are counted, with its name in reports. */
export const formatLinkTemplate = (address: string, name: string): string =>
  `{{ ${quoteLiquidText(address)} | tracked: ${quoteLiquidText(name.trim() || new URL(address).hostname)} }}`

/** True if the text contains parts that only a render can resolve. */
export const hasLiquidTags = (text: string): boolean => /\{\{|\{%/.test(text)
