import { type ContentVersionSource, toContentSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import type { SenderAccount } from '../../../sending/prepare/prepared-message.ts'
import { buildPreviewInput, type MessageTemplateValues } from '../../../sending/prepare/preview-input.ts'
import { openSenderCache } from '../../../sending/prepare/sender-cache.ts'
import type { FoundContact } from '../../contacts/records/find.ts'
import { chooseFirstMatching } from '../../rendering/choice.ts'
import type { PushItem } from '../item-schemas.ts'
import type { PushVersion } from '../notification-schemas.ts'
import type { StoredNotification } from '../stored.ts'
import { selectConditionalVersions } from './conditions.ts'
import { buildPushSource, type PushSourceContext } from './drafts.ts'
import { buildPushStamp, requirePushVersion, toVariablesByName } from './renders.ts'

/** Input for the choice of a version. */
export interface VersionChoiceInput {
  item: PushItem
  contact: FoundContact | null
  related: FoundContact | null
  newId: string
}

/** Chooses the version of each message, in their order. Throws notFound for a version that an item names. */
export async function choosePushVersions(
  { db, clock, log, renders, tokens }: Pick<ServiceContext, 'db' | 'clock' | 'log' | 'renders' | 'tokens'>,
  row: StoredNotification,
  surroundings: PushSourceContext,
  inputs: readonly VersionChoiceInput[],
): Promise<PushVersion[]> {
  const { account } = row
  const conditionals = selectConditionalVersions(row.versions)
  const masterVersion = requirePushVersion(row, null)
  const requestedVersions = inputs.map(({ item }) =>
    item.version == null ? undefined : requirePushVersion(row, item.version),
  )
  if (conditionals.length === 0) return requestedVersions.map((version) => version ?? masterVersion)
  const owner = await openSenderCache(db, clock).account(account)
  const source = buildPushSource(surroundings, row, masterVersion)
  const { parts: _, ...scope } = toContentSource(source)
  const linkContext = { key: tokens.signing(account), account, now: clock.now() }
  const openInputs = inputs.filter((_, index) => requestedVersions[index] === undefined)
  const { chosen: chosenIds, failed: failures } = await chooseFirstMatching(
    renders,
    conditionals,
    scope,
    openInputs.map((input) =>
      buildPreviewInput(source, buildConditionValues(owner, source, input, linkContext.now), linkContext),
    ),
  )
  if (failures > 0) log.warn({ account, notification: row.id, failed: failures }, 'conditions could not be evaluated')
  const versionsById = new Map(row.versions.map((version) => [version.id, version]))
  const chosenIdIterator = chosenIds.values()
  return requestedVersions.map(
    (version) => version ?? versionsById.get(chosenIdIterator.next().value ?? '') ?? masterVersion,
  )
}

/** Template values of a message for the conditions. */
function buildConditionValues(
  owner: SenderAccount,
  { settings }: ContentVersionSource,
  { item, contact, related, newId }: VersionChoiceInput,
  now: number,
): MessageTemplateValues {
  const variables = toVariablesByName(item)
  return {
    contact: contact && owner.valuesOf(contact),
    related: related && owner.valuesOf(related),
    ...(item.data && { data: item.data }),
    ...(variables && { variables }),
    stamp: buildPushStamp(item, newId, { now }),
    zone: settings.timeZone,
  }
}
