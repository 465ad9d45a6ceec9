import { compileContent } from '../../../features/rendering/compile.ts'
import type { CompiledContent } from '../../../features/rendering/content.ts'
import { type RenderInput, type RenderOutcome, renderMessage } from '../../../features/rendering/render.ts'
import { sampleInput, sampleStamp } from '../../../features/rendering/samples.ts'
import { type ContentVersionSource, toChannelContentSource } from '../../version-source.ts'
import { buildRcsRenderResult } from '../compose/render-result.ts'
import { rcsChannelTraits } from '../traits.ts'
import type { RcsFallback, RcsMessageContent, RcsSuggestion } from './content-schemas.ts'
import type { RcsSource } from './source.ts'

/** Inputs of the unit tests in this folder. */
export const sampleRcsPictureUrl = 'https://img.orchard.example/pear.jpg'

export const sampleRcsSettings: ContentVersionSource['settings'] = {
  purpose: 'marketing',
  contentFormat: 3,
  field: 9,
  culture: 'fr-FR',
  timeZone: 'Europe/Paris',
  timeZoneField: null,
  consent: 0,
  priority: false,
  importance: false,
  environment: {},
  archive: false,
  analyser: {},
  honeypot: false,
  openConsentField: null,
}

export function buildSampleRcsSource(content: RcsMessageContent, fallback: RcsFallback | null = null): RcsSource {
  return {
    settings: sampleRcsSettings,
    content: { content, fallback },
    rcs: { profile: 3, agent: 'orchard_fr_k2', trafficType: null },
    sms: { format: 3, countries: [], sender: 'ORCHARD', stopMention: 'STOP 36000' },
  }
}

export function compileSampleRcs({ content }: RcsSource): CompiledContent {
  const fields = [{ id: 42, name: 'Firstname' }]
  return compileContent(
    toChannelContentSource(rcsChannelTraits, { settings: sampleRcsSettings, content, fields, forms: [] }),
  )
}

export function renderSampleRcs(
  source: RcsSource,
  data: Record<string, unknown> = {},
  input: Partial<RenderInput> = {},
): RenderOutcome {
  return renderMessage(compileSampleRcs(source), sampleInput({ data }, input))
}

/** Renders a sample content as an API preview: links are their targets. */
export function previewSampleRcs(
  content: RcsMessageContent,
  data: Record<string, unknown> = {},
  fallback: RcsFallback | null = null,
) {
  const source = buildSampleRcsSource(content, fallback)
  return buildRcsRenderResult(
    source,
    { recipient: '+33639980012', stamp: sampleStamp },
    renderSampleRcs(source, data, { mode: 'preview', display: 0 }),
  )
}

/** The message of a content that must render. */
export function composeSampleRcs(content: RcsMessageContent, data: Record<string, unknown> = {}) {
  const result = previewSampleRcs(content, data)
  if (result.type === 'error') throw new Error(JSON.stringify(result.value))
  return result.message
}

/** The only suggestion of a text, as it is composed. */
export function composeSampleSuggestion(suggestion: RcsSuggestion, data: Record<string, unknown> = {}) {
  return composeSampleRcs({ type: 'text', text: 'x', suggestions: [suggestion] }, data).suggestions?.[0]
}
