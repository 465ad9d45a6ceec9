import type { CSSProperties } from 'react'
import type { ApiDesignBlock, ApiDesignRow, ApiDesignTheme } from './shapes.ts'

/** Font families as rendered by the service: its compiler uses the same metrics. */
export const DESIGN_FONT_FAMILIES: Record<ApiDesignTheme['fonts']['body'], string> = {
  sans: "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
  serif: "Georgia, Cambria, 'Times New Roman', Times, serif",
  rounded: "ui-rounded, 'Hiragino Maru Gothic ProN', Quicksand, 'Segoe UI', Arial, sans-serif",
  mono: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Courier New', monospace",
}
export const HEADING_SIZES_PX = [28, 22, 18] as const
const SIDE_PADDING_PX = 24
const BLOCK_SPACING_PX = 10

/** A theme as blocks of a row have it: on the accent, all is drawn in the colour that can be read there. */
export function themeOnBackground(background: ApiDesignRow['background'], theme: ApiDesignTheme): ApiDesignTheme {
  if (background !== 'accent') return theme
  const { accent, onAccent } = theme.colours
  const accentColours = { text: onAccent, muted: onAccent, accent: onAccent, onAccent: accent, line: onAccent }
  return { ...theme, colours: { ...theme.colours, ...accentColours } }
}

export function resolveRowBackground(
  background: ApiDesignRow['background'] = 'surface',
  { colours }: ApiDesignTheme,
): string {
  return background === 'none' ? 'transparent' : colours[background]
}

export function formatBlockPadding(block: ApiDesignBlock): CSSProperties['padding'] {
  const { top = BLOCK_SPACING_PX, bottom = BLOCK_SPACING_PX } = ('padding' in block && block.padding) || {}
  return `${top}px ${SIDE_PADDING_PX}px ${bottom}px`
}
