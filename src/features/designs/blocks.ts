import type { BlockRepeat, DesignTheme, PlainDesignBlock } from './design-schemas.ts'
import { liquidToAttribute, liquidToHtml } from './liquid-html.ts'
import { createLeafNode, createLiquidNode, type MjmlNode } from './mjml-node.ts'
import { formatLinkAttributes, richTextToHtml } from './rich-text.ts'
import { DESIGN_FONT_STACKS } from './theme.ts'

/** Pixels between a block and the edge of its column. */
const SIDE_PADDING_PX = 24
const VERTICAL_PADDING_PX = 10
const HEADING_SIZES_PX = [28, 22, 18] as const

type BlockMaker<Type extends PlainDesignBlock['type']> = (
  block: Extract<PlainDesignBlock, { type: Type }>,
  theme: DesignTheme,
) => MjmlNode[]

function blockPadding({ padding: buildPadding }: Pick<PlainDesignBlock, 'padding'>, side = SIDE_PADDING_PX): string {
  return `${buildPadding?.top ?? VERTICAL_PADDING_PX}px ${side}px ${buildPadding?.bottom ?? VERTICAL_PADDING_PX}px`
}

/** The loop of a repeated part. */
export function wrapRepeatedNodes({ over, as, limit }: BlockRepeat, nodes: MjmlNode[]): MjmlNode[] {
  const limitClause = limit === undefined ? '' : ` limit: ${limit}`
  return [createLiquidNode(`{% for ${as} in ${over}${limitClause} %}`), ...nodes, createLiquidNode('{% endfor %}')]
}

/** An element of text in the colour of the theme. */
function buildTextNode(
  { colours }: DesignTheme,
  attributes: Record<string, string | undefined>,
  html: string,
): MjmlNode {
  return createLeafNode(
    'mj-text',
    { color: colours.text, 'font-size': '16px', 'line-height': '24px', ...attributes },
    html,
  )
}

function buildAnchor(href: string, html: string, style: string): string {
  return `<a ${formatLinkAttributes(href)} style="${style}">${html}</a>`
}

const buildImage = (
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

const buildButton: BlockMaker<'button'> = (block, { colours, radius = 6 }) => {
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
        padding: blockPadding(block),
      },
      liquidToHtml(block.text),
    ),
  ]
}

const buildHeader: BlockMaker<'header'> = (block, theme) => {
  const { logo, href, align = 'left' } = block
  if (logo) return [buildImage({ ...logo, ...(href && { href }), align }, blockPadding(block))]
  const name = liquidToHtml(block.name)
  const text = href ? buildAnchor(href, name, 'color:inherit;text-decoration:none') : name
  const fontFamily = DESIGN_FONT_STACKS[theme.fonts.heading]
  return [
    buildTextNode(
      theme,
      {
        align,
        'font-family': fontFamily,
        'font-size': '20px',
        'font-weight': '700',
        'css-class': 'text',
        padding: blockPadding(block),
      },
      text,
    ),
  ]
}

const buildFooter: BlockMaker<'footer'> = (block, theme) => {
  const { colours } = theme
  const buildLink = (href: string, words: string): string =>
    buildAnchor(href, liquidToHtml(words), `color:${colours.muted};text-decoration:underline`)
  const links = [
    ...(block.unsubscribe ? [buildLink('Unsubscribe', block.unsubscribe)] : []),
    ...(block.online ? [buildLink('MirrorPage', block.online)] : []),
  ]
  const parts = [
    ...(block.text ? [richTextToHtml(block.text)] : []),
    ...(block.address ? [`<p style="margin:8px 0 0">${liquidToHtml(block.address).replaceAll('\n', '<br>')}</p>`] : []),
    ...(links.length > 0 ? [`<p style="margin:8px 0 0">${links.join(' &nbsp;·&nbsp; ')}</p>`] : []),
  ]
  const textAttributes = { 'font-size': '13px', 'line-height': '20px', color: colours.muted, 'css-class': 'muted' }
  return [buildTextNode(theme, { ...textAttributes, padding: blockPadding(block) }, parts.join(''))]
}

const buildSocialLinks: BlockMaker<'social'> = (block, theme) => {
  const { colours, radius = 6 } = theme
  const style = `display:inline-block;margin:0 6px 6px 0;padding:6px 12px;border:1px solid ${colours.line};border-radius:${radius}px;color:${colours.text};text-decoration:none`
  const links = block.links.map(({ name, href }) => buildAnchor(href, liquidToHtml(name), style))
  const textAttributes = { align: block.align ?? 'left', 'font-size': '14px', 'css-class': 'text social' }
  return [buildTextNode(theme, { ...textAttributes, padding: blockPadding(block) }, links.join(' '))]
}

const buildProduct: BlockMaker<'product'> = (block, theme) => {
  const { colours } = theme
  const title = `<strong>${liquidToHtml(block.title)}</strong>`
  const lines = [
    block.href ? buildAnchor(block.href, title, 'color:inherit;text-decoration:none') : title,
    ...(block.text ? [`<span style="color:${colours.muted}" class="muted">${liquidToHtml(block.text)}</span>`] : []),
    ...(block.price ? [liquidToHtml(block.price)] : []),
  ]
  const { top, bottom } = {
    top: block.padding?.top ?? VERTICAL_PADDING_PX,
    bottom: block.padding?.bottom ?? VERTICAL_PADDING_PX,
  }
  const imageBlock = {
    src: block.image ?? '',
    alt: block.alt ?? '',
    ...(block.href && { href: block.href }),
    radius: theme.radius ?? 6,
  }
  const nodes = [
    ...(block.image ? [buildImage(imageBlock, `${top}px ${SIDE_PADDING_PX}px 0`)] : []),
    buildTextNode(
      theme,
      { 'css-class': 'text', padding: `${VERTICAL_PADDING_PX}px ${SIDE_PADDING_PX}px ${bottom}px` },
      lines.join('<br>'),
    ),
    ...(block.button && block.href
      ? buildButton({ type: 'button', text: block.button, href: block.href, padding: { top: 0, bottom } }, theme)
      : []),
  ]
  return block.repeat ? wrapRepeatedNodes(block.repeat, nodes) : nodes
}

const BLOCK_MAKERS: { [Type in PlainDesignBlock['type']]: BlockMaker<Type> } = {
  text: (block, theme) => {
    const { colours } = theme
    const isMuted = block.tone === 'muted'
    const size = block.size ?? 16
    const textAttributes = {
      'font-size': `${size}px`,
      'line-height': `${Math.round(size * 1.5)}px`,
      color: isMuted ? colours.muted : colours.text,
      'css-class': isMuted ? 'muted' : 'text',
    }
    return [buildTextNode(theme, { ...textAttributes, padding: blockPadding(block) }, richTextToHtml(block.text))]
  },
  heading: (block, theme) => {
    const level = block.level ?? 1
    const size = HEADING_SIZES_PX[level - 1] ?? HEADING_SIZES_PX[0]
    const textAttributes = {
      'font-family': DESIGN_FONT_STACKS[theme.fonts.heading],
      'font-size': `${size}px`,
      'line-height': `${Math.round(size * 1.3)}px`,
    }
    const attributes = {
      align: block.align,
      ...textAttributes,
      'font-weight': '700',
      'css-class': 'text',
      padding: blockPadding(block),
    }
    const style = 'margin:0;font:inherit'
    return [buildTextNode(theme, attributes, `<h${level} style="${style}">${liquidToHtml(block.text)}</h${level}>`)]
  },
  image: (block) => [buildImage(block, blockPadding(block))],
  button: buildButton,
  divider: (block, { colours }) => [
    createLeafNode('mj-divider', {
      'border-width': '1px',
      'border-color': colours.line,
      padding: blockPadding(block),
      'css-class': 'divider',
    }),
  ],
  spacer: ({ height }) => [createLeafNode('mj-spacer', { height: `${height}px` })],
  header: buildHeader,
  footer: buildFooter,
  social: buildSocialLinks,
  product: buildProduct,
  html: (block, theme) => [buildTextNode(theme, { padding: blockPadding(block), 'css-class': 'text' }, block.html)],
}

/** A block as elements of MJML. */
export function buildBlockNodes(block: PlainDesignBlock, theme: DesignTheme): MjmlNode[] {
  return (BLOCK_MAKERS[block.type] as BlockMaker<PlainDesignBlock['type']>)(block as never, theme)
}
