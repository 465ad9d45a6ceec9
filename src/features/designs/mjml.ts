import { buildBlockNodes, wrapRepeatedNodes } from './blocks.ts'
import type {
  DesignColumnsBlock,
  DesignContentBlock,
  DesignDocument,
  DesignRow,
  DesignTheme,
  PlainDesignBlock,
} from './design-schemas.ts'
import { liquidToAttribute, liquidToHtml } from './liquid-html.ts'
import { createLeafNode, createLiquidNode, createParentNode, type MjmlNode } from './mjml-node.ts'
import { adaptThemeToBackground, buildThemeHead } from './theme.ts'

function column(blocks: readonly PlainDesignBlock[], width: number, theme: DesignTheme): MjmlNode {
  return createParentNode(
    'mj-column',
    { width: `${width}%`, 'vertical-align': 'top' },
    blocks.flatMap((block) => buildBlockNodes(block, theme)),
  )
}

/** Pixels between the edge of a row and what stands in it. */
const EDGE = 14

/** What is drawn side by side. */
type Part = Pick<DesignColumnsBlock, 'columns' | 'blocks'> & { isFirst?: boolean; isLast?: boolean }

function section({ columns, blocks, isFirst, isLast }: Part, row: DesignRow, theme: DesignTheme): MjmlNode {
  const { background = 'surface' } = row
  const look = {
    'background-color': background === 'none' ? undefined : theme.colours[background],
    'css-class': `on-${background}`,
    padding: `${isFirst ? EDGE : 0}px 0 ${isLast ? EDGE : 0}px`,
  }
  return createParentNode(
    'mj-section',
    look,
    columns.map((width, index) => column(blocks[index] ?? [], width, adaptThemeToBackground(background, theme))),
  )
}

const isColumns = (block: DesignContentBlock): block is DesignColumnsBlock => block.type === 'columns'

/** What a row of one column holds, in sections: blocks that follow each other, and blocks of columns. */
function parts(row: DesignRow): Part[] {
  const [only = []] = row.blocks
  if (row.columns.length > 1) return [{ columns: row.columns, blocks: row.blocks as PlainDesignBlock[][] }]
  const found: Part[] = []
  let run: PlainDesignBlock[] | undefined
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

function rowNodes(row: DesignRow, theme: DesignTheme): MjmlNode[] {
  const sections = parts(row).map((part, index, all) =>
    section({ ...part, isFirst: index === 0, isLast: index === all.length - 1 }, row, theme),
  )
  const all = row.repeat ? wrapRepeatedNodes(row.repeat, sections) : sections
  return row.condition === undefined
    ? all
    : [createLiquidNode(`{% if ${row.condition} %}`), ...all, createLiquidNode('{% endif %}')]
}

/** A design as MJML: the tree that the compiler takes. It must have no faults. */
export function buildDesignMjml({ language, title, preheader, theme, rows }: DesignDocument): MjmlNode {
  const head = [
    ...(title ? [createLeafNode('mj-title', {}, liquidToHtml(title))] : []),
    ...(preheader ? [createLeafNode('mj-preview', {}, liquidToHtml(preheader))] : []),
    ...buildThemeHead(theme),
  ]
  const body = rows.flatMap((row) => rowNodes(row, theme))
  return createParentNode('mjml', language ? { lang: liquidToAttribute(language) } : {}, [
    createParentNode('mj-head', {}, head),
    createParentNode(
      'mj-body',
      { width: `${theme.width}px`, 'background-color': theme.colours.background, 'css-class': 'page' },
      body,
    ),
  ])
}
