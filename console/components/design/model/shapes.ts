import type { components } from '../../../api/operations.d.ts'

export type Design = components['schemas']['Design']
export type Theme = Design['theme']
export type Row = Design['rows'][number]
export type Block = Row['blocks'][number][number]
export type BlockKind = Block['type']
export type BlockOf<Type extends BlockKind> = Extract<Block, { type: Type }>
export type Columns = BlockOf<'columns'>

/** A node of formatted text, as editors built on ProseMirror write it. */
export interface TextNode {
  type: string
  attrs?: Record<string, unknown>
  content?: TextNode[]
  text?: string
  marks?: Mark[]
}

export interface Mark {
  type: string
  attrs?: Record<string, unknown>
}

export const COLOURS = ['background', 'surface', 'tinted', 'text', 'muted', 'accent', 'onAccent', 'line'] as const
export const FONTS = ['sans', 'serif', 'rounded', 'mono'] as const
export const BACKGROUNDS = ['surface', 'tinted', 'accent', 'none'] as const

export const KINDS = [
  ...(['text', 'heading', 'image', 'button', 'divider', 'spacer', 'columns'] as const),
  ...(['header', 'footer', 'social', 'product', 'html'] as const),
] as const satisfies readonly BlockKind[]
