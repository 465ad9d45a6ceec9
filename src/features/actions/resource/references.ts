import { type ChannelActionType, getActionChannel, getChannelTraits } from '../../../channels/channel-traits.ts'
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
  const matchingFields = fields.filter((field) => field.type === addressType)
  const field = (prefersUnicity ? matchingFields.find(({ isUnicity }) => isUnicity) : undefined) ?? matchingFields[0]
  if (field) return field.id
  throw conflictProblem(
    'field-missing',
    `The account has no field of type ${addressType} to send to. Create one first.`,
  )
}

/** Faults of the fields that a body references. */
export function findFieldFaults(
  type: ChannelActionType,
  fields: readonly ContactFieldDefinition[],
  { settings, scheduler }: CommonActionBody,
): ProblemFault[] {
  const fieldReferences = [
    { id: settings?.field, type: getChannelTraits(getActionChannel(type)).addressType, pointer: '/settings/field' },
    { id: scheduler?.timeZoneField, type: 'textField', pointer: '/scheduler/timeZoneField' },
  ]
  return fieldReferences.flatMap(({ id, type: needed, pointer }) => {
    if (id == null) return []
    const field = fields.find((candidate) => candidate.id === id)
    if (!field) return [{ pointer, detail: `there is no field ${id}` }]
    return field.type === needed
      ? []
      : [{ pointer, detail: `must be a field of type ${needed}; "${field.name}" is of type ${field.type}` }]
  })
}

/** Returns a reference only if it is new: a client may send a document back unchanged even if an object it references was deleted. */
export function pickNewReference<T>(
  newReference: T | null | undefined,
  storedReference: T | null | undefined,
): T | null {
  return newReference === undefined || newReference === storedReference ? null : newReference
}

/** Throws notFound for a new topic in a body that the account does not have. */
export async function requireKnownTopic(
  tx: Db,
  account: AccountId,
  storedAction: ActionDefinition,
  { settings }: CommonActionBody,
): Promise<void> {
  const topic = pickNewReference(settings?.mp?.topic?.toLowerCase(), storedAction.settings.mp.topic)
  if (topic !== null) await requirePressureTopics(tx, account, [topic])
}

/** Throws notFound for the first new reference in the settings of an email or SMS action that the account does not have. */
export async function requireActionReferences(
  db: Db,
  storedAction: ActionDefinition,
  body: ActionBody,
  { account, sending }: ActionReferences,
): Promise<void> {
  const { settings } = body
  const profile = pickNewReference(settings?.sendingProfile, storedAction.settings.sendingProfile)
  const analyser = pickNewReference(settings?.webAnalyser, storedAction.settings.webAnalyser)
  const profiles = sending.profiles.filter(({ channel }) => channel === getActionChannel(storedAction.type))
  if (profile !== null && !profiles.some(({ id }) => id === profile)) throw notFoundProblem('sending profile', profile)
  if (analyser !== null && !sending.webAnalysers.some(({ id }) => id === analyser))
    throw notFoundProblem('web analyser', analyser)
  await requireKnownTopic(db, account, storedAction, body)
}
