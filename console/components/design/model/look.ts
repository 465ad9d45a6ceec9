import type { CSSProperties } from 'react'
import type { Block, Row, Theme } from './shapes.ts'

/** What the service draws with: its compiler has the same measures. */
export const FAMILIES: Record<Theme['fonts']['body'], string> = {
  sans: "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
  serif: "Georgia, Cambria, 'Times New Roman', Times, serif",
  rounded: "ui-rounded, 'Hiragino Maru Gothic ProN', Quicksand, 'Segoe UI', Arial, sans-serif",
  mono: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Courier New', monospace",
}
export const HEADING_SIZES_PX = [28, 22, 18] as const
const SIDE_PX = 24
const SPACE_PX = 10

/** A theme as blocks of a row have it: on the accent, all is drawn in the colour that can be read there. */
export function themeOn(background: Row['background'], theme: Theme): Theme {
  if (background !== 'accent') return theme
  const { accent, onAccent } = theme.colours
  const on = { text: onAccent, muted: onAccent, accent: onAccent, onAccent: accent, line: onAccent }
  return { ...theme, colours: { ...theme.colours, ...on } }
}

export function groundOf(background: Row['background'] = 'surface', { colours }: Theme): string {
  return background === 'none' ? 'transparent' : colours[background]
}

export function paddingOf(block: Block): CSSProperties['padding'] {
  const { top = SPACE_PX, bottom = SPACE_PX } = ('padding' in block && block.padding) || {}
  return `${top}px ${SIDE_PX}px ${bottom}px`
}
