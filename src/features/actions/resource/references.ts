import { type ChannelActionType, getActionChannel, getChannelTraits } from '../../../channels/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { conflictProblem, notFoundProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import type { ContactFieldDefinition } from '../../contacts/fields/field-schemas.ts'
import { requirePressureTopics } from '../../pressure/topics.ts'
import type { ActionDefinition, ActionReferences, CommonActionBody } from './action-format.ts'
import type { ActionBody } from './action-schemas.ts'

/**
 * The field an action sends to when it names none: the first one of the channel's type, where the channel prefers it the
 * first unicity field. Throws conflict `field-missing`.
 */
export function requireDefaultField(type: ChannelActionType, fields: readonly ContactFieldDefinition[]): number {
  const { addressType, prefersUnicity } = getChannelTraits(getActionChannel(type))
  const fit = fields.filter((field) => field.type === addressType)
  const field = (prefersUnicity ? fit.find(({ isUnicity }) => isUnicity) : undefined) ?? fit[0]
  if (field) return field.id
  throw conflictProblem('field-missing', `The account has no field of type ${addressType} to send to: make one first.`)
}

/** What is wrong with the fields that a body names. */
export function findFieldFaults(
  type: ChannelActionType,
  fields: readonly ContactFieldDefinition[],
  { settings, scheduler }: CommonActionBody,
): ProblemFault[] {
  const wanted = [
    { id: settings?.field, type: getChannelTraits(getActionChannel(type)).addressType, pointer: '/settings/field' },
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
export function pickNewReference<T>(given: T | null | undefined, stored: T | null | undefined): T | null {
  return given === undefined || given === stored ? null : given
}

/** Throws notFound for a topic that a body names anew and the account does not have. */
export async function requireKnownTopic(
  tx: Db,
  account: AccountId,
  stored: ActionDefinition,
  { settings }: CommonActionBody,
): Promise<void> {
  const topic = pickNewReference(settings?.mp?.topic?.toLowerCase(), stored.settings.mp.topic)
  if (topic !== null) await requirePressureTopics(tx, account, [topic])
}

/** Throws notFound for the first thing the settings of an email or SMS action name anew that the account does not have. */
export async function requireActionReferences(
  db: Db,
  stored: ActionDefinition,
  body: ActionBody,
  { account, sending }: ActionReferences,
): Promise<void> {
  const { settings } = body
  const profile = pickNewReference(settings?.sendingProfile, stored.settings.sendingProfile)
  const analyser = pickNewReference(settings?.webAnalyser, stored.settings.webAnalyser)
  const profiles = sending.profiles.filter(({ channel }) => channel === getActionChannel(stored.type))
  if (profile !== null && !profiles.some(({ id }) => id === profile)) throw notFoundProblem('sending profile', profile)
  if (analyser !== null && !sending.webAnalysers.some(({ id }) => id === analyser))
    throw notFoundProblem('web analyser', analyser)
  await requireKnownTopic(db, account, stored, body)
}
