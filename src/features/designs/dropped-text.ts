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
const MAX_EXCERPT_LENGTH = 60

function listTags(mjml: string): TemplateTag[] {
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
  const openElements: string[] = []
  let isNew = true

  function isDropped(): boolean {
    return (
      holdElements.get(openElements.at(-1) ?? '') === true &&
      openElements.every((name) => holdElements.get(name) !== false)
    )
  }

  readHtmlElements(maskTemplateTags(mjml, listTags(mjml)), {
    startTag(name, _, __, end) {
      isNew = true
      if (!mjml.startsWith('/>', end - 2)) openElements.push(name)
    },
    endTag(name) {
      isNew = true
      const elementIndex = openElements.lastIndexOf(name)
      if (elementIndex !== -1) openElements.length = elementIndex
    },
    text(text, start) {
      const sourceText = mjml.slice(start, start + text.length)
      if (!isNew || sourceText.trim() === '' || warnings.length === MAX_REPORTED_FLAWS || !isDropped()) return
      isNew = false
      const { line, column } = computeTextPosition(mjml, start + sourceText.length - sourceText.trimStart().length)
      const excerpt = sourceText.trim().slice(0, MAX_EXCERPT_LENGTH)
      const detail = `line ${line}, column ${column}: "${excerpt}" is between elements and was ignored; put it in mj-raw`
      warnings.push({ pointer: '', detail })
    },
  })
  return warnings
}
