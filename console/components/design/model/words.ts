import type { ApiDesignBlock, ApiRichTextNode } from './shapes.ts'

const MAX_SUMMARY_LENGTH = 60

const flattenText = ({ text = '', attrs, content = [] }: ApiRichTextNode): string =>
  [text, String(attrs?.['code'] ?? ''), ...content.map(flattenText)].filter(Boolean).join(' ')

/** Short label that identifies a block: its first words. */
export function summarizeBlockText(block: ApiDesignBlock): string {
  if (block.type === 'social')
    return block.links
      .map(({ name }) => name)
      .join(', ')
      .slice(0, MAX_SUMMARY_LENGTH)
  const blockMembers = block as unknown as Record<string, unknown>
  const firstContent = ['text', 'name', 'alt', 'title', 'address', 'src']
    .map((name) => blockMembers[name])
    .find((value) => value !== undefined && value !== '')
  const plainText =
    typeof firstContent === 'object' && firstContent !== null
      ? flattenText(firstContent as ApiRichTextNode)
      : String(firstContent ?? '')
  return plainText.slice(0, MAX_SUMMARY_LENGTH)
}
