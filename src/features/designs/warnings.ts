import type { ProblemFault } from '../../lib/errors/problem.ts'
import type { DesignContentBlock, DesignDocument, PlainDesignBlock, ThemeColours } from './design-schemas.ts'

/** Gmail cuts messages above this. */
const SIZE_LIMIT = 102 * 1024
/** WCAG 2.2, 1.4.3. */
const MIN_CONTRAST = 4.5

/** Relative luminance of a colour such as #1d5f5a (WCAG 2.2). */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2). */
export function computeContrastRatio(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

const PAIRS = [
  ['text', 'surface'],
  ['text', 'tinted'],
  ['muted', 'surface'],
  ['onAccent', 'accent'],
] as const satisfies [keyof ThemeColours, keyof ThemeColours][]

function* colourWarnings(colours: ThemeColours, base: string): Generator<ProblemFault> {
  for (const [front, back] of PAIRS) {
    const found = computeContrastRatio(colours[front], colours[back])
    if (found < MIN_CONTRAST)
      yield {
        pointer: `${base}/${front}`,
        detail: `has a contrast of ${found.toFixed(1)} on ${back}; under ${MIN_CONTRAST} many cannot read it`,
      }
  }
}

function* blockWarnings(block: PlainDesignBlock, base: string): Generator<ProblemFault> {
  if (block.type === 'image') {
    if (block.src.trim() === '') yield { pointer: `${base}/src`, detail: 'the image has no address' }
    if (block.alt.trim() === '' && !block.isDecoration)
      yield { pointer: `${base}/alt`, detail: 'say what the image shows, for those who do not see it' }
  }
  if (block.type === 'button' && block.href.trim() === '')
    yield { pointer: `${base}/href`, detail: 'the button leads nowhere' }
  if (block.type === 'footer' && block.unsubscribe.trim() === '')
    yield { pointer: `${base}/unsubscribe`, detail: 'marketing messages need a link to unsubscribe' }
  if (block.type === 'footer' && block.address.trim() === '')
    yield { pointer: `${base}/address`, detail: 'marketing messages need the postal address of the sender' }
}

/** Every block with a pointer to it, those of nested columns too. */
function* blocksOf({ rows }: DesignDocument): Generator<[block: PlainDesignBlock, pointer: string]> {
  function* inside(
    columns: readonly (readonly DesignContentBlock[])[],
    base: string,
  ): Generator<[PlainDesignBlock, string]> {
    for (const [column, blocks] of columns.entries())
      for (const [index, block] of blocks.entries()) {
        const pointer = `${base}/blocks/${column}/${index}`
        if (block.type === 'columns') yield* inside(block.blocks, pointer)
        else yield [block, pointer]
      }
  }
  for (const [index, row] of rows.entries()) yield* inside(row.blocks, `/rows/${index}`)
}

/** What could be better about a design: pointers into it. */
export function findDesignWarnings(design: DesignDocument): ProblemFault[] {
  const { colours, dark } = design.theme
  const blocks = [...blocksOf(design)]
  const warnings = [
    ...colourWarnings(colours, '/theme/colours'),
    ...(dark ? colourWarnings(dark, '/theme/dark') : []),
    ...blocks.flatMap(([block, pointer]) => [...blockWarnings(block, pointer)]),
  ]
  if (!blocks.some(([{ type }]) => type === 'footer' || type === 'html'))
    warnings.push({
      pointer: '/rows',
      detail: 'there is no footer: marketing messages need a link to unsubscribe and an address',
    })
  return warnings
}

/** What could be better about the HTML of a message. */
export function findHtmlWarnings(html: string): ProblemFault[] {
  const size = Buffer.byteLength(html)
  if (size <= SIZE_LIMIT) return []
  return [{ pointer: '', detail: `has ${Math.ceil(size / 1024)} KB of HTML; Gmail cuts messages above 102 KB` }]
}
