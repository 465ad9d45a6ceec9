import { scanTemplateTags } from '../rendering/templates/template-tags.ts'

const HTML_ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeCharacters = (text: string, characters: RegExp): string =>
  text.replace(characters, (character) => HTML_ENTITIES[character] ?? character)

/** Text with Liquid: `liquid` of each tag, `mapText` of what is between. Throws the engine's TokenizationError. */
function mapLiquidParts(text: string, mapText: (text: string) => string, liquid: (tag: string) => string): string {
  let mappedText = ''
  let position = 0
  for (const { start, end } of scanTemplateTags(text)) {
    mappedText += mapText(text.slice(position, start)) + liquid(text.slice(start, end))
    position = end
  }
  return mappedText + mapText(text.slice(position))
}

/** Text as HTML: its Liquid stands as it is, all else is escaped. */
export function liquidToHtml(text: string): string {
  return mapLiquidParts(
    text,
    (part) => escapeCharacters(part, /[&<>]/g),
    (tag) => tag,
  )
}

/** Text as the value of an attribute in double quotes. Liquid is read before HTML; its quotes become single ones where they can. */
export function liquidToAttribute(text: string): string {
  return mapLiquidParts(
    text,
    (part) => escapeCharacters(part, /[&<>"]/g),
    (tag) => (tag.includes("'") ? tag : tag.replaceAll('"', "'")),
  )
}

/** True if the text is valid inside `{% %}` and does not close it. */
export function isLiquidExpression(text: string): boolean {
  return text.trim() !== '' && !/[{%]%|%[%}]|\{\{|\}\}/.test(text)
}
