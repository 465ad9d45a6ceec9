import type { Colours, Row, Theme } from './design-schemas.ts'
import { leaf, type MjmlNode, parent } from './mjml-node.ts'

/** Fonts that are on every device: a message loads none. */
export const FONTS: Record<Theme['fonts']['body'], string> = {
  sans: "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
  serif: "Georgia, Cambria, 'Times New Roman', Times, serif",
  rounded: "ui-rounded, 'Hiragino Maru Gothic ProN', Quicksand, 'Segoe UI', Arial, sans-serif",
  mono: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Courier New', monospace",
}

/** A theme as blocks of a row have it: on the accent, all is drawn in the colour that can be read there. */
export function themeOn(background: Row['background'], theme: Theme): Theme {
  if (background !== 'accent') return theme
  const { accent, onAccent } = theme.colours
  return {
    ...theme,
    colours: { ...theme.colours, text: onAccent, muted: onAccent, accent: onAccent, onAccent: accent, line: onAccent },
  }
}

/** Rules of a scheme for what stands below a selector. */
function contentRules(colours: Colours, below: string[]): string {
  const rule = (selectors: string[], style: string): string =>
    `${below.flatMap((prefix) => selectors.map((selector) => `${prefix} ${selector}`)).join(', ')} { ${style} }`
  const { text, muted, accent, onAccent, line } = colours
  return [
    rule(['.text div', '.text a', '.text h1', '.text h2', '.text h3'], `color: ${text} !important;`),
    rule(['.muted div', '.muted a', 'span.muted'], `color: ${muted} !important;`),
    rule(['a.link', '.outlined a'], `color: ${accent} !important;`),
    rule(['.filled td', '.filled a'], `background: ${accent} !important; color: ${onAccent} !important;`),
    rule(['.filled td', '.outlined td'], `border-color: ${accent} !important;`),
    rule(['.divider p'], `border-top-color: ${line} !important;`),
    rule(['.social a'], `border-color: ${line} !important;`),
  ].join('\n')
}

const BACKGROUNDS = ['surface', 'tinted', 'accent'] as const

/** Rules of the dark colours; `prefix` is set around a message by the reader, or empty. */
function darkRules(theme: Theme, colours: Colours, prefix: string): string {
  const below = (names: readonly string[]): string[] => names.map((name) => `${prefix}.on-${name}`)
  const backgrounds = BACKGROUNDS.map((name) => {
    const selectors = below([name]).flatMap((selector) => [selector, `${selector} > table`])
    return `${selectors.join(', ')} { background: ${colours[name]} !important; background-color: ${colours[name]} !important; }`
  })
  return [
    `${prefix}.page, ${prefix}.page > div { background-color: ${colours.background} !important; }`,
    ...backgrounds,
    contentRules(colours, below(['surface', 'tinted', 'none'])),
    contentRules(themeOn('accent', { ...theme, colours }).colours, below(['accent'])),
  ].join('\n')
}

/** The head: what readers need to know, and the dark colours for those that follow the system and for Outlook. */
export function themeHead(theme: Theme): MjmlNode[] {
  const { colours, dark, fonts } = theme
  const scheme = dark ? 'light dark' : 'light'
  const metas = ['color-scheme', 'supported-color-schemes'].map((name) => `<meta name="${name}" content="${scheme}">`)
  return [
    parent('mj-attributes', {}, [leaf('mj-all', { 'font-family': FONTS[fonts.body] })]),
    leaf('mj-raw', {}, metas.join('')),
    leaf('mj-style', {}, `a.link { color: ${colours.accent}; }`),
    ...(dark
      ? [
          leaf('mj-style', {}, `@media (prefers-color-scheme: dark) {\n${darkRules(theme, dark, '')}\n}`),
          leaf('mj-style', {}, darkRules(theme, dark, '[data-ogsc] ')),
        ]
      : []),
  ]
}
