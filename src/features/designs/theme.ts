import type { DesignRow, DesignTheme, ThemeColours } from './design-schemas.ts'
import { createLeafNode, createParentNode, type MjmlNode } from './mjml-node.ts'

/** Fonts that are on every device: a message loads none. */
export const DESIGN_FONT_STACKS: Record<DesignTheme['fonts']['body'], string> = {
  sans: "-apple-system, BlinkMacSystemFont, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif",
  serif: "Georgia, Cambria, 'Times New Roman', Times, serif",
  rounded: "ui-rounded, 'Hiragino Maru Gothic ProN', Quicksand, 'Segoe UI', Arial, sans-serif",
  mono: "ui-monospace, SFMono-Regular, Menlo, Consolas, 'Courier New', monospace",
}

/** A theme as blocks of a row have it: on the accent, all is drawn in the colour that can be read there. */
export function adaptThemeToBackground(background: DesignRow['background'], theme: DesignTheme): DesignTheme {
  if (background !== 'accent') return theme
  const { accent, onAccent } = theme.colours
  return {
    ...theme,
    colours: { ...theme.colours, text: onAccent, muted: onAccent, accent: onAccent, onAccent: accent, line: onAccent },
  }
}

/** Rules of a scheme for what stands below a selector. */
function buildContentRules(colours: ThemeColours, below: string[]): string {
  const buildRule = (selectors: string[], style: string): string =>
    `${below.flatMap((prefix) => selectors.map((selector) => `${prefix} ${selector}`)).join(', ')} { ${style} }`
  const { text, muted, accent, onAccent, line } = colours
  return [
    buildRule(['.text div', '.text a', '.text h1', '.text h2', '.text h3'], `color: ${text} !important;`),
    buildRule(['.muted div', '.muted a', 'span.muted'], `color: ${muted} !important;`),
    buildRule(['a.link', '.outlined a'], `color: ${accent} !important;`),
    buildRule(['.filled td', '.filled a'], `background: ${accent} !important; color: ${onAccent} !important;`),
    buildRule(['.filled td', '.outlined td'], `border-color: ${accent} !important;`),
    buildRule(['.divider p'], `border-top-color: ${line} !important;`),
    buildRule(['.social a'], `border-color: ${line} !important;`),
  ].join('\n')
}

const ROW_BACKGROUNDS = ['surface', 'tinted', 'accent'] as const

/** Rules of the dark colours; `prefix` is set around a message by the reader, or empty. */
function buildDarkRules(theme: DesignTheme, colours: ThemeColours, prefix: string): string {
  const prefixSelectors = (names: readonly string[]): string[] => names.map((name) => `${prefix}.on-${name}`)
  const backgrounds = ROW_BACKGROUNDS.map((name) => {
    const selectors = prefixSelectors([name]).flatMap((selector) => [selector, `${selector} > table`])
    return `${selectors.join(', ')} { background: ${colours[name]} !important; background-color: ${colours[name]} !important; }`
  })
  return [
    `${prefix}.page, ${prefix}.page > div { background-color: ${colours.background} !important; }`,
    ...backgrounds,
    buildContentRules(colours, prefixSelectors(['surface', 'tinted', 'none'])),
    buildContentRules(adaptThemeToBackground('accent', { ...theme, colours }).colours, prefixSelectors(['accent'])),
  ].join('\n')
}

/** The head: what readers need to know, and the dark colours for those that follow the system and for Outlook. */
export function buildThemeHead(theme: DesignTheme): MjmlNode[] {
  const { colours, dark, fonts } = theme
  const scheme = dark ? 'light dark' : 'light'
  const metaTags = ['color-scheme', 'supported-color-schemes'].map(
    (name) => `<meta name="${name}" content="${scheme}">`,
  )
  return [
    createParentNode('mj-attributes', {}, [
      createLeafNode('mj-all', { 'font-family': DESIGN_FONT_STACKS[fonts.body] }),
    ]),
    createLeafNode('mj-raw', {}, metaTags.join('')),
    createLeafNode('mj-style', {}, `a.link { color: ${colours.accent}; }`),
    ...(dark
      ? [
          createLeafNode(
            'mj-style',
            {},
            `@media (prefers-color-scheme: dark) {\n${buildDarkRules(theme, dark, '')}\n}`,
          ),
          createLeafNode('mj-style', {}, buildDarkRules(theme, dark, '[data-ogsc] ')),
        ]
      : []),
  ]
}
