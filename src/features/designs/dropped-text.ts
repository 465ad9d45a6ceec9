import type { ProblemFault } from '../../lib/errors/problem.ts'
import { computeTextPosition, MAX_REPORTED_FLAWS } from '../rendering/flaws.ts'
import { readHtmlElements } from '../rendering/html/html-elements.ts'
import { maskTemplateTags, scanTemplateTags, type TemplateTag } from '../rendering/templates/template-tags.ts'

/** An MJML element. An `endingTag` holds HTML; the others hold only elements. */
export interface MjmlComponent {
  getTagName(): string
  endingTag: boolean
}

/** The number of characters of the text that a warning shows. */
const EXCERPT_LENGTH = 60

function tagsOf(mjml: string): TemplateTag[] {
  try {
    return scanTemplateTags(mjml)
  } catch {
    return []
  }
}

/** Warnings, with line and column, for text between MJML elements, such as Liquid around a column: the compiler drops it. */
export function findDroppedText(mjml: string, components: readonly MjmlComponent[]): ProblemFault[] {
  const holdElements = new Map(components.map((component) => [component.getTagName(), !component.endingTag]))
  holdElements.set('mjml', true)
  const warnings: ProblemFault[] = []
  const open: string[] = []
  let isNew = true

  function isDropped(): boolean {
    return holdElements.get(open.at(-1) ?? '') === true && open.every((name) => holdElements.get(name) !== false)
  }

  readHtmlElements(maskTemplateTags(mjml, tagsOf(mjml)), {
    startTag(name, _, __, end) {
      isNew = true
      if (!mjml.startsWith('/>', end - 2)) open.push(name)
    },
    endTag(name) {
      isNew = true
      const at = open.lastIndexOf(name)
      if (at !== -1) open.length = at
    },
    text(text, start) {
      const written = mjml.slice(start, start + text.length)
      if (!isNew || written.trim() === '' || warnings.length === MAX_REPORTED_FLAWS || !isDropped()) return
      isNew = false
      const { line, column } = computeTextPosition(mjml, start + written.length - written.trimStart().length)
      const excerpt = written.trim().slice(0, EXCERPT_LENGTH)
      const detail = `line ${line}, column ${column}: "${excerpt}" is between elements, and left out: put it in mj-raw`
      warnings.push({ pointer: '', detail })
    },
  })
  return warnings
}
