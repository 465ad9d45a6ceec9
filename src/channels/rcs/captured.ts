import { escapeHtml } from '../../features/rendering/templates/liquid.ts'
import type { CapturedMessageBytes } from '../captured-parts.ts'
import type { RbmAction, RbmCard, RbmContent, RbmFileContent, RbmSuggestion } from './compose/rbm.ts'

function paragraph(text: string | undefined): string {
  return text === undefined ? '' : `<p>${escapeHtml(text)}</p>`
}

/** Where a file is; nothing is loaded from there. */
function fileOf(file: RbmFileContent): string {
  return `<p>File: ${escapeHtml('contentInfo' in file ? file.contentInfo.fileUrl : file.uploadedRbmFile.fileName)}</p>`
}

/** What a tap does, in words. */
function effectOf(action: RbmAction): string {
  if ('openUrlAction' in action) return `opens ${action.openUrlAction.url}`
  if ('dialAction' in action) return `calls ${action.dialAction.phoneNumber}`
  if ('viewLocationAction' in action) return 'shows a place'
  if ('shareLocationAction' in action) return 'asks where the person is'
  return 'createCalendarEventAction' in action ? 'makes an appointment' : 'begins a message'
}

function suggestionOf(suggestion: RbmSuggestion): string {
  if ('reply' in suggestion) return `<li>${escapeHtml(suggestion.reply.text)}</li>`
  const { action } = suggestion
  return `<li>${escapeHtml(action.text)} (${escapeHtml(effectOf(action))})</li>`
}

function suggestionsOf(suggestions: readonly RbmSuggestion[] = []): string {
  return suggestions.length === 0 ? '' : `<ul>${suggestions.map(suggestionOf).join('')}</ul>`
}

function cardOf({ title, description, media, suggestions }: RbmCard): string {
  const heading = title === undefined ? '' : `<h3>${escapeHtml(title)}</h3>`
  const shown = `${media ? fileOf(media) : ''}${heading}${paragraph(description)}${suggestionsOf(suggestions)}`
  return `<section style="border:1px solid;padding:0 1em;margin:1em 0">${shown}</section>`
}

function contentOf(message: RbmContent): string {
  if ('text' in message) return paragraph(message.text)
  if (!('richCard' in message)) return fileOf(message)
  const { richCard } = message
  if ('standaloneCard' in richCard) return cardOf(richCard.standaloneCard.cardContent)
  return richCard.carouselCard.cardContents.map(cardOf).join('')
}

/** A captured message to be read, its cards and suggestions in order, and as it was handed over. */
export function renderCapturedRcs({ bytes }: CapturedMessageBytes): string {
  const message = JSON.parse(bytes.toString()) as RbmContent
  const source = escapeHtml(JSON.stringify(message, null, 2))
  return `${contentOf(message)}${suggestionsOf(message.suggestions)}<h2>Source</h2><pre>${source}</pre>`
}
