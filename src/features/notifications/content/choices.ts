import { contentSourceOf, type VersionSource } from '../../../channels/version-source.ts'
import type { Context } from '../../../context.ts'
import type { SenderAccount } from '../../../sending/prepare/prepared-message.ts'
import { type MessageValues, previewInput } from '../../../sending/prepare/preview-input.ts'
import { openSenderCache } from '../../../sending/prepare/sender-cache.ts'
import type { FoundContact } from '../../contacts/records/find.ts'
import { chooseFirst } from '../../rendering/choice.ts'
import type { PushItem } from '../item-schemas.ts'
import type { Version } from '../notification-schemas.ts'
import type { StoredNotification } from '../stored.ts'
import { conditional } from './conditions.ts'
import { type Surroundings, sourceOf } from './drafts.ts'
import { stampOf, variablesOf, versionNamed } from './renders.ts'

/** What the choice of a version goes by. */
export interface ChoiceInput {
  item: PushItem
  contact: FoundContact | null
  related: FoundContact | null
  newId: string
}

/** Chooses the version of each message, in their order. Throws notFound for a version that an item names. */
export async function chooseVersions(
  { db, clock, log, renders, tokens }: Pick<Context, 'db' | 'clock' | 'log' | 'renders' | 'tokens'>,
  row: StoredNotification,
  surroundings: Surroundings,
  inputs: readonly ChoiceInput[],
): Promise<Version[]> {
  const { account } = row
  const conditionals = conditional(row.versions)
  const master = versionNamed(row, null)
  const named = inputs.map(({ item }) => (item.version == null ? undefined : versionNamed(row, item.version)))
  if (conditionals.length === 0) return named.map((version) => version ?? master)
  const owner = await openSenderCache(db, clock).account(account)
  const source = sourceOf(surroundings, row, master)
  const { parts: _, ...scope } = contentSourceOf(source)
  const about = { key: tokens.signing(account), account, now: clock.now() }
  const open = inputs.filter((_, index) => named[index] === undefined)
  const { chosen, failed } = await chooseFirst(
    renders,
    conditionals,
    scope,
    open.map((input) => previewInput(source, valuesOf(owner, source, input, about.now), about)),
  )
  if (failed > 0) log.warn({ account, notification: row.id, failed }, 'conditions could not be evaluated')
  const byId = new Map(row.versions.map((version) => [version.id, version]))
  const ids = chosen.values()
  return named.map((version) => version ?? byId.get(ids.next().value ?? '') ?? master)
}

/** What a message gives to the conditions. */
function valuesOf(
  owner: SenderAccount,
  { settings }: VersionSource,
  { item, contact, related, newId }: ChoiceInput,
  now: number,
): MessageValues {
  const variables = variablesOf(item)
  return {
    contact: contact && owner.valuesOf(contact),
    related: related && owner.valuesOf(related),
    ...(item.data && { data: item.data }),
    ...(variables && { variables }),
    stamp: stampOf(item, newId, { now }),
    zone: settings.timeZone,
  }
}
