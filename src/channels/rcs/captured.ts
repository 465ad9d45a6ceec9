import { escapeHtml } from '../../features/rendering/templates/liquid.ts'
import type { CapturedMessageBytes } from '../captured-parts.ts'
import type { RbmAction, RbmCard, RbmContent, RbmFileContent, RbmSuggestion } from './compose/rbm.ts'

function renderParagraph(text: string | undefined): string {
  return text === undefined ? '' : `<p>${escapeHtml(text)}</p>`
}

/** Renders the location of a file; nothing is loaded from there. */
function renderFile(file: RbmFileContent): string {
  return `<p>File: ${escapeHtml('contentInfo' in file ? file.contentInfo.fileUrl : file.uploadedRbmFile.fileName)}</p>`
}

/** Describes the effect of a tap. */
function describeAction(action: RbmAction): string {
  if ('openUrlAction' in action) return `opens ${action.openUrlAction.url}`
  if ('dialAction' in action) return `calls ${action.dialAction.phoneNumber}`
  if ('viewLocationAction' in action) return 'shows a location'
  if ('shareLocationAction' in action) return 'requests the location'
  return 'createCalendarEventAction' in action ? 'creates a calendar event' : 'composes a message'
}

function renderSuggestion(suggestion: RbmSuggestion): string {
  if ('reply' in suggestion) return `<li>${escapeHtml(suggestion.reply.text)}</li>`
  const { action } = suggestion
  return `<li>${escapeHtml(action.text)} (${escapeHtml(describeAction(action))})</li>`
}

function renderSuggestions(suggestions: readonly RbmSuggestion[] = []): string {
  return suggestions.length === 0 ? '' : `<ul>${suggestions.map(renderSuggestion).join('')}</ul>`
}

function renderCard({ title, description, media, suggestions }: RbmCard): string {
  const heading = title === undefined ? '' : `<h3>${escapeHtml(title)}</h3>`
  const cardHtml = `${media ? renderFile(media) : ''}${heading}${renderParagraph(description)}${renderSuggestions(suggestions)}`
  return `<section style="border:1px solid;padding:0 1em;margin:1em 0">${cardHtml}</section>`
}

function renderContent(message: RbmContent): string {
  if ('text' in message) return renderParagraph(message.text)
  if (!('richCard' in message)) return renderFile(message)
  const { richCard } = message
  if ('standaloneCard' in richCard) return renderCard(richCard.standaloneCard.cardContent)
  return richCard.carouselCard.cardContents.map(renderCard).join('')
}

/** A captured message to be read, its cards and suggestions in order, and as it was handed over. */
export function renderCapturedRcs({ bytes }: CapturedMessageBytes): string {
  const message = JSON.parse(bytes.toString()) as RbmContent
  const sourceHtml = escapeHtml(JSON.stringify(message, null, 2))
  return `${renderContent(message)}${renderSuggestions(message.suggestions)}<h2>Source</h2><pre>${sourceHtml}</pre>`
}
