import type { ProblemFault } from '../../../lib/errors/problem.ts'
import { parseInstant } from '../../../lib/time/period.ts'
import { findRcsTextFault } from './content-rules.ts'
import type {
  RcsCard,
  RcsExpiration,
  RcsFallback,
  RcsFileContent,
  RcsMessageContent,
  RcsSuggestion,
} from './content-schemas.ts'
import { hasLiquidSyntax, listRcsContentTexts } from './leaves.ts'
import {
  MAX_RCS_EXPIRATION_MS,
  MIN_RCS_EXPIRATION_MS,
  MIN_RCS_FALLBACK_DELAY_MS,
  rcsExpirationToMs,
  rcsPeriodToMs,
} from './periods.ts'

/** Adds a fault at a path below the object that is looked at. */
type FaultReporter = (path: string, detail: string) => void

function checkFile(
  { url, thumbnailUrl, forceRefresh, fileName, thumbnailName }: RcsFileContent,
  report: FaultReporter,
): void {
  if ((url === undefined) === (fileName === undefined)) report('', 'requires either url or fileName')
  const [invalidMember] =
    url === undefined
      ? Object.entries({ thumbnailUrl, forceRefresh }).filter(([, value]) => value !== undefined)
      : Object.entries({ thumbnailName }).filter(([, value]) => value !== undefined)
  if (invalidMember) report(`/${invalidMember[0]}`, `is only allowed with ${url === undefined ? 'url' : 'fileName'}`)
}

function checkSuggestion(suggestion: RcsSuggestion, report: FaultReporter): void {
  if (suggestion.type === 'viewLocation') {
    const { latitude, longitude, query } = suggestion
    if (query !== undefined) {
      if (latitude !== undefined || longitude !== undefined)
        report('/query', 'cannot be combined with latitude and longitude')
    } else {
      if (latitude === undefined) report('/latitude', 'is required if there is no query')
      if (longitude === undefined) report('/longitude', 'is required if there is no query')
    }
  } else if (suggestion.type === 'compose') {
    if ((suggestion.message === undefined) === (suggestion.recording === undefined))
      report('', 'requires either message or recording')
  } else if (suggestion.type === 'createCalendarEvent') {
    const [startMs, endMs] = [parseInstant(suggestion.startTime), parseInstant(suggestion.endTime)]
    if (startMs !== undefined && endMs !== undefined && endMs < startMs)
      report('/endTime', 'must not be before startTime')
  }
}

function checkSuggestions(list: readonly RcsSuggestion[] | undefined, path: string, report: FaultReporter): void {
  for (const [index, suggestion] of (list ?? []).entries())
    checkSuggestion(suggestion, (at, detail) => report(`${path}/suggestions/${index}${at}`, detail))
}

function checkCard(card: RcsCard, path: string, report: FaultReporter): void {
  const { title = '', description = '', media, suggestions } = card
  if (title.trim() === '' && description.trim() === '' && !media)
    report(path, 'requires a title, a description or media')
  if (media) checkFile(media.file, (at, detail) => report(`${path}/media/file${at}`, detail))
  checkSuggestions(suggestions, path, report)
}

function checkBody(content: RcsMessageContent, report: FaultReporter): void {
  switch (content.type) {
    case 'text':
      break
    case 'file':
      checkFile(content.file, (at, detail) => report(`/file${at}`, detail))
      break
    case 'card':
      if (content.orientation === 'HORIZONTAL' && content.alignment === undefined)
        report('/alignment', 'is required with the orientation HORIZONTAL')
      checkCard(content.card, '/card', report)
      break
    case 'carousel':
      for (const [index, card] of content.cards.entries()) {
        checkCard(card, `/cards/${index}`, report)
        if (content.width === 'SMALL' && card.media?.height === 'TALL')
          report(`/cards/${index}/media/height`, 'must be SHORT or MEDIUM in a carousel with the width SMALL')
      }
  }
}

/** Finds faults of a content that the schema cannot detect, without a contact: rules between members, and strings without Liquid. */
export function findRcsContentFaults(content: RcsMessageContent, pointer = '/content'): ProblemFault[] {
  const faults: ProblemFault[] = []
  const report: FaultReporter = (path, detail) => faults.push({ pointer: `${pointer}${path}`, detail })
  for (const { path, template, rule } of listRcsContentTexts(content)) {
    const detail = hasLiquidSyntax(template) ? undefined : findRcsTextFault(template, rule)
    if (detail !== undefined) report(`/${path}`, detail)
  }
  checkBody(content, report)
  checkSuggestions(content.suggestions, '', report)
  return faults
}

/** Finds faults of an expiration. */
export function findRcsExpirationFaults(
  expiration: RcsExpiration | null,
  pointer = '/settings/expiration',
): ProblemFault[] {
  const expirationMs = rcsExpirationToMs(expiration)
  const isInRange = expirationMs >= MIN_RCS_EXPIRATION_MS && expirationMs <= MAX_RCS_EXPIRATION_MS
  return isInRange ? [] : [{ pointer: `${pointer}/value`, detail: 'must be from 10 seconds to 15 days' }]
}

/** Finds faults of a fallback in combination with an expiration. */
export function findRcsFallbackFaults(
  { text, after }: RcsFallback,
  expiration: RcsExpiration | null,
  pointer = '/fallback',
): ProblemFault[] {
  const faults: ProblemFault[] = []
  if (text.trim() === '') faults.push({ pointer: `${pointer}/text`, detail: 'must not be empty' })
  if (after == null) return faults
  const fallbackDelayMs = rcsPeriodToMs(after)
  if (fallbackDelayMs < MIN_RCS_FALLBACK_DELAY_MS || fallbackDelayMs > rcsExpirationToMs(expiration))
    faults.push({ pointer: `${pointer}/after`, detail: 'must be from 1 minute to the expiration' })
  return faults
}
