import { getActionChannel, getChannelTraits } from '../../../channels/channel-traits.ts'
import { formatActionId } from '../../../lib/ids.ts'
import { BEST_TIME_WINDOW_HOURS } from '../../../sending/plan/best-times.ts'
import type { SendingFigures } from '../../../sending/plan/sendings.ts'
import { resolveMessagePressure } from '../../pressure/message-settings.ts'
import { buildVersionContent } from '../experiments/versions.ts'
import type { CampaignRunMonitor, LastActionValidation } from './action-progress-schemas.ts'
import type { StoredAction, StoredActionSettings, StoredActionValidation } from './action-repository.ts'
import type { ActionResponse } from './action-schemas.ts'
import { isCampaignType } from './states.ts'

/** Effective pressure settings: the client's values, completed by the defaults of the purpose. */
export function resolvePressureSettings({
  mp,
  purpose,
}: Pick<StoredActionSettings, 'mp' | 'purpose'>): ActionResponse['settings']['mp'] {
  return resolveMessagePressure(mp, purpose.type)
}

/** Settings with nothing left to derive. */
export function resolveActionSettings(settings: StoredActionSettings): ActionResponse['settings'] {
  const { sendingProfile = null, webAnalyser = null } = settings
  return {
    ...settings,
    sendingProfile,
    webAnalyser,
    mp: resolvePressureSettings(settings),
  } as ActionResponse['settings']
}

function presentValidation(storedValidation: StoredActionValidation | null): LastActionValidation | null {
  if (storedValidation === null) return null
  const { test: _, ...publicValidation } = storedValidation
  return publicValidation
}

/** Progress of a campaign; `startedAt` is null if it has not started. */
export function buildCampaignRunMonitor(figures: SendingFigures, startedAt: Date | null): CampaignRunMonitor | null {
  if (startedAt === null) return null
  const { lastSentAt, deferred, postponed, paused: _, ...runCounts } = figures
  const { recipients, sent: sentCount, cancelled, refused: refusedCount, held: heldCount } = runCounts
  const pending = Math.max(0, recipients - sentCount - cancelled - refusedCount - heldCount)
  return {
    ...runCounts,
    pending,
    postponed: Math.min(postponed, pending),
    deferred: Math.min(deferred, pending),
    started: { at: startedAt.toISOString() },
    lastSent: { at: lastSentAt },
  }
}

type SchedulerParts = Pick<StoredAction, 'started_at'> & { scheduler: NonNullable<StoredAction['scheduler']> }

/** Type and dates of a scheduler; of one that starts at once the true start, once it has. */
export function resolveSchedulerDates({ scheduler, started_at }: SchedulerParts) {
  const { type, startDate, endDate } = scheduler
  return { type, startDate: type === 'asap' ? (started_at?.toISOString() ?? null) : startDate, endDate }
}

/** A campaign's scheduler as it is answered. */
export function toSchedulerResponse({
  scheduler,
  started_at,
  segments,
}: SchedulerParts & Pick<StoredAction, 'segments'>): NonNullable<ActionResponse['scheduler']> {
  const { type, speed, timeZoneField, windowHours } = scheduler
  return {
    ...resolveSchedulerDates({ scheduler, started_at }),
    speed,
    segments,
    timeZoneField,
    ...(type === 'bestTime' && { windowHours: windowHours ?? BEST_TIME_WINDOW_HOURS }),
  }
}

/** An action as it is answered. */
export function toActionResponse(row: StoredAction): ActionResponse {
  const { scheduler, settings, content } = row
  return {
    type: row.type as ActionResponse['type'],
    id: formatActionId(row.id),
    state: row.state,
    name: row.name,
    description: row.description,
    creationDate: row.created_at.toISOString(),
    updateDate: row.updated_at.toISOString(),
    informations: {
      folder: row.folder,
      category: row.category,
      state: row.state,
      paused: row.paused,
      lastValidation: presentValidation(row.last_validation),
    },
    settings: resolveActionSettings(settings),
    content,
    ...(isCampaignType(row.type) &&
      scheduler && {
        scheduler: toSchedulerResponse({ ...row, scheduler }),
        monitor: buildCampaignRunMonitor(row.figures, row.started_at),
      }),
  }
}

/** Names of the parts that an action lacks; empty if it is complete. The sender is never missing: a profile has one. */
export function findMissingParts({
  type,
  settings,
  content,
}: Pick<StoredAction, 'type' | 'settings' | 'content'>): string[] {
  const { missingParts: missingOf } = getChannelTraits(getActionChannel(type))
  const versions = settings.experiment?.versions ?? []
  return [
    ...missingOf(content, settings),
    ...versions.flatMap((version, index) =>
      missingOf(buildVersionContent(content, version), settings).map(
        (part) => `settings.experiment.versions.${index}.${part.replace(/^content\.subject$/, 'subject')}`,
      ),
    ),
  ]
}

/** The state of an action that nothing was asked of since its last change. */
export function deriveActionState(action: Pick<StoredAction, 'type' | 'settings' | 'content'>): 10 | 20 {
  return findMissingParts(action).length === 0 ? 20 : 10
}
