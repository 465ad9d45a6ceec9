import { type ActionType, channelOfAction, factsOf } from '../../../channels/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { conflict, type Fault, notFound } from '../../../lib/errors/problem.ts'
import type { Field } from '../../contacts/fields/field-schemas.ts'
import { requireTopics } from '../../pressure/topics.ts'
import type { ActionContent, CommonBody, Surroundings } from './action-format.ts'
import type { ActionBody } from './action-schemas.ts'

/**
 * The field an action sends to when it names none: the first one of the channel's type, where the channel prefers it the
 * first unicity field. Throws conflict `field-missing`.
 */
export function defaultField(type: ActionType, fields: readonly Field[]): number {
  const { addressType, prefersUnicity } = factsOf(channelOfAction(type))
  const fit = fields.filter((field) => field.type === addressType)
  const field = (prefersUnicity ? fit.find(({ isUnicity }) => isUnicity) : undefined) ?? fit[0]
  if (field) return field.id
  throw conflict('field-missing', `The account has no field of type ${addressType} to send to: make one first.`)
}

/** What is wrong with the fields that a body names. */
export function fieldFaults(type: ActionType, fields: readonly Field[], { settings, scheduler }: CommonBody): Fault[] {
  const wanted = [
    { id: settings?.field, type: factsOf(channelOfAction(type)).addressType, pointer: '/settings/field' },
    { id: scheduler?.timeZoneField, type: 'textField', pointer: '/scheduler/timeZoneField' },
  ]
  return wanted.flatMap(({ id, type: needed, pointer }) => {
    if (id == null) return []
    const field = fields.find((candidate) => candidate.id === id)
    if (!field) return [{ pointer, detail: `there is no field ${id}` }]
    return field.type === needed
      ? []
      : [{ pointer, detail: `must be a field of type ${needed}; "${field.name}" is of type ${field.type}` }]
  })
}

/** What is given anew: a document may be sent back with what it named already, though that be gone. */
export function fresh<T>(given: T | null | undefined, stored: T | null | undefined): T | null {
  return given === undefined || given === stored ? null : given
}

/** Throws notFound for a topic that a body names anew and the account does not have. */
export async function refuseUnknownTopic(
  tx: Db,
  account: AccountId,
  stored: ActionContent,
  { settings }: CommonBody,
): Promise<void> {
  const topic = fresh(settings?.mp?.topic?.toLowerCase(), stored.settings.mp.topic)
  if (topic !== null) await requireTopics(tx, account, [topic])
}

/** Throws notFound for the first thing the settings of an email or SMS action name anew that the account does not have. */
export async function refuseUnknown(
  db: Db,
  stored: ActionContent,
  body: ActionBody,
  { account, sending }: Surroundings,
): Promise<void> {
  const { settings } = body
  const profile = fresh(settings?.sendingProfile, stored.settings.sendingProfile)
  const analyser = fresh(settings?.webAnalyser, stored.settings.webAnalyser)
  const profiles = sending.profiles.filter(({ channel }) => channel === channelOfAction(stored.type))
  if (profile !== null && !profiles.some(({ id }) => id === profile)) throw notFound('sending profile', profile)
  if (analyser !== null && !sending.webAnalysers.some(({ id }) => id === analyser))
    throw notFound('web analyser', analyser)
  await refuseUnknownTopic(db, account, stored, body)
}
