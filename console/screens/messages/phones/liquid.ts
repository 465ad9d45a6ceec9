/** A text as Liquid writes it: it has no escapes, so one kind of quotes is left out. */
const quoted = (text: string): string => (text.includes('"') ? `'${text.replaceAll("'", '')}'` : `"${text}"`)

/** The value of a field, by its name. */
export const formatFieldTemplate = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? `{{ contact.${name} }}` : `{{ contact[${quoted(name)}] }}`

/** A link whose clicks are counted, with its name in reports. */
export const formatLinkTemplate = (address: string, name: string): string =>
  `{{ ${quoted(address)} | tracked: ${quoted(name.trim() || new URL(address).hostname)} }}`

/** Whether something stands there that only a render knows. */
export const hasLiquidTags = (text: string): boolean => /\{\{|\{%/.test(text)
