import { channelOfAction, factsOf } from '../../../channels/facts.ts'
import { actionId } from '../../../lib/ids.ts'
import { BEST_TIME_HOURS } from '../../../sending/plan/best-times.ts'
import type { Figures } from '../../../sending/plan/sendings.ts'
import { messagePressure } from '../../pressure/message-settings.ts'
import { contentOfVersion } from '../experiments/versions.ts'
import type { StoredAction, StoredSettings, StoredValidation } from './action-repository.ts'
import type { Action, LastValidation, Monitor } from './action-schemas.ts'
import { isCampaign } from './states.ts'

/** What the pressure settings are: what the client gave, and by the purpose what it did not. */
export function pressureOf({ mp, purpose }: Pick<StoredSettings, 'mp' | 'purpose'>): Action['settings']['mp'] {
  return messagePressure(mp, purpose.type)
}

/** Settings with nothing left to derive. */
export function settingsOf(settings: StoredSettings): Action['settings'] {
  const { sendingProfile = null, webAnalyser = null } = settings
  return { ...settings, sendingProfile, webAnalyser, mp: pressureOf(settings) } as Action['settings']
}

function validationOf(stored: StoredValidation | null): LastValidation | null {
  if (stored === null) return null
  const { test: _, ...shown } = stored
  return shown
}

/** How a campaign stands; `startedAt` null: it has not started. */
export function monitorOf(figures: Figures, startedAt: Date | null): Monitor | null {
  if (startedAt === null) return null
  const { lastSentAt, deferred, postponed, paused: _, ...numbers } = figures
  const { recipients, sent, cancelled, refused, held } = numbers
  const pending = Math.max(0, recipients - sent - cancelled - refused - held)
  return {
    ...numbers,
    pending,
    postponed: Math.min(postponed, pending),
    deferred: Math.min(deferred, pending),
    started: { at: startedAt.toISOString() },
    lastSent: { at: lastSentAt },
  }
}

type SchedulerParts = Pick<StoredAction, 'started_at'> & { scheduler: NonNullable<StoredAction['scheduler']> }

/** Type and dates of a scheduler; of one that starts at once the true start, once it has. */
export function datesOf({ scheduler, started_at }: SchedulerParts) {
  const { type, startDate, endDate } = scheduler
  return { type, startDate: type === 'asap' ? (started_at?.toISOString() ?? null) : startDate, endDate }
}

/** A campaign's scheduler as it is answered. */
export function showScheduler({
  scheduler,
  started_at,
  segments,
}: SchedulerParts & Pick<StoredAction, 'segments'>): NonNullable<Action['scheduler']> {
  const { type, speed, timeZoneField, windowHours } = scheduler
  return {
    ...datesOf({ scheduler, started_at }),
    ...{ speed, segments, timeZoneField },
    ...(type === 'bestTime' && { windowHours: windowHours ?? BEST_TIME_HOURS }),
  }
}

/** An action as it is answered. */
export function showAction(row: StoredAction): Action {
  const { scheduler, settings, content } = row
  return {
    type: row.type as Action['type'],
    id: actionId(row.id),
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
      lastValidation: validationOf(row.last_validation),
    },
    settings: settingsOf(settings),
    content,
    ...(isCampaign(row.type) &&
      scheduler && {
        scheduler: showScheduler({ ...row, scheduler }),
        monitor: monitorOf(row.figures, row.started_at),
      }),
  }
}

/** What an action lacks to be complete, in words; nothing when it is. Its sender is always known: a profile has one. */
export function missingParts({
  type,
  settings,
  content,
}: Pick<StoredAction, 'type' | 'settings' | 'content'>): string[] {
  const { missingParts: missingOf } = factsOf(channelOfAction(type))
  const versions = settings.experiment?.versions ?? []
  return [
    ...missingOf(content, settings),
    ...versions.flatMap((version, index) =>
      missingOf(contentOfVersion(content, version), settings).map(
        (part) => `settings.experiment.versions.${index}.${part.replace(/^content\.subject$/, 'subject')}`,
      ),
    ),
  ]
}

/** The state of an action that nothing was asked of since its last change. */
export function judgedState(action: Pick<StoredAction, 'type' | 'settings' | 'content'>): 10 | 20 {
  return missingParts(action).length === 0 ? 20 : 10
}
