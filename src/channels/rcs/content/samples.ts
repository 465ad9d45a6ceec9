import { compileContent } from '../../../features/rendering/compile.ts'
import type { CompiledContent } from '../../../features/rendering/content.ts'
import { type Rendered, type RenderInput, renderMessage } from '../../../features/rendering/render.ts'
import { sampleInput, stamp } from '../../../features/rendering/samples.ts'
import { contentSourceBy, type VersionSource } from '../../version-source.ts'
import { renderResult } from '../compose/render-result.ts'
import { rcs } from '../facts.ts'
import type { RcsContent, RcsFallback, RcsSuggestion } from './content-schemas.ts'
import type { RcsSource } from './source.ts'

/** Inputs of the unit tests beside this file. */
export const picture = 'https://img.orchard.example/pear.jpg'

export const settings: VersionSource['settings'] = {
  ...{ purpose: 'marketing', contentFormat: 3, field: 9, culture: 'fr-FR', timeZone: 'Europe/Paris' },
  ...{ timeZoneField: null, consent: 0, priority: false, importance: false, environment: {}, archive: false },
  ...{ analyser: {}, honeypot: false, openConsentField: null },
}

export function sampleRcs(content: RcsContent, fallback: RcsFallback | null = null): RcsSource {
  return {
    settings,
    content: { content, fallback },
    rcs: { profile: 3, agent: 'orchard_fr_k2', trafficType: null },
    sms: { format: 3, countries: [], sender: 'ORCHARD', stopMention: 'STOP 36000' },
  }
}

export function compiledRcs({ content }: RcsSource): CompiledContent {
  const fields = [{ id: 42, name: 'Firstname' }]
  return compileContent(contentSourceBy(rcs, { settings, content, fields, forms: [] }))
}

export function renderedRcs(
  source: RcsSource,
  data: Record<string, unknown> = {},
  input: Partial<RenderInput> = {},
): Rendered {
  return renderMessage(compiledRcs(source), sampleInput({ data }, input))
}

/** What callers see of a content rendered for a preview: links are their targets. */
export function resultOf(content: RcsContent, data: Record<string, unknown> = {}, fallback: RcsFallback | null = null) {
  const source = sampleRcs(content, fallback)
  return renderResult(
    source,
    { recipient: '+33639980012', stamp },
    renderedRcs(source, data, { mode: 'preview', display: 0 }),
  )
}

/** The message of a content that must render. */
export function messageOf(content: RcsContent, data: Record<string, unknown> = {}) {
  const result = resultOf(content, data)
  if (result.type === 'error') throw new Error(JSON.stringify(result.value))
  return result.message
}

/** The only suggestion of a text, as it is composed. */
export function composedSuggestion(suggestion: RcsSuggestion, data: Record<string, unknown> = {}) {
  return messageOf({ type: 'text', text: 'x', suggestions: [suggestion] }, data).suggestions?.[0]
}
