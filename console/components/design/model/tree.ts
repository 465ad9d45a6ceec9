import type { ApiRichTextNode } from './shapes.ts'

const EMPTY_PARAGRAPH: ApiRichTextNode = { type: 'paragraph' }

/** The tree as the editor takes it: what must not be empty there has a paragraph. */
export function toEditorTree(node: ApiRichTextNode): ApiRichTextNode {
  const requiresContent = node.type === 'doc' || node.type === 'listItem'
  if (requiresContent && !node.content?.length) return { ...node, content: [EMPTY_PARAGRAPH] }
  return node.content ? { ...node, content: node.content.map(toEditorTree) } : node
}

const omitEmptyAttributes = (attrs: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(attrs).filter(([, attributeValue]) => attributeValue !== null && attributeValue !== undefined),
  )

/** The tree as designs keep it: without members that say nothing. */
export function fromEditorTree({ type, text, attrs, content, marks }: ApiRichTextNode): ApiRichTextNode {
  const isList = type === 'orderedList' || type === 'bulletList'
  const nodeAttributes = isList ? {} : omitEmptyAttributes(attrs)
  return {
    type,
    ...(Object.keys(nodeAttributes).length > 0 && { attrs: nodeAttributes }),
    ...(content ? { content: content.map(fromEditorTree) } : type === 'doc' && { content: [] }),
    ...(text !== undefined && { text }),
    ...(marks?.length && {
      marks: marks.map((mark) => {
        const markAttributes = omitEmptyAttributes(mark.attrs)
        return { type: mark.type, ...(Object.keys(markAttributes).length > 0 && { attrs: markAttributes }) }
      }),
    }),
  }
}
