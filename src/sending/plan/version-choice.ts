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

/** What chooses among the versions of a run. */
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

/** What conditions see of a contact. Its message has no stamp of its own yet: that of the run stands for it. */
function inputOf(
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
  const { parts: _, ...source } = toContentSource(content)
  const { needs } = await renders.compile(buildConditionsContent(conditionals, source))
  const about = { key: tokens.signing(account), now: run.startedAt.getTime() }
  const cache = openSenderCache(db, clock)

  return async (contacts) => {
    const owner = await cache.account(account)
    const found = await readContacts(db, account, contacts)
    // One that was deleted meanwhile gets a cancellation, of whatever version.
    const known = contacts.filter((id) => found.has(id))
    const inputs = known.map((id) => inputOf(run, about, owner.valuesOf(found.get(id)!, needs.contact)))
    const { chosen, failed } = await chooseFirstMatching(renders, conditionals, source, inputs)
    const byContact = new Map(known.map((id, index) => [id, chosen[index]]))
    const versions = contacts.map((id) => {
      const version = byContact.get(id)
      return version === undefined ? null : Number(version)
    })
    return { versions, failed }
  }
}
