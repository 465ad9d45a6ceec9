import type { ProblemFault } from '../../lib/errors/problem.ts'
import type { DesignContentBlock, DesignDocument, PlainDesignBlock, ThemeColours } from './design-schemas.ts'

/** Gmail cuts messages above this. */
const CLIPPING_LIMIT_BYTES = 102 * 1024
/** WCAG 2.2, 1.4.3. */
const MIN_CONTRAST_RATIO = 4.5

/** Relative luminance of a colour such as #1d5f5a (WCAG 2.2). */
function computeLuminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The contrast of two colours, 1 to 21 (WCAG 2.2). */
export function computeContrastRatio(firstColour: string, secondColour: string): number {
  const [lighter = 0, darker = 0] = [computeLuminance(firstColour), computeLuminance(secondColour)].sort(
    (a, b) => b - a,
  )
  return (lighter + 0.05) / (darker + 0.05)
}

const CONTRAST_PAIRS = [
  ['text', 'surface'],
  ['text', 'tinted'],
  ['muted', 'surface'],
  ['onAccent', 'accent'],
] as const satisfies [keyof ThemeColours, keyof ThemeColours][]

function* iterateColourWarnings(colours: ThemeColours, base: string): Generator<ProblemFault> {
  for (const [foreground, backgroundName] of CONTRAST_PAIRS) {
    const contrastRatio = computeContrastRatio(colours[foreground], colours[backgroundName])
    if (contrastRatio < MIN_CONTRAST_RATIO)
      yield {
        pointer: `${base}/${foreground}`,
        detail: `has a contrast of ${contrastRatio.toFixed(1)} on ${backgroundName}; text below ${MIN_CONTRAST_RATIO} is hard to read`,
      }
  }
}

function* iterateBlockWarnings(block: PlainDesignBlock, base: string): Generator<ProblemFault> {
  if (block.type === 'image') {
    if (block.src.trim() === '') yield { pointer: `${base}/src`, detail: 'the image has no address' }
    if (block.alt.trim() === '' && !block.isDecoration)
      yield { pointer: `${base}/alt`, detail: 'describe the image for people who cannot see it' }
  }
  if (block.type === 'button' && block.href.trim() === '')
    yield { pointer: `${base}/href`, detail: 'the button has no link' }
  if (block.type === 'footer' && block.unsubscribe.trim() === '')
    yield { pointer: `${base}/unsubscribe`, detail: 'marketing messages need a link to unsubscribe' }
  if (block.type === 'footer' && block.address.trim() === '')
    yield { pointer: `${base}/address`, detail: 'marketing messages need the postal address of the sender' }
}

/** Every block with a pointer to it, those of nested columns too. */
function* iterateBlocks({ rows }: DesignDocument): Generator<[block: PlainDesignBlock, pointer: string]> {
  function* iterateColumns(
    columns: readonly (readonly DesignContentBlock[])[],
    base: string,
  ): Generator<[PlainDesignBlock, string]> {
    for (const [column, blocks] of columns.entries())
      for (const [index, block] of blocks.entries()) {
        const pointer = `${base}/blocks/${column}/${index}`
        if (block.type === 'columns') yield* iterateColumns(block.blocks, pointer)
        else yield [block, pointer]
      }
  }
  for (const [index, row] of rows.entries()) yield* iterateColumns(row.blocks, `/rows/${index}`)
}

/** Possible improvements of a design, with pointers into it. */
export function findDesignWarnings(design: DesignDocument): ProblemFault[] {
  const { colours, dark } = design.theme
  const blocks = [...iterateBlocks(design)]
  const warnings = [
    ...iterateColourWarnings(colours, '/theme/colours'),
    ...(dark ? iterateColourWarnings(dark, '/theme/dark') : []),
    ...blocks.flatMap(([block, pointer]) => [...iterateBlockWarnings(block, pointer)]),
  ]
  if (!blocks.some(([{ type }]) => type === 'footer' || type === 'html'))
    warnings.push({
      pointer: '/rows',
      detail: 'there is no footer: marketing messages need a link to unsubscribe and an address',
    })
  return warnings
}

/** Possible improvements of the HTML of a message. */
export function findHtmlWarnings(html: string): ProblemFault[] {
  const htmlSize = Buffer.byteLength(html)
  if (htmlSize <= CLIPPING_LIMIT_BYTES) return []
  return [{ pointer: '', detail: `has ${Math.ceil(htmlSize / 1024)} KB of HTML; Gmail cuts messages above 102 KB` }]
}
