import type { Block, TextNode } from './shapes.ts'

const LONGEST = 60

const flat = ({ text = '', attrs, content = [] }: TextNode): string =>
  [text, String(attrs?.['code'] ?? ''), ...content.map(flat)].filter(Boolean).join(' ')

/** What a block is told apart by: its first words. */
export function blockWords(block: Block): string {
  if (block.type === 'social')
    return block.links
      .map(({ name }) => name)
      .join(', ')
      .slice(0, LONGEST)
  const members = block as unknown as Record<string, unknown>
  const first = ['text', 'name', 'alt', 'title', 'address', 'src']
    .map((name) => members[name])
    .find((value) => value !== undefined && value !== '')
  const words = typeof first === 'object' && first !== null ? flat(first as TextNode) : String(first ?? '')
  return words.slice(0, LONGEST)
}
