import { IconPhoto } from '@tabler/icons-react'
import { type CSSProperties, useState } from 'react'
import { useTranslator } from '../../text/catalogue.ts'
import { MessageFrame } from '../MessageFrame.tsx'
import styles from './Design.module.css'
import { DESIGN_FONT_FAMILIES, formatBlockPadding, HEADING_SIZES_PX } from './model/look.ts'
import type { ApiBlockOf, ApiDesignBlock, ApiDesignTheme } from './model/shapes.ts'
import { RichTextView } from './RichTextView.tsx'
import { designTexts } from './texts.ts'

interface Props<Kind extends ApiDesignBlock['type'] = ApiDesignBlock['type']> {
  block: ApiBlockOf<Kind>
  theme: ApiDesignTheme
}

const HTML_HEIGHT_PX = 140

/** A picture, or what stands for one that cannot be shown here. */
function ImageWithPlaceholder({ src, alt, style }: { src: string; alt: string; style?: CSSProperties }) {
  const t = useTranslator(designTexts)
  const [failedSource, setFailed] = useState('')
  if (src !== '' && failedSource !== src && !src.includes('{'))
    return <img src={src} alt={alt} className={styles['picture']} style={style} onError={() => setFailed(src)} />
  return (
    <span className={styles['noPicture']} style={style}>
      <IconPhoto size={20} aria-hidden />
      <bdi>{alt || src || t('noPicture')}</bdi>
    </span>
  )
}

function ButtonPicture({ block, theme: { colours, radius = 6 } }: Props<'button'>) {
  const isFilled = block.kind !== 'outlined'
  const buttonStyle: CSSProperties = {
    background: isFilled ? colours.accent : 'transparent',
    color: isFilled ? colours.onAccent : colours.accent,
    border: `1px solid ${colours.accent}`,
    borderRadius: radius,
    ...(block.isWide && { display: 'block' }),
  }
  return (
    <div style={{ textAlign: block.align ?? 'left' }}>
      <span className={styles['button']} style={buttonStyle}>
        {block.text}
      </span>
    </div>
  )
}

function HeaderPicture({ block, theme }: Props<'header'>) {
  const { logo, name, align = 'left' } = block
  if (!logo)
    return (
      <div
        style={{
          textAlign: align,
          fontFamily: DESIGN_FONT_FAMILIES[theme.fonts.heading],
          fontSize: 20,
          fontWeight: 700,
        }}
      >
        {name}
      </div>
    )
  return (
    <div style={{ textAlign: align }}>
      <ImageWithPlaceholder src={logo.src} alt={logo.alt} style={{ width: logo.width }} />
    </div>
  )
}

function FooterPicture({ block, theme }: Props<'footer'>) {
  return (
    <div style={{ color: theme.colours.muted, fontSize: 13, lineHeight: '20px' }}>
      {block.text && <RichTextView text={block.text} />}
      {block.address && <p className={styles['lines']}>{block.address}</p>}
      <p>
        {[block.unsubscribe, block.online].filter(Boolean).map((words, index) => (
          <span key={words}>
            {index > 0 && ' · '}
            <span className={styles['link']}>{words}</span>
          </span>
        ))}
      </p>
    </div>
  )
}

function SocialPicture({ block, theme: { colours, radius = 6 } }: Props<'social'>) {
  return (
    <div style={{ textAlign: block.align ?? 'left', fontSize: 14 }}>
      {block.links.map(({ name, href }) => (
        <span
          key={name + href}
          className={styles['social']}
          style={{ border: `1px solid ${colours.line}`, borderRadius: radius }}
        >
          {name}
        </span>
      ))}
    </div>
  )
}

function ProductPicture({ block, theme }: Props<'product'>) {
  const { image, alt = '', title, text, price, button, href } = block
  return (
    <>
      {image && <ImageWithPlaceholder src={image} alt={alt} style={{ borderRadius: theme.radius ?? 6 }} />}
      <div>
        <strong>{title}</strong>
      </div>
      {text && <div style={{ color: theme.colours.muted }}>{text}</div>}
      {price && <div>{price}</div>}
      {button && href && <ButtonPicture block={{ type: 'button', text: button, href }} theme={theme} />}
    </>
  )
}

function HeadingPicture({ block, theme }: Props<'heading'>) {
  const fontSizePx = HEADING_SIZES_PX[(block.level ?? 1) - 1] ?? HEADING_SIZES_PX[0]
  const headingStyle: CSSProperties = {
    fontFamily: DESIGN_FONT_FAMILIES[theme.fonts.heading],
    fontSize: fontSizePx,
    lineHeight: 1.3,
    fontWeight: 700,
    ...(block.align && { textAlign: block.align }),
  }
  return <div style={headingStyle}>{block.text}</div>
}

/** Its HTML never stands in the console's: it is shown in a page that may do nothing. */
function HtmlPicture({ block, theme }: Props<'html'>) {
  const t = useTranslator(designTexts)
  return <MessageFrame html={block.html} title={t('html')} width={theme.width - 48} height={HTML_HEIGHT_PX} />
}

function renderBlock({ block, theme }: Props) {
  switch (block.type) {
    case 'heading':
      return <HeadingPicture block={block} theme={theme} />
    case 'image':
      return (
        <div style={{ textAlign: block.align ?? 'center' }}>
          <ImageWithPlaceholder
            src={block.src}
            alt={block.alt}
            style={{ width: block.width ?? '100%', borderRadius: block.radius }}
          />
        </div>
      )
    case 'button':
      return <ButtonPicture block={block} theme={theme} />
    case 'divider':
      return <div style={{ borderTop: `1px solid ${theme.colours.line}` }} />
    case 'header':
      return <HeaderPicture block={block} theme={theme} />
    case 'footer':
      return <FooterPicture block={block} theme={theme} />
    case 'social':
      return <SocialPicture block={block} theme={theme} />
    case 'product':
      return <ProductPicture block={block} theme={theme} />
    case 'html':
      return <HtmlPicture block={block} theme={theme} />
    case 'text':
      return <RichTextView text={block.text} />
    default:
      return null
  }
}

/** Size and colour of formatted text: the same for its picture and while it is edited. */
function buildTextStyle(block: ApiDesignBlock, theme: ApiDesignTheme): CSSProperties {
  if (block.type !== 'text') return {}
  const { size = 16, tone } = block
  const mutedStyle = tone === 'muted' ? { color: theme.colours.muted } : {}
  return { ...mutedStyle, fontSize: size, lineHeight: `${Math.round(size * 1.5)}px` }
}

/** A block as it will look; `editor` stands in place of its text. */
export function BlockPicture({ block, theme, editor }: Props & { editor?: React.ReactNode }) {
  if (block.type === 'spacer') return <div style={{ height: block.height }} />
  return (
    <div style={{ padding: formatBlockPadding(block), ...buildTextStyle(block, theme) }}>
      {editor ?? renderBlock({ block, theme })}
    </div>
  )
}
