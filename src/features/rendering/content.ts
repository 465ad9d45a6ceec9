import type { Template } from 'liquidjs'
import type { TemplatePart } from '../../channels/authored.ts'
import type { ContentErrorType, ContentFindingType, ContentFlaw, ContentPartName } from './flaws.ts'
import type { TextEdit } from './html/edits.ts'
import type { LinkDefinition, MarkerReplacement } from './html/mark-address.ts'
import type { TemplateMarkers } from './html/markers.ts'
import type { ScopeField, ScopeNeeds } from './scope.ts'
import type { LiquidEngine } from './templates/liquid.ts'

/** The templates of a content, with what of its account decides how they are read. Plain JSON. */
export interface ContentSource {
  /** In the order in which their links are numbered, and in which they are rendered. */
  parts: readonly TemplatePart[]
  /** BCP 47. */
  culture: string
  /** settings.environment. */
  environment: Record<string, unknown>
  /** Every field of the account. */
  fields: readonly ScopeField[]
  /** Wire ids of the account's forms. */
  forms: readonly string[]
  /** Hide a link at the top of the HTML that only robots follow. */
  honeypot: boolean
  /** Look for what is no error but unwise, too (campaignAnalyser). */
  analyse: boolean
  /** True if the analysis checks for an unsubscribe link. */
  wantsUnsubscribeLink: boolean
}

/** The markers of a part, and what goes where they stand. */
export interface PartMarkers {
  places: readonly MarkerReplacement[]
  markers: TemplateMarkers
}

/** One part of a content, parsed. */
export interface CompiledPart {
  part: ContentPartName
  /** Template part that it was compiled from. */
  given: TemplatePart
  /** The text as it was written (or derived), and the edits that made the one that was parsed. */
  text: string
  edits: readonly TextEdit[]
  nodes: Template[]
  engine: LiquidEngine
  /** The same part with an engine that does not escape; parsed when a preview asks for it. */
  unescaped: () => { nodes: Template[]; engine: LiquidEngine }
  /** The links of `tracked` filters by the place of the filter in the parsed text. */
  tracked: ReadonlyMap<number, LinkDefinition>
  /** Replacements of the markers. */
  marks: PartMarkers
  /** The link of a part that is one address. */
  link: LinkDefinition | undefined
}

/** Report on a content, independent of any contact. */
export interface ContentReport {
  /** The version's link table. */
  links: readonly LinkDefinition[]
  errors: readonly ContentFlaw<ContentErrorType>[]
  findings: readonly ContentFlaw<ContentFindingType>[]
  /** The values of contacts that the content uses. */
  needs: ScopeNeeds
}

/** A content parsed once, for any number of messages. */
export interface CompiledContent extends ContentReport {
  source: ContentSource
  /** Those of the errors that left a part out: nothing can be rendered. */
  broken: readonly ContentFlaw<ContentErrorType>[]
  /** In the order in which they are rendered. */
  parts: readonly CompiledPart[]
}
