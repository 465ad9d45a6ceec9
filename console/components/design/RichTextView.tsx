import { Fragment, memo, type ReactNode } from 'react'
import styles from './Design.module.css'
import type { ApiRichTextMark, ApiRichTextNode } from './model/shapes.ts'
import { formatLiquidChip } from './model/value.ts'

const TAGS = { bold: 'strong', italic: 'em', underline: 'u', strike: 's' } as const

function marked(children: ReactNode, { type, attrs }: ApiRichTextMark): ReactNode {
  if (type === 'link') return <span className={styles['link']}>{children}</span>
  if (type === 'colour') return <span style={{ color: String(attrs?.['colour']) }}>{children}</span>
  const Tag = TAGS[type as keyof typeof TAGS]
  return Tag ? <Tag>{children}</Tag> : children
}

function inline(node: ApiRichTextNode): ReactNode {
  if (node.type === 'hardBreak') return <br />
  const words = node.type === 'value' ? <LiquidValueChip code={String(node.attrs?.['code'])} /> : node.text
  // The first mark is the outermost one.
  return (node.marks ?? []).reduceRight<ReactNode>(marked, words)
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
const placed = (nodes: readonly ApiRichTextNode[] = [], draw: (node: ApiRichTextNode) => ReactNode): ReactNode =>
  // biome-ignore lint/suspicious/noArrayIndexKey: nodes have no ids
  nodes.map((node, index) => <Fragment key={index}>{draw(node)}</Fragment>)

function line(node: ApiRichTextNode): ReactNode {
  if (node.type === 'paragraph') {
    const align = node.attrs?.['align'] as 'left' | 'center' | 'right' | undefined
    return <p style={align && { textAlign: align }}>{node.content?.length ? placed(node.content, inline) : ' '}</p>
  }
  if (node.type === 'listItem') return <li>{placed(node.content, line)}</li>
  const List = node.type === 'orderedList' ? 'ol' : 'ul'
  return <List>{placed(node.content, line)}</List>
}

/** Formatted text as it will look. */
export const RichTextView = memo(function RichTextView({ text }: { text: ApiRichTextNode }) {
  return <div className={styles['rich']}>{placed(text.content, line)}</div>
})
