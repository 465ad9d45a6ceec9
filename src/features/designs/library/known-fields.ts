import type { DesignDocument } from '../design-schemas.ts'

/** A value of a contact with what stands for it, as the library writes them. */
const VALUE = /^\{\{ contact\.(\w+) \| default: "([^"]*)" \}\}$/
const VALUES = /\{\{ contact\.(\w+) \| default: "([^"]*)" \}\}/g

/**
 * A design of the library for an account with these fields of contacts (by name): values of other fields are replaced by
 * the words that stand for them, as a message that names an unknown field is refused.
 */
export function replaceUnknownFields(design: DesignDocument, isKnown: (field: string) => boolean): DesignDocument {
  const replaced = (node: unknown): unknown => {
    if (typeof node === 'string') return node.replace(VALUES, (value, field, words) => (isKnown(field) ? value : words))
    if (Array.isArray(node)) return joined(node.map(replaced))
    if (node === null || typeof node !== 'object') return node
    const code = codeOf(node)?.match(VALUE)
    if (code && !isKnown(code[1] as string)) return { type: 'text', text: code[2] }
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, replaced(value)]))
  }
  return replaced(design) as DesignDocument
}

/** Plain words beside each other are one text, as every editor keeps them. */
function joined(nodes: unknown[]): unknown[] {
  const whole: unknown[] = []
  for (const node of nodes) {
    const before = whole.at(-1)
    if (isPlain(before) && isPlain(node)) whole[whole.length - 1] = { ...before, text: before.text + node.text }
    else whole.push(node)
  }
  return whole
}

function isPlain(node: unknown): node is { type: 'text'; text: string } {
  if (typeof node !== 'object' || node === null || Object.keys(node).join() !== 'type,text') return false
  const { type, text } = node as { type: unknown; text: unknown }
  return type === 'text' && typeof text === 'string'
}

function codeOf(node: object): string | undefined {
  const { type, attrs } = node as { type?: string; attrs?: { code?: string } }
  return type === 'value' ? attrs?.code : undefined
}
