import type { ApiDesignBlock, ApiRichTextNode } from './shapes.ts'

const LONGEST = 60

const flat = ({ text = '', attrs, content = [] }: ApiRichTextNode): string =>
  [text, String(attrs?.['code'] ?? ''), ...content.map(flat)].filter(Boolean).join(' ')

/** What a block is told apart by: its first words. */
export function summarizeBlockText(block: ApiDesignBlock): string {
  if (block.type === 'social')
    return block.links
      .map(({ name }) => name)
      .join(', ')
      .slice(0, LONGEST)
  const members = block as unknown as Record<string, unknown>
  const first = ['text', 'name', 'alt', 'title', 'address', 'src']
    .map((name) => members[name])
    .find((value) => value !== undefined && value !== '')
  const words = typeof first === 'object' && first !== null ? flat(first as ApiRichTextNode) : String(first ?? '')
  return words.slice(0, LONGEST)
}
