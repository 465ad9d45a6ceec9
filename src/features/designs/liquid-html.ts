import { scanTemplateTags } from '../rendering/templates/template-tags.ts'

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string, characters: RegExp): string =>
  text.replace(characters, (character) => ENTITIES[character] ?? character)

/** Text with Liquid: `liquid` of each tag, `other` of what is between. Throws the engine's TokenizationError. */
function mapParts(text: string, other: (text: string) => string, liquid: (tag: string) => string): string {
  let mapped = ''
  let at = 0
  for (const { start, end } of scanTemplateTags(text)) {
    mapped += other(text.slice(at, start)) + liquid(text.slice(start, end))
    at = end
  }
  return mapped + other(text.slice(at))
}

/** Text as HTML: its Liquid stands as it is, all else is escaped. */
export function liquidToHtml(text: string): string {
  return mapParts(
    text,
    (part) => escaped(part, /[&<>]/g),
    (tag) => tag,
  )
}

/** Text as the value of an attribute in double quotes. Liquid is read before HTML; its quotes become single ones where they can. */
export function liquidToAttribute(text: string): string {
  return mapParts(
    text,
    (part) => escaped(part, /[&<>"]/g),
    (tag) => (tag.includes("'") ? tag : tag.replaceAll('"', "'")),
  )
}

/** Whether a text stands within `{% %}` without ending it. */
export function isLiquidExpression(text: string): boolean {
  return text.trim() !== '' && !/[{%]%|%[%}]|\{\{|\}\}/.test(text)
}
