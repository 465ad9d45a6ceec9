import { sql } from 'kysely'
import { type ContentVersionSource, toContentSource } from '../../channels/version-source.ts'
import type { ServiceContext } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import { formatPostgresArray } from '../../database/rows/array-text.ts'
import {
  buildConditionsContent,
  type ConditionalContent,
  chooseFirstMatching,
} from '../../features/rendering/choice.ts'
import type { RenderInput } from '../../features/rendering/render.ts'
import type { AccountId } from '../../lib/account.ts'
import type { RecipientContactRow } from '../prepare/load-recipients.ts'
import type { SenderAccount } from '../prepare/prepared-message.ts'
import { buildPreviewInput } from '../prepare/preview-input.ts'
import { openSenderCache } from '../prepare/sender-cache.ts'
import type { ConditionalContentVersion } from './sendings.ts'

/** Run whose contacts each get one of its versions. */
export interface VersionedAudienceRun {
  account: AccountId
  run: string
  startedAt: Date
  content: ContentVersionSource
  versions: readonly ConditionalContentVersion[] | null
}

/** Versions of contacts in their order, null where no condition is true; and how often one could not be evaluated. */
export interface ContentVersionChoice {
  versions: (number | null)[]
  failed: number
}

async function readContacts(
  db: Db,
  account: AccountId,
  ids: readonly number[],
): Promise<Map<number, RecipientContactRow>> {
  const { rows } = await sql<RecipientContactRow>`
    select id, unicity, encode(hash, 'hex') as hash, fields from contacts
    where account = ${account} and id = any(${formatPostgresArray(ids)}::bigint[])`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

/** Builds the input of conditions for a contact. Its message does not have a stamp yet: the run's stamp is used instead. */
function buildConditionInput(
  { account, run, startedAt, content }: VersionedAudienceRun,
  { key, now }: { key: Parameters<typeof buildPreviewInput>[2]['key']; now: number },
  contact: ReturnType<SenderAccount['valuesOf']>,
): RenderInput {
  const stamp = { id: run, thread: run, set: run, time: startedAt.getTime() }
  const values = { contact, related: null, stamp, zone: content.settings.timeZone }
  return buildPreviewInput(content, values, { key, account, now })
}

/** Gives what chooses the versions of contacts; undefined when all have the one of the sending. */
export async function createVersionChooser(
  { db, clock, renders, tokens }: Pick<ServiceContext, 'db' | 'clock' | 'renders' | 'tokens'>,
  run: VersionedAudienceRun,
): Promise<((contacts: readonly number[]) => Promise<ContentVersionChoice>) | undefined> {
  const { account, content, versions } = run
  if (!versions || versions.length === 0) return undefined
  const conditionals = versions.map(
    ({ version, condition }): ConditionalContent => ({ id: String(version), condition }),
  )
  const { parts: ignoredParts, ...source } = toContentSource(content)
  const { needs } = await renders.compile(buildConditionsContent(conditionals, source))
  const inputContext = { key: tokens.signing(account), now: run.startedAt.getTime() }
  const senderCache = openSenderCache(db, clock)

  return async (contacts) => {
    const owner = await senderCache.account(account)
    const contactRows = await readContacts(db, account, contacts)
    // One that was deleted meanwhile gets a cancellation, of whatever version.
    const knownIds = contacts.filter((id) => contactRows.has(id))
    const conditionInputs = knownIds.map((id) =>
      buildConditionInput(run, inputContext, owner.valuesOf(contactRows.get(id)!, needs.contact)),
    )
    const { chosen: matchingVersions, failed } = await chooseFirstMatching(
      renders,
      conditionals,
      source,
      conditionInputs,
    )
    const byContact = new Map(knownIds.map((id, index) => [id, matchingVersions[index]]))
    const versions = contacts.map((id) => {
      const version = byContact.get(id)
      return version === undefined ? null : Number(version)
    })
    return { versions, failed }
  }
}
