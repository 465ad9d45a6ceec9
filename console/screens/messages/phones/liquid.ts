/** A text as Liquid writes it: it has no escapes, so one kind of quotes is left out. */
const quoteLiquidText = (text: string): string => (text.includes('"') ? `'${text.replaceAll("'", '')}'` : `"${text}"`)

/** The value of a field, by its name. */
export const formatFieldTemplate = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? `{{ contact.${name} }}` : `{{ contact[${quoteLiquidText(name)}] }}`

/** A link whose clicks are counted, with its name in reports. */
export const formatLinkTemplate = (address: string, name: string): string =>
  `{{ ${quoteLiquidText(address)} | tracked: ${quoteLiquidText(name.trim() || new URL(address).hostname)} }}`

/** True if the text contains parts that only a render can resolve. */
export const hasLiquidTags = (text: string): boolean => /\{\{|\{%/.test(text)
