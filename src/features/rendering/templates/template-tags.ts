import { Tokenizer, TypeGuards } from 'liquidjs'

/** One `{{ }}` or `{% %}` of a template, or a whole `{% raw %}` or `{% comment %}` block, by its place in the text. */
export interface TemplateTag {
  start: number
  end: number
  /** `output` prints a value, `tag` does anything else, `openBlock` is a raw or comment block from end to end. */
  type: 'output' | 'tag' | 'block'
  /** The word of a tag or block. */
  name: string
}

/** Stand in for template tags in what the HTML tokeniser reads. Private use characters: they are nothing in HTML. */
export const LIQUID_OUTPUT_MASK = '\uE000'
export const LIQUID_TAG_MASK = '\uE001'

/** Every run of mask characters. */
export const LIQUID_MASKS_PATTERN = new RegExp(`[${LIQUID_OUTPUT_MASK}${LIQUID_TAG_MASK}]+`, 'g')

/** Blocks whose inside is not template text. */
const CLOSED_BLOCK_ENDS: Record<string, string> = { raw: 'endraw', comment: 'endcomment' }

/** The template tags of a text, in order, as the engine itself reads them. Throws its TokenizationError. */
export function scanTemplateTags(text: string): TemplateTag[] {
  const scannedTags: TemplateTag[] = []
  let openBlock: TemplateTag | undefined
  for (const token of new Tokenizer(text).readTopLevelTokens()) {
    const name = TypeGuards.isTagToken(token) ? token.name : ''
    if (openBlock !== undefined) {
      if (name === CLOSED_BLOCK_ENDS[openBlock.name]) {
        openBlock.end = token.end
        openBlock = undefined
      }
    } else if (name !== '') {
      const isBlock = name in CLOSED_BLOCK_ENDS
      const tag: TemplateTag = { start: token.begin, end: token.end, type: isBlock ? 'block' : 'tag', name }
      if (isBlock) openBlock = tag
      scannedTags.push(tag)
    } else if (TypeGuards.isOutputToken(token)) {
      scannedTags.push({ start: token.begin, end: token.end, type: 'output', name: '' })
    }
  }
  return scannedTags
}

/** The text with every template tag replaced by as many mask characters, so that all places stay what they are. */
export function maskTemplateTags(text: string, tags: readonly TemplateTag[]): string {
  let maskedText = ''
  let position = 0
  for (const { start, end, type } of tags) {
    maskedText +=
      text.slice(position, start) + (type === 'tag' ? LIQUID_TAG_MASK : LIQUID_OUTPUT_MASK).repeat(end - start)
    position = end
  }
  return maskedText + text.slice(position)
}
