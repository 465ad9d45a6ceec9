import type { BlockRepeat, DesignTheme, PlainDesignBlock } from './design-schemas.ts'
import { liquidToAttribute, liquidToHtml } from './liquid-html.ts'
import { createLeafNode, createLiquidNode, type MjmlNode } from './mjml-node.ts'
import { formatLinkAttributes, richTextToHtml } from './rich-text.ts'
import { DESIGN_FONT_STACKS } from './theme.ts'

/** Pixels between a block and the edge of its column. */
const SIDE = 24
const SPACE = 10
const HEADING_SIZES = [28, 22, 18] as const

type Maker<Type extends PlainDesignBlock['type']> = (
  block: Extract<PlainDesignBlock, { type: Type }>,
  theme: DesignTheme,
) => MjmlNode[]

function padding({ padding }: Pick<PlainDesignBlock, 'padding'>, side = SIDE): string {
  return `${padding?.top ?? SPACE}px ${side}px ${padding?.bottom ?? SPACE}px`
}

/** The loop of a repeated part. */
export function wrapRepeatedNodes({ over, as, limit }: BlockRepeat, nodes: MjmlNode[]): MjmlNode[] {
  const bound = limit === undefined ? '' : ` limit: ${limit}`
  return [createLiquidNode(`{% for ${as} in ${over}${bound} %}`), ...nodes, createLiquidNode('{% endfor %}')]
}

/** An element of text in the colour of the theme. */
function prose({ colours }: DesignTheme, attributes: Record<string, string | undefined>, html: string): MjmlNode {
  return createLeafNode(
    'mj-text',
    { color: colours.text, 'font-size': '16px', 'line-height': '24px', ...attributes },
    html,
  )
}

function anchor(href: string, html: string, style: string): string {
  return `<a ${formatLinkAttributes(href)} style="${style}">${html}</a>`
}

const image = (
  { src, alt, href, width, align, radius }: Partial<Extract<PlainDesignBlock, { type: 'image' }>>,
  space: string,
): MjmlNode =>
  createLeafNode('mj-image', {
    src: liquidToAttribute(src ?? ''),
    alt: liquidToAttribute(alt ?? ''),
    href: href ? liquidToAttribute(href) : undefined,
    width: width === undefined ? undefined : `${width}px`,
    align: align ?? 'center',
    'border-radius': radius === undefined ? undefined : `${radius}px`,
    padding: space,
  })

const button: Maker<'button'> = (block, { colours, radius = 6 }) => {
  const isFilled = block.kind !== 'outlined'
  return [
    createLeafNode(
      'mj-button',
      {
        href: liquidToAttribute(block.href),
        align: block.align ?? 'left',
        'background-color': isFilled ? colours.accent : 'transparent',
        color: isFilled ? colours.onAccent : colours.accent,
        border: `1px solid ${colours.accent}`,
        'border-radius': `${radius}px`,
        'font-size': '16px',
        'font-weight': '600',
        'line-height': '20px',
        'inner-padding': '12px 24px',
        width: block.isWide ? '100%' : undefined,
        'css-class': isFilled ? 'filled' : 'outlined',
        padding: padding(block),
      },
      liquidToHtml(block.text),
    ),
  ]
}

const header: Maker<'header'> = (block, theme) => {
  const { logo, href, align = 'left' } = block
  if (logo) return [image({ ...logo, ...(href && { href }), align }, padding(block))]
  const name = liquidToHtml(block.name)
  const text = href ? anchor(href, name, 'color:inherit;text-decoration:none') : name
  const family = DESIGN_FONT_STACKS[theme.fonts.heading]
  return [
    prose(
      theme,
      {
        align,
        'font-family': family,
        'font-size': '20px',
        'font-weight': '700',
        'css-class': 'text',
        padding: padding(block),
      },
      text,
    ),
  ]
}

const footer: Maker<'footer'> = (block, theme) => {
  const { colours } = theme
  const link = (href: string, words: string): string =>
    anchor(href, liquidToHtml(words), `color:${colours.muted};text-decoration:underline`)
  const links = [
    ...(block.unsubscribe ? [link('Unsubscribe', block.unsubscribe)] : []),
    ...(block.online ? [link('MirrorPage', block.online)] : []),
  ]
  const parts = [
    ...(block.text ? [richTextToHtml(block.text)] : []),
    ...(block.address ? [`<p style="margin:8px 0 0">${liquidToHtml(block.address).replaceAll('\n', '<br>')}</p>`] : []),
    ...(links.length > 0 ? [`<p style="margin:8px 0 0">${links.join(' &nbsp;·&nbsp; ')}</p>`] : []),
  ]
  const look = { 'font-size': '13px', 'line-height': '20px', color: colours.muted, 'css-class': 'muted' }
  return [prose(theme, { ...look, padding: padding(block) }, parts.join(''))]
}

const social: Maker<'social'> = (block, theme) => {
  const { colours, radius = 6 } = theme
  const style = `display:inline-block;margin:0 6px 6px 0;padding:6px 12px;border:1px solid ${colours.line};border-radius:${radius}px;color:${colours.text};text-decoration:none`
  const links = block.links.map(({ name, href }) => anchor(href, liquidToHtml(name), style))
  const look = { align: block.align ?? 'left', 'font-size': '14px', 'css-class': 'text social' }
  return [prose(theme, { ...look, padding: padding(block) }, links.join(' '))]
}

const product: Maker<'product'> = (block, theme) => {
  const { colours } = theme
  const title = `<strong>${liquidToHtml(block.title)}</strong>`
  const lines = [
    block.href ? anchor(block.href, title, 'color:inherit;text-decoration:none') : title,
    ...(block.text ? [`<span style="color:${colours.muted}" class="muted">${liquidToHtml(block.text)}</span>`] : []),
    ...(block.price ? [liquidToHtml(block.price)] : []),
  ]
  const { top, bottom } = { top: block.padding?.top ?? SPACE, bottom: block.padding?.bottom ?? SPACE }
  const shown = {
    src: block.image ?? '',
    alt: block.alt ?? '',
    ...(block.href && { href: block.href }),
    radius: theme.radius ?? 6,
  }
  const nodes = [
    ...(block.image ? [image(shown, `${top}px ${SIDE}px 0`)] : []),
    prose(theme, { 'css-class': 'text', padding: `${SPACE}px ${SIDE}px ${bottom}px` }, lines.join('<br>')),
    ...(block.button && block.href
      ? button({ type: 'button', text: block.button, href: block.href, padding: { top: 0, bottom } }, theme)
      : []),
  ]
  return block.repeat ? wrapRepeatedNodes(block.repeat, nodes) : nodes
}

const makers: { [Type in PlainDesignBlock['type']]: Maker<Type> } = {
  text: (block, theme) => {
    const { colours } = theme
    const isMuted = block.tone === 'muted'
    const size = block.size ?? 16
    const look = {
      'font-size': `${size}px`,
      'line-height': `${Math.round(size * 1.5)}px`,
      color: isMuted ? colours.muted : colours.text,
      'css-class': isMuted ? 'muted' : 'text',
    }
    return [prose(theme, { ...look, padding: padding(block) }, richTextToHtml(block.text))]
  },
  heading: (block, theme) => {
    const level = block.level ?? 1
    const size = HEADING_SIZES[level - 1] ?? HEADING_SIZES[0]
    const look = {
      'font-family': DESIGN_FONT_STACKS[theme.fonts.heading],
      'font-size': `${size}px`,
      'line-height': `${Math.round(size * 1.3)}px`,
    }
    const attributes = {
      align: block.align,
      ...look,
      'font-weight': '700',
      'css-class': 'text',
      padding: padding(block),
    }
    const style = 'margin:0;font:inherit'
    return [prose(theme, attributes, `<h${level} style="${style}">${liquidToHtml(block.text)}</h${level}>`)]
  },
  image: (block) => [image(block, padding(block))],
  button,
  divider: (block, { colours }) => [
    createLeafNode('mj-divider', {
      'border-width': '1px',
      'border-color': colours.line,
      padding: padding(block),
      'css-class': 'divider',
    }),
  ],
  spacer: ({ height }) => [createLeafNode('mj-spacer', { height: `${height}px` })],
  header,
  footer,
  social,
  product,
  html: (block, theme) => [prose(theme, { padding: padding(block), 'css-class': 'text' }, block.html)],
}

/** A block as elements of MJML. */
export function buildBlockNodes(block: PlainDesignBlock, theme: DesignTheme): MjmlNode[] {
  return (makers[block.type] as Maker<PlainDesignBlock['type']>)(block as never, theme)
}
