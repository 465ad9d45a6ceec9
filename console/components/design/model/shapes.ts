import type { ApiAnswer } from '../../../api/shapes.ts'

export type ApiDesign = ApiAnswer<'getDesign'>['design']
export type ApiDesignTheme = ApiDesign['theme']
export type ApiDesignRow = ApiDesign['rows'][number]
export type ApiDesignBlock = ApiDesignRow['blocks'][number][number]
export type ApiBlockKind = ApiDesignBlock['type']
export type ApiBlockOf<Type extends ApiBlockKind> = Extract<ApiDesignBlock, { type: Type }>
export type ApiColumnsBlock = ApiBlockOf<'columns'>

/** A node of formatted text, as editors built on ProseMirror write it. */
export interface ApiRichTextNode {
  type: string
  attrs?: Record<string, unknown>
  content?: ApiRichTextNode[]
  text?: string
  marks?: ApiRichTextMark[]
}

export interface ApiRichTextMark {
  type: string
  attrs?: Record<string, unknown>
}

export const DESIGN_COLOURS = [
  'background',
  'surface',
  'tinted',
  'text',
  'muted',
  'accent',
  'onAccent',
  'line',
] as const
export const DESIGN_FONTS = ['sans', 'serif', 'rounded', 'mono'] as const
export const ROW_BACKGROUNDS = ['surface', 'tinted', 'accent', 'none'] as const

export const DESIGN_BLOCK_KINDS = [
  'text',
  'heading',
  'image',
  'button',
  'divider',
  'spacer',
  'columns',
  'header',
  'footer',
  'social',
  'product',
  'html',
] as const satisfies readonly ApiBlockKind[]
