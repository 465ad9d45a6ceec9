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

function buildColumn(blocks: readonly PlainDesignBlock[], width: number, theme: DesignTheme): MjmlNode {
  return createParentNode(
    'mj-column',
    { width: `${width}%`, 'vertical-align': 'top' },
    blocks.flatMap((block) => buildBlockNodes(block, theme)),
  )
}

/** Pixels between the edge of a row and what stands in it. */
const EDGE_PX = 14

/** Blocks or columns rendered next to each other. */
type SectionPart = Pick<DesignColumnsBlock, 'columns' | 'blocks'> & { isFirst?: boolean; isLast?: boolean }

function buildSection({ columns, blocks, isFirst, isLast }: SectionPart, row: DesignRow, theme: DesignTheme): MjmlNode {
  const { background = 'surface' } = row
  const sectionAttributes = {
    'background-color': background === 'none' ? undefined : theme.colours[background],
    'css-class': `on-${background}`,
    padding: `${isFirst ? EDGE_PX : 0}px 0 ${isLast ? EDGE_PX : 0}px`,
  }
  return createParentNode(
    'mj-section',
    sectionAttributes,
    columns.map((width, index) => buildColumn(blocks[index] ?? [], width, adaptThemeToBackground(background, theme))),
  )
}

const isColumnsBlock = (block: DesignContentBlock): block is DesignColumnsBlock => block.type === 'columns'

/** Splits a row of one column into sections: runs of plain blocks, and blocks of columns. */
function splitRow(row: DesignRow): SectionPart[] {
  const [singleColumn = []] = row.blocks
  if (row.columns.length > 1) return [{ columns: row.columns, blocks: row.blocks as PlainDesignBlock[][] }]
  const sectionParts: SectionPart[] = []
  let plainRun: PlainDesignBlock[] | undefined
  for (const block of singleColumn) {
    if (isColumnsBlock(block)) {
      sectionParts.push(block)
      plainRun = undefined
    } else if (plainRun) plainRun.push(block)
    else {
      plainRun = [block]
      sectionParts.push({ columns: [100], blocks: [plainRun] })
    }
  }
  return sectionParts
}

function buildRowNodes(row: DesignRow, theme: DesignTheme): MjmlNode[] {
  const sections = splitRow(row).map((part, index, allParts) =>
    buildSection({ ...part, isFirst: index === 0, isLast: index === allParts.length - 1 }, row, theme),
  )
  const all = row.repeat ? wrapRepeatedNodes(row.repeat, sections) : sections
  return row.condition === undefined
    ? all
    : [createLiquidNode(`{% if ${row.condition} %}`), ...all, createLiquidNode('{% endif %}')]
}

/** A design as MJML: the tree that the compiler takes. It must have no faults. */
export function buildDesignMjml({ language, title, preheader, theme, rows }: DesignDocument): MjmlNode {
  const headNodes = [
    ...(title ? [createLeafNode('mj-title', {}, liquidToHtml(title))] : []),
    ...(preheader ? [createLeafNode('mj-preview', {}, liquidToHtml(preheader))] : []),
    ...buildThemeHead(theme),
  ]
  const body = rows.flatMap((row) => buildRowNodes(row, theme))
  return createParentNode('mjml', language ? { lang: liquidToAttribute(language) } : {}, [
    createParentNode('mj-head', {}, headNodes),
    createParentNode(
      'mj-body',
      { width: `${theme.width}px`, 'background-color': theme.colours.background, 'css-class': 'page' },
      body,
    ),
  ])
}
