import { actionFamilies } from '../../../channels/action-families.ts'
import type { ChannelActionType } from '../../../channels/channel-traits.ts'
import {
  findRcsContentFaults,
  findRcsExpirationFaults,
  findRcsFallbackFaults,
} from '../../../channels/rcs/content/content-faults.ts'
import { Problem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { holdRcsProfile } from '../../rcs-profiles/profiles.ts'
import type { ActionFormat } from '../resource/action-format.ts'
import { buildCampaignRunMonitor, resolvePressureSettings, toSchedulerResponse } from '../resource/action-presenter.ts'
import type { StoredAction, StoredActionContent, StoredActionSettings } from '../resource/action-repository.ts'
import { mergeMembers } from '../resource/merge.ts'
import {
  createActionContent,
  createCommonSettings,
  mergeActionSettings,
  omitZeroMembers,
  parseCommonSettings,
} from '../resource/parse-action-body.ts'
import { pickNewReference, requireDefaultField, requireKnownTopic } from '../resource/references.ts'
import { isCampaignType } from '../resource/states.ts'
import type { RcsActionBody, RcsActionResponse, RcsMessageParts } from './rcs-action-schemas.ts'

/** Reads message and fallback as a write leaves them. Throws 400 with pointers into the body. */
export type ParseRcsParts = (rawParts: unknown) => RcsMessageParts

function normalizeBody(body: RcsActionBody): RcsActionBody {
  const { informations, settings } = body
  return {
    ...body,
    ...(informations && { informations: omitZeroMembers(informations, ['folder', 'category']) }),
    ...(settings && { settings: omitZeroMembers(settings, ['field', 'profile']) }),
  }
}

/** Merges a part into the stored one; a content of another type replaces it whole. */
function mergePart(
  storedPart: object | null | undefined,
  newPart: { type?: string } | null | undefined,
): object | null {
  if (newPart === undefined) return storedPart ?? null
  if (newPart === null || !storedPart) return newPart
  const isSameType = newPart.type === undefined || newPart.type === Reflect.get(storedPart, 'type')
  return isSameType ? mergeMembers(storedPart, newPart) : newPart
}

/** The faults of a refused body; throws what is no refusal of one. */
function extractFaults(error: unknown): ProblemFault[] {
  if (error instanceof Problem && error.status === 400 && error.kind === 'invalid-request') return error.errors ?? []
  throw error
}

function parseContent(
  storedContent: StoredActionContent,
  body: RcsActionBody,
  readParts: ParseRcsParts,
  faults: ProblemFault[],
): StoredActionContent {
  if (body.content === undefined && body.fallback === undefined) return storedContent
  try {
    const { content, fallback } = readParts({
      content: mergePart(storedContent.content, body.content),
      fallback: mergePart(storedContent.fallback, body.fallback),
    })
    if (content !== null) faults.push(...findRcsContentFaults(content))
    return { content, fallback }
  } catch (error) {
    faults.push(...extractFaults(error))
    return storedContent
  }
}

function parseSettings(
  storedSettings: StoredActionSettings,
  { settings }: RcsActionBody,
  { culture, field: byDefault }: { culture: string; field: () => number },
  faults: ProblemFault[],
): StoredActionSettings {
  if (!settings) return storedSettings
  const { field, experiment: _, ...commonSettings } = settings
  const parsedSettings = {
    ...parseCommonSettings(commonSettings, culture, faults),
    ...(field !== undefined && { field: field ?? byDefault() }),
  }
  const merged = mergeActionSettings(storedSettings, parsedSettings, faults)
  faults.push(...findRcsExpirationFaults(merged.expiration ?? null))
  return merged
}

const createReader =
  (readParts: ParseRcsParts): ActionFormat<RcsActionBody, RcsActionResponse>['read'] =>
  (storedAction, body, { sending, fields }, faults) => {
    const account = { culture: sending.culture, field: () => requireDefaultField(storedAction.type, fields) }
    const settings = parseSettings(storedAction.settings, body, account, faults)
    const content = parseContent(storedAction.content, body, readParts, faults)
    if (content.fallback) faults.push(...findRcsFallbackFaults(content.fallback, settings.expiration ?? null))
    return { settings, content }
  }

function presentSettings({ settings }: StoredAction): RcsActionResponse['settings'] {
  const { profile = null, field, purpose, trafficType = null, expiration = null, consent, priority, culture } = settings
  const { environment, templating, experiment } = settings
  return {
    profile,
    field,
    purpose,
    trafficType: trafficType as RcsActionResponse['settings']['trafficType'],
    expiration,
    consent,
    priority,
    culture,
    mp: resolvePressureSettings(settings),
    environment,
    templating,
    ...(experiment && { experiment: experiment as RcsActionResponse['settings']['experiment'] }),
  }
}

/** An RCS action as it is answered. */
export function toRcsActionResponse(row: StoredAction): RcsActionResponse {
  const { id, state, name, description, folder, category, paused, content, scheduler, started_at } = row
  return {
    type: row.type as RcsActionResponse['type'],
    id,
    state,
    name,
    description,
    creationDate: row.created_at.toISOString(),
    updateDate: row.updated_at.toISOString(),
    informations: { folder, category, state, paused },
    settings: presentSettings(row),
    content: content.content ?? null,
    fallback: content.fallback ?? null,
    ...(isCampaignType(row.type) &&
      scheduler && {
        scheduler: toSchedulerResponse({ ...row, scheduler }),
        monitor: buildCampaignRunMonitor(row.figures, started_at),
      }),
  }
}

/** Builds the format of RCS actions. `readParts` parses the parts of a request. */
export function createRcsActionFormat(readParts: ParseRcsParts): ActionFormat<RcsActionBody, RcsActionResponse> {
  return {
    family: actionFamilies.rcs,
    tidied: normalizeBody,
    empty: (type: ChannelActionType, _body, { field, sending }) => {
      const { mp, ...common } = createCommonSettings({ field, culture: sending.culture })
      return {
        settings: { ...common, mp, profile: null, trafficType: null, expiration: null },
        content: createActionContent(type),
      }
    },
    read: createReader(readParts),
    refuseUnknown: async (db, storedAction, body, { account }) => {
      const profile = pickNewReference(body.settings?.profile, storedAction.settings.profile)
      if (profile !== null) await holdRcsProfile(db, account, profile)
      await requireKnownTopic(db, account, storedAction, body)
    },
    show: toRcsActionResponse,
  }
}
