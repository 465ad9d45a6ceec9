import { Ajv } from 'ajv'
import { appendJsonPointer, type ProblemFault } from '../../lib/errors/problem.ts'
import { toSchemaFaults } from '../../lib/errors/schema-faults.ts'
import { formatCount } from '../../lib/text/nouns.ts'
import {
  type BlockRepeat,
  DESIGN_BLOCK_LIMIT,
  type DesignContentBlock,
  DesignDocument,
  type DesignRow,
} from './design-schemas.ts'
import { isLiquidExpression, liquidToHtml } from './liquid-html.ts'

/** Texts of a value, with a pointer to each, from `base` on. */
function* iterateTexts(value: unknown, base: string): Generator<[pointer: string, text: string]> {
  if (typeof value === 'string') yield [base, value]
  else if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* iterateTexts(item, appendJsonPointer(base, index))
  else if (value !== null && typeof value === 'object')
    for (const [name, member] of Object.entries(value)) yield* iterateTexts(member, appendJsonPointer(base, name))
}

/** Why the engine cannot read the Liquid of a text; undefined when it can. */
function findLiquidError(text: string): string | undefined {
  try {
    liquidToHtml(text)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
  }
}

function* iterateColumnFaults(
  { columns, blocks }: { columns: number[]; blocks: unknown[] },
  base: string,
): Generator<ProblemFault> {
  const total = columns.reduce((sum, width) => sum + width, 0)
  // Thirds come as 33, 33 and 33.
  if (total < 99 || total > 100) yield { pointer: `${base}/columns`, detail: `must add up to 100, not ${total}` }
  if (blocks.length !== columns.length)
    yield {
      pointer: `${base}/blocks`,
      detail: `must have one list for each column: ${formatCount(columns.length, 'list')}`,
    }
}

function* iterateRepeatFaults(repeat: BlockRepeat | undefined, base: string): Generator<ProblemFault> {
  if (repeat && !isLiquidExpression(repeat.over))
    yield { pointer: `${base}/repeat/over`, detail: 'must be a path such as data.products, without braces' }
}

function* iterateBlockFaults(block: DesignContentBlock, base: string, isAlone: boolean): Generator<ProblemFault> {
  if (block.type === 'product') yield* iterateRepeatFaults(block.repeat, base)
  if (block.type !== 'columns') return
  if (!isAlone) yield { pointer: `${base}/type`, detail: 'columns are allowed only in rows with one column' }
  yield* iterateColumnFaults(block, base)
}

function* iterateRowFaults(row: DesignRow, base: string): Generator<ProblemFault> {
  yield* iterateColumnFaults(row, base)
  yield* iterateRepeatFaults(row.repeat, base)
  if (row.condition !== undefined && !isLiquidExpression(row.condition))
    yield { pointer: `${base}/condition`, detail: 'must be the condition between {% if and %}' }
  for (const [column, blocks] of row.blocks.entries())
    for (const [index, block] of blocks.entries())
      yield* iterateBlockFaults(block, `${base}/blocks/${column}/${index}`, row.columns.length === 1)
}

function countBlocks({ rows }: DesignDocument): number {
  const allBlocks = rows.flatMap(({ blocks }) => blocks.flat())
  return allBlocks.length + allBlocks.flatMap((block) => (block.type === 'columns' ? block.blocks.flat() : [])).length
}

/** Made when the thread loads: it takes half a second. */
const isDesignShape = new Ajv({
  allErrors: true,
  discriminator: true,
  allowUnionTypes: true,
  strict: false,
}).compile<DesignDocument>(DesignDocument)

/** Faults of a value that is not a design, with pointers below `base`. */
function findShapeFaults(value: unknown, base: string): ProblemFault[] {
  if (isDesignShape(value)) return []
  return toSchemaFaults(isDesignShape.errors ?? []).map(({ pointer, detail }) => ({ pointer: base + pointer, detail }))
}

/** Faults that prevent a value from being compiled as a design, with pointers below `base`. */
export function findDesignFaults(design: DesignDocument, base: string): ProblemFault[] {
  const misshapen = findShapeFaults(design, base)
  if (misshapen.length > 0) return misshapen
  const blockCount = countBlocks(design)
  if (blockCount > DESIGN_BLOCK_LIMIT)
    return [{ pointer: `${base}/rows`, detail: `has ${blockCount} blocks; at most ${DESIGN_BLOCK_LIMIT} are allowed` }]
  const faults = design.rows.flatMap((row, index) => [...iterateRowFaults(row, `${base}/rows/${index}`)])
  for (const [pointer, text] of iterateTexts(design, base)) {
    const liquidError = text.includes('{') ? findLiquidError(text) : undefined
    if (liquidError !== undefined) faults.push({ pointer, detail: `has invalid Liquid: ${liquidError}` })
  }
  return faults
}
