import { Fragment, memo, type ReactNode } from 'react'
import styles from './Design.module.css'
import type { ApiRichTextMark, ApiRichTextNode } from './model/shapes.ts'
import { formatLiquidChip } from './model/value.ts'

const MARK_TAGS = { bold: 'strong', italic: 'em', underline: 'u', strike: 's' } as const

function renderMark(children: ReactNode, { type, attrs }: ApiRichTextMark): ReactNode {
  if (type === 'link') return <span className={styles['link']}>{children}</span>
  if (type === 'colour') return <span style={{ color: String(attrs?.['colour']) }}>{children}</span>
  const MarkTag = MARK_TAGS[type as keyof typeof MARK_TAGS]
  return MarkTag ? <MarkTag>{children}</MarkTag> : children
}

function renderInline(node: ApiRichTextNode): ReactNode {
  if (node.type === 'hardBreak') return <br />
  const inlineContent = node.type === 'value' ? <LiquidValueChip code={String(node.attrs?.['code'])} /> : node.text
  // The first mark is the outermost one.
  return (node.marks ?? []).reduceRight<ReactNode>(renderMark, inlineContent)
}

/** A value of the contact as a chip: its name, with its whole Liquid on hover. */
export function LiquidValueChip({ code }: { code: string }) {
  return (
    <span className={styles['value']} title={code}>
      {formatLiquidChip(code)}
    </span>
  )
}

/** Nodes have no ids, and what is drawn keeps no state: their places are their keys. */
const renderByIndex = (nodes: readonly ApiRichTextNode[] = [], draw: (node: ApiRichTextNode) => ReactNode): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: nodes have no ids
  nodes.map((node, index) => <Fragment key={index}>{draw(node)}</Fragment>)

function renderTextBlock(node: ApiRichTextNode): ReactNode {
  if (node.type === 'paragraph') {
    const align = node.attrs?.['align'] as 'left' | 'center' | 'right' | undefined
    return (
      <p style={align && { textAlign: align }}>
        {node.content?.length ? renderByIndex(node.content, renderInline) : ' '}
      </p>
    )
  }
  if (node.type === 'listItem') return <li>{renderByIndex(node.content, renderTextBlock)}</li>
  const ListTag = node.type === 'orderedList' ? 'ol' : 'ul'
  return <ListTag>{renderByIndex(node.content, renderTextBlock)}</ListTag>
}

/** Formatted text as it will look. */
export const RichTextView = memo(function RichTextView({ text }: { text: ApiRichTextNode }) {
  return <div className={styles['rich']}>{renderByIndex(text.content, renderTextBlock)}</div>
})
