import type { DesignDocument } from '../design-schemas.ts'

/** A value of a contact with what stands for it, as the library writes them. */
const VALUE_PATTERN = /^\{\{ contact\.(\w+) \| default: "([^"]*)" \}\}$/
const VALUES_PATTERN = /\{\{ contact\.(\w+) \| default: "([^"]*)" \}\}/g

/**
 * A design of the library for an account with these fields of contacts (by name): values of other fields are replaced by
 * the words that stand for them, as a message that names an unknown field is refused.
 */
export function replaceUnknownFields(design: DesignDocument, isKnown: (field: string) => boolean): DesignDocument {
  const replaceNode = (node: unknown): unknown => {
    if (typeof node === 'string')
      return node.replace(VALUES_PATTERN, (value, field, words) => (isKnown(field) ? value : words))
    if (Array.isArray(node)) return joinTextNodes(node.map(replaceNode))
    if (node === null || typeof node !== 'object') return node
    const code = getChipCode(node)?.match(VALUE_PATTERN)
    if (code && !isKnown(code[1] as string)) return { type: 'text', text: code[2] }
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, replaceNode(value)]))
  }
  return replaceNode(design) as DesignDocument
}

/** Joins adjacent plain text nodes into one, as every editor stores them. */
function joinTextNodes(nodes: unknown[]): unknown[] {
  const joinedNodes: unknown[] = []
  for (const node of nodes) {
    const previousNode = joinedNodes.at(-1)
    if (isPlain(previousNode) && isPlain(node))
      joinedNodes[joinedNodes.length - 1] = { ...previousNode, text: previousNode.text + node.text }
    else joinedNodes.push(node)
  }
  return joinedNodes
}

function isPlain(node: unknown): node is { type: 'text'; text: string } {
  if (typeof node !== 'object' || node === null || Object.keys(node).join() !== 'type,text') return false
  const { type, text } = node as { type: unknown; text: unknown }
  return type === 'text' && typeof text === 'string'
}

function getChipCode(node: object): string | undefined {
  const { type, attrs } = node as { type?: string; attrs?: { code?: string } }
  return type === 'value' ? attrs?.code : undefined
}
