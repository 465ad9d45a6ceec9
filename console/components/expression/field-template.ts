/** Names that Liquid reads after a dot. */
const DOT_NAME = /^[A-Za-z_]\w*$/
/** Members of `contact` that hide a field of the same name. */
const CONTACT_MEMBERS = new Set(['id', 'unicity', 'hash', 'fields', 'size'])
const FIELD_TEMPLATE =
  /^\{\{-?\s*contact(?:\.fields)?(?:\.([\p{L}_][\p{L}\p{N}_-]*)|\[("(?:[^"\\]|\\.)+"|'(?:[^'\\]|\\.)+')\])\s*(?:\|\s*default:\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*)?-?\}\}$/u

/** A text as a literal of Liquid. Attributes of HTML have double quotes: Liquid within them is simpler with one kind. */
export function quoteLiquidText(text: string): string {
  const escapedText = text.replaceAll('\\', '\\\\')
  if (!text.includes('"')) return `"${escapedText}"`
  return text.includes("'") ? `"${escapedText.replaceAll('"', '\\"')}"` : `'${escapedText}'`
}

const unquoteLiquidText = (literal: string): string => literal.slice(1, -1).replace(/\\(.)/gu, '$1')

/** A field of the contact in Liquid, whatever its name: `contact.City`, `contact["First name"]`. */
export function formatFieldReference(name: string): string {
  if (DOT_NAME.test(name) && !CONTACT_MEMBERS.has(name)) return `contact.${name}`
  return `contact${CONTACT_MEMBERS.has(name) ? '.fields' : ''}[${quoteLiquidText(name)}]`
}

/** The value of a field as a template prints it, with the text that is printed where a contact has none. */
export const formatFieldTemplate = (name: string, fallback = ''): string =>
  `{{ ${formatFieldReference(name)}${fallback === '' ? '' : ` | default: ${quoteLiquidText(fallback)}`} }}`

/** The field that a template prints. Returns `undefined` for any other Liquid. */
export function parseFieldTemplate(template: string): { name: string; fallback: string } | undefined {
  const [, dotName, quotedName, fallback] = FIELD_TEMPLATE.exec(template) ?? []
  const name = dotName ?? (quotedName && unquoteLiquidText(quotedName))
  return name === undefined ? undefined : { name, fallback: fallback === undefined ? '' : unquoteLiquidText(fallback) }
}
