import { blockNodes, repeated } from './blocks.ts'
import type { Block, Columns, Design, PlainBlock, Row, Theme } from './design-schemas.ts'
import { attributeOf, htmlOf } from './liquid-html.ts'
import { leaf, liquid, type MjmlNode, parent } from './mjml-node.ts'
import { themeHead, themeOn } from './theme.ts'

function column(blocks: readonly PlainBlock[], width: number, theme: Theme): MjmlNode {
  return parent(
    'mj-column',
    { width: `${width}%`, 'vertical-align': 'top' },
    blocks.flatMap((block) => blockNodes(block, theme)),
  )
}

/** Pixels between the edge of a row and what stands in it. */
const EDGE = 14

/** What is drawn side by side. */
type Part = Pick<Columns, 'columns' | 'blocks'> & { isFirst?: boolean; isLast?: boolean }

function section({ columns, blocks, isFirst, isLast }: Part, row: Row, theme: Theme): MjmlNode {
  const { background = 'surface' } = row
  const look = {
    'background-color': background === 'none' ? undefined : theme.colours[background],
    'css-class': `on-${background}`,
    padding: `${isFirst ? EDGE : 0}px 0 ${isLast ? EDGE : 0}px`,
  }
  return parent(
    'mj-section',
    look,
    columns.map((width, index) => column(blocks[index] ?? [], width, themeOn(background, theme))),
  )
}

const isColumns = (block: Block): block is Columns => block.type === 'columns'

/** What a row of one column holds, in sections: blocks that follow each other, and blocks of columns. */
function parts(row: Row): Part[] {
  const [only = []] = row.blocks
  if (row.columns.length > 1) return [{ columns: row.columns, blocks: row.blocks as PlainBlock[][] }]
  const found: Part[] = []
  let run: PlainBlock[] | undefined
  for (const block of only) {
    if (isColumns(block)) {
      found.push(block)
      run = undefined
    } else if (run) run.push(block)
    else {
      run = [block]
      found.push({ columns: [100], blocks: [run] })
    }
  }
  return found
}

function rowNodes(row: Row, theme: Theme): MjmlNode[] {
  const sections = parts(row).map((part, index, all) =>
    section({ ...part, isFirst: index === 0, isLast: index === all.length - 1 }, row, theme),
  )
  const all = row.repeat ? repeated(row.repeat, sections) : sections
  return row.condition === undefined ? all : [liquid(`{% if ${row.condition} %}`), ...all, liquid('{% endif %}')]
}

/** A design as MJML: the tree that the compiler takes. It must have no faults. */
export function mjmlOf({ language, title, preheader, theme, rows }: Design): MjmlNode {
  const head = [
    ...(title ? [leaf('mj-title', {}, htmlOf(title))] : []),
    ...(preheader ? [leaf('mj-preview', {}, htmlOf(preheader))] : []),
    ...themeHead(theme),
  ]
  const body = rows.flatMap((row) => rowNodes(row, theme))
  return parent('mjml', language ? { lang: attributeOf(language) } : {}, [
    parent('mj-head', {}, head),
    parent(
      'mj-body',
      { width: `${theme.width}px`, 'background-color': theme.colours.background, 'css-class': 'page' },
      body,
    ),
  ])
}
