import { contentSourceOf } from '../../channels/version-source.ts'
import type { Context } from '../../context.ts'
import { openSenderCache } from '../../outbox/sender-cache.ts'
import type { FoundContact } from '../contacts/find.ts'
import { openChoice } from './conditions.ts'
import { previewInput, type Surroundings, sourceOf } from './drafts.ts'
import type { PushItem } from './item-schemas.ts'
import type { Version } from './notification-schemas.ts'
import { stampOf, variablesOf, versionNamed } from './renders.ts'
import type { StoredNotification } from './stored.ts'

/** What the choice of a version goes by. */
export interface ChoiceInput {
  item: PushItem
  contact: FoundContact | null
  related: FoundContact | null
  newId: string
}

/** Chooses the version of each message, in their order. Throws notFound for a version that an item names. */
export async function chooseVersions(
  { db, clock, renders, tokens }: Pick<Context, 'db' | 'clock' | 'renders' | 'tokens'>,
  row: StoredNotification,
  surroundings: Surroundings,
  inputs: readonly ChoiceInput[],
): Promise<Version[]> {
  const { account, versions } = row
  const choose = openChoice({ renders }, versions)
  const owner = await openSenderCache(db, clock).account(account)
  const source = sourceOf(surroundings, row, versionNamed(row, null))
  const { parts: _, ...scope } = contentSourceOf(source)
  const key = tokens.signing(account)
  const now = clock.now()
  const chosen: Version[] = []
  for (const { item, contact, related, newId } of inputs) {
    if (item.version != null) {
      chosen.push(versionNamed(row, item.version))
      continue
    }
    const variables = variablesOf(item)
    const values = {
      contact: contact && owner.valuesOf(contact),
      related: related && owner.valuesOf(related),
      ...(item.data && { data: item.data }),
      ...(variables && { variables }),
      stamp: stampOf(item, newId, { now }),
      zone: source.settings.timeZone,
    }
    const { version } = await choose({ source: scope, input: previewInput(source, values, { key, account, now }) })
    chosen.push(version)
  }
  return chosen
}
