import type { ApiRichTextNode } from './shapes.ts'

const EMPTY: ApiRichTextNode = { type: 'paragraph' }

/** The tree as the editor takes it: what must not be empty there has a paragraph. */
export function toEditorTree(node: ApiRichTextNode): ApiRichTextNode {
  const mustHave = node.type === 'doc' || node.type === 'listItem'
  if (mustHave && !node.content?.length) return { ...node, content: [EMPTY] }
  return node.content ? { ...node, content: node.content.map(toEditorTree) } : node
}

const given = (attrs: Record<string, unknown> = {}): Record<string, unknown> =>
  Object.fromEntries(Object.entries(attrs).filter(([, one]) => one !== null && one !== undefined))

/** The tree as designs keep it: without members that say nothing. */
export function fromEditorTree({ type, text, attrs, content, marks }: ApiRichTextNode): ApiRichTextNode {
  const isList = type === 'orderedList' || type === 'bulletList'
  const kept = isList ? {} : given(attrs)
  return {
    type,
    ...(Object.keys(kept).length > 0 && { attrs: kept }),
    ...(content ? { content: content.map(fromEditorTree) } : type === 'doc' && { content: [] }),
    ...(text !== undefined && { text }),
    ...(marks?.length && {
      marks: marks.map((mark) => {
        const said = given(mark.attrs)
        return { type: mark.type, ...(Object.keys(said).length > 0 && { attrs: said }) }
      }),
    }),
  }
}
