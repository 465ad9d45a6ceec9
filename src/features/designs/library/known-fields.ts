import type { Design } from '../design-schemas.ts'

/** A value of a contact with what stands for it, as the library writes them. */
const VALUE = /^\{\{ contact\.(\w+) \| default: "([^"]*)" \}\}$/
const VALUES = /\{\{ contact\.(\w+) \| default: "([^"]*)" \}\}/g

/**
 * A design of the library for an account with these fields of contacts (by name): values of other fields are replaced by
 * the words that stand for them, as a message that names an unknown field is refused.
 */
export function withKnownFields(design: Design, isKnown: (field: string) => boolean): Design {
  const replaced = (node: unknown): unknown => {
    if (typeof node === 'string') return node.replace(VALUES, (value, field, words) => (isKnown(field) ? value : words))
    if (Array.isArray(node)) return node.map(replaced)
    if (node === null || typeof node !== 'object') return node
    const code = codeOf(node)?.match(VALUE)
    if (code && !isKnown(code[1] as string)) return { type: 'text', text: code[2] }
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, replaced(value)]))
  }
  return replaced(design) as Design
}

function codeOf(node: object): string | undefined {
  const { type, attrs } = node as { type?: string; attrs?: { code?: string } }
  return type === 'value' ? attrs?.code : undefined
}
