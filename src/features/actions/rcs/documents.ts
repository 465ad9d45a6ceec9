import type { ActionType } from '../../../channels/facts.ts'
import { families } from '../../../channels/families.ts'
import { contentFaults, expirationFaults, fallbackFaults } from '../../../channels/rcs/content/content-faults.ts'
import { type Fault, Problem } from '../../../lib/errors/problem.ts'
import { keepProfile } from '../../rcs-profiles/profiles.ts'
import type { Documents } from '../resource/action-format.ts'
import { monitorOf, pressureOf, showScheduler } from '../resource/action-presenter.ts'
import type { StoredAction, StoredContent, StoredSettings } from '../resource/action-repository.ts'
import { merge } from '../resource/merge.ts'
import {
  mergeSettings,
  newCommonSettings,
  newContent,
  readCommonSettings,
  withoutZeros,
} from '../resource/parse-action-body.ts'
import { defaultField, fresh, refuseUnknownTopic } from '../resource/references.ts'
import { isCampaign } from '../resource/states.ts'
import type { RcsAction, RcsActionBody, RcsParts } from './rcs-action-schemas.ts'

/** Reads message and fallback as a write leaves them. Throws 400 with pointers into the body. */
export type ReadParts = (given: unknown) => RcsParts

function tidied(body: RcsActionBody): RcsActionBody {
  const { informations, settings } = body
  return {
    ...body,
    ...(informations && { informations: withoutZeros(informations, ['folder', 'category']) }),
    ...(settings && { settings: withoutZeros(settings, ['field', 'profile']) }),
  }
}

/** What is merged into what is stored; a content of another type replaces it whole. */
function mergedPart(stored: object | null | undefined, given: { type?: string } | null | undefined): object | null {
  if (given === undefined) return stored ?? null
  if (given === null || !stored) return given
  const isSameType = given.type === undefined || given.type === Reflect.get(stored, 'type')
  return isSameType ? merge(stored, given) : given
}

/** The faults of a refused body; throws what is no refusal of one. */
function faultsIn(error: unknown): Fault[] {
  if (error instanceof Problem && error.status === 400 && error.kind === 'invalid-request') return error.errors ?? []
  throw error
}

function readContent(stored: StoredContent, body: RcsActionBody, readParts: ReadParts, faults: Fault[]): StoredContent {
  if (body.content === undefined && body.fallback === undefined) return stored
  try {
    const { content, fallback } = readParts({
      content: mergedPart(stored.content, body.content),
      fallback: mergedPart(stored.fallback, body.fallback),
    })
    if (content !== null) faults.push(...contentFaults(content))
    return { content, fallback }
  } catch (error) {
    faults.push(...faultsIn(error))
    return stored
  }
}

function readSettings(
  stored: StoredSettings,
  { settings }: RcsActionBody,
  { culture, field: byDefault }: { culture: string; field: () => number },
  faults: Fault[],
): StoredSettings {
  if (!settings) return stored
  const { field, experiment: _, ...same } = settings
  const read = {
    ...readCommonSettings(same, culture, faults),
    ...(field !== undefined && { field: field ?? byDefault() }),
  }
  const merged = mergeSettings(stored, read, faults)
  faults.push(...expirationFaults(merged.expiration ?? null))
  return merged
}

const read =
  (readParts: ReadParts): Documents<RcsActionBody, RcsAction>['read'] =>
  (stored, body, { sending, fields }, faults) => {
    const account = { culture: sending.culture, field: () => defaultField(stored.type, fields) }
    const settings = readSettings(stored.settings, body, account, faults)
    const content = readContent(stored.content, body, readParts, faults)
    if (content.fallback) faults.push(...fallbackFaults(content.fallback, settings.expiration ?? null))
    return { settings, content }
  }

function shownSettings({ settings }: StoredAction): RcsAction['settings'] {
  const { profile = null, field, purpose, trafficType = null, expiration = null, consent, priority, culture } = settings
  const { environment, templating, experiment } = settings
  return {
    ...{ profile, field, purpose, trafficType: trafficType as RcsAction['settings']['trafficType'], expiration },
    ...{ consent, priority, culture, mp: pressureOf(settings), environment, templating },
    ...(experiment && { experiment: experiment as RcsAction['settings']['experiment'] }),
  }
}

/** An RCS action as it is answered. */
export function showRcsAction(row: StoredAction): RcsAction {
  const { id, state, name, description, folder, category, paused, content, scheduler, started_at } = row
  return {
    type: row.type as RcsAction['type'],
    ...{ id, state, name, description },
    creationDate: row.created_at.toISOString(),
    updateDate: row.updated_at.toISOString(),
    informations: { folder, category, state, paused },
    settings: shownSettings(row),
    content: content.content ?? null,
    fallback: content.fallback ?? null,
    ...(isCampaign(row.type) &&
      scheduler && {
        scheduler: showScheduler({ ...row, scheduler }),
        monitor: monitorOf(row.figures, started_at),
      }),
  }
}

/** How RCS actions are written and shown. `readParts` reads what a request brings. */
export function rcsDocuments(readParts: ReadParts): Documents<RcsActionBody, RcsAction> {
  return {
    family: families.rcs,
    tidied,
    empty: (type: ActionType, _body, { field, sending }) => {
      const { mp, ...common } = newCommonSettings({ field, culture: sending.culture })
      return {
        settings: { ...common, mp, profile: null, trafficType: null, expiration: null },
        content: newContent(type),
      }
    },
    read: read(readParts),
    refuseUnknown: async (db, stored, body, { account }) => {
      const profile = fresh(body.settings?.profile, stored.settings.profile)
      if (profile !== null) await keepProfile(db, account, profile)
      await refuseUnknownTopic(db, account, stored, body)
    },
    show: showRcsAction,
  }
}
