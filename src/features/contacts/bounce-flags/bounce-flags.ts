import { sql } from 'kysely'
import { isAddressFieldType } from '../../../channels/channel-traits.ts'
import { type Db, inTransaction, toJsonbText } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem, conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { formatContactId } from '../../../lib/ids.ts'
import { noticeInsertSql } from '../../notices/notices.ts'
import type { ContactSettings } from '../fields/contact-settings-schemas.ts'
import type { ContactFieldDefinition } from '../fields/field-schemas.ts'
import { lockContactsByIds, runContactWrite } from '../records/write.ts'
import type { ContactShape } from '../values/contact-shape.ts'
import { parseBodyTimestamp } from '../values/timestamps.ts'
import { type BounceCode, bounceCodes, bounceNames, parseBounceCode } from './bounce-codes.ts'
import type { BounceBody } from './bounce-schemas.ts'

const MAX_REASON_LENGTH = 1000
const { soft: softCode, validated, hardOther, hardUser: hardUserCode } = bounceCodes

/** A field of a contact: where an address is. */
export interface ContactAddressField {
  contact: number
  field: number
}

/** A flag as a refusal, a complaint or a caller sets it. */
export interface NewBounceFlag extends ContactAddressField {
  code: BounceCode
  at: Date
  reason: string
}

function unnestFlags(flags: readonly NewBounceFlag[]) {
  return sql`unnest(
    ${flags.map(({ contact }) => contact)}::bigint[], ${flags.map(({ field }) => field)}::integer[],
    ${flags.map(({ code }) => code)}::smallint[], ${flags.map(({ at }) => at)}::timestamptz[],
    ${flags.map(({ reason }) => reason.slice(0, MAX_REASON_LENGTH))}::text[]) with ordinality
    as n(contact, field, code, at, reason, place)`
}

const bounceNamesByCode = Object.fromEntries(bounceNames.map((name) => [bounceCodes[name].code, name]))

/** The notices of `flagged`, a part of a `with`: an address known to be good is no bounce. */
export const bounceNoticeRows = sql`
  select contact, jsonb_build_object('field', field, 'type', ${toJsonbText(bounceNamesByCode)}::jsonb -> code::text) as data
  from flagged where code <> ${validated.code}`

/** Soft refusals are counted; validated addresses start from zero. */
async function countSoftBounces(tx: Db, account: AccountId, flags: readonly NewBounceFlag[]): Promise<void> {
  const softFlags = flags.filter(({ code }) => code === softCode.code)
  if (softFlags.length > 0) {
    await sql`
      insert into soft_bounces (account, contact, field, bounced_at)
      select c.account, n.contact, n.field, n.at
      from ${unnestFlags(softFlags)} join contacts c on c.account = ${account} and c.id = n.contact
      join fields f on f.account = c.account and f.id = n.field`.execute(tx)
  }
  await clearSoftBounces(
    tx,
    account,
    flags.filter(({ code }) => code === validated.code),
  )
}

/**
 * Flags addresses; unknown contacts and fields are skipped. A soft refusal is counted, and becomes `hardOther` when the account's
 * limit is reached; it does not replace a flag that stops sends, otherwise the newest flag wins. With `replace` the
 * given flag replaces any.
 */
export function flagBounces(
  db: Db,
  account: AccountId,
  flags: readonly NewBounceFlag[],
  { softBounce, replace = false }: Pick<ContactSettings, 'softBounce'> & { replace?: boolean },
): Promise<void> {
  return inTransaction(db, async (tx) => {
    await countSoftBounces(tx, account, flags)
    await sql`
      with judged as (
        select n.contact, n.field, n.at, n.reason, n.place,
          case when n.code = ${softCode.code} and ${softBounce.count} <= (
            select count(*) from soft_bounces s
            where s.account = ${account} and s.contact = n.contact and s.field = n.field
              and s.bounced_at > n.at - make_interval(days => ${softBounce.days}) and s.bounced_at <= n.at)
          then ${hardOther.code} else n.code end as code
        from ${unnestFlags(flags)}),
      flagged as (
        insert into bounce_flags as b (account, contact, field, code, flagged_at, reason)
        select distinct on (j.contact, j.field) c.account, j.contact, j.field, j.code, j.at, j.reason
        from judged j join contacts c on c.account = ${account} and c.id = j.contact
        join fields f on f.account = c.account and f.id = j.field
        order by j.contact, j.field, j.code = ${softCode.code}, j.at desc, j.place desc
        on conflict (account, contact, field) do update
        set code = excluded.code, flagged_at = excluded.flagged_at, reason = excluded.reason
        where ${replace} or (excluded.flagged_at >= b.flagged_at
          and (excluded.code <> ${softCode.code} or b.code in (${softCode.code}, ${validated.code})))
        returning b.contact, b.field, b.code),
      noticed as (${noticeInsertSql(account, 'target.bounced', bounceNoticeRows)})
      select`.execute(tx)
  })
}

/** A success: the soft refusals of these addresses count no more. */
export async function clearSoftBounces(
  db: Db,
  account: AccountId,
  places: readonly ContactAddressField[],
): Promise<void> {
  if (places.length === 0) return
  await sql`
    delete from soft_bounces s
    using unnest(${places.map(({ contact }) => contact)}::bigint[], ${places.map(({ field }) => field)}::integer[])
      as p(contact, field)
    where s.account = ${account} and s.contact = p.contact and s.field = p.field`.execute(db)
}

function requireAddressField(shape: ContactShape, id: number): ContactFieldDefinition {
  const addressField = shape.fields.find((candidate) => candidate.id === id)
  if (!addressField) throw notFoundProblem('field', id)
  return addressField
}

function parseBounceBody(body: BounceBody | undefined, now: Date): Pick<NewBounceFlag, 'code' | 'at' | 'reason'> {
  const code = parseBounceCode(body?.type ?? hardUserCode.code)
  if (code === undefined) throw badRequestProblem('/type', `must be one of ${bounceNames.join(', ')}, or its code`)
  const bounceDetail = body?.detail
  const reason = (typeof bounceDetail === 'string' ? bounceDetail : bounceDetail?.message) ?? ''
  return { code, at: parseBodyTimestamp(body?.timestamp) ?? now, reason: reason.replace(/\p{Cc}+/gu, ' ').trim() }
}

/**
 * Flags an address of a contact on request, whatever flag it had. Throws 400 for an unknown type or a field
 * that holds no address, notFound (contact, field), conflict `field-empty`.
 */
export function setBounce(
  db: Db,
  account: AccountId,
  place: ContactAddressField,
  { body, now }: { body: BounceBody | undefined; now: Date },
): Promise<void> {
  return runContactWrite(db, account, async (tx, shape) => {
    const [contact] = await lockContactsByIds(tx, account, [place.contact])
    if (!contact) throw notFoundProblem('contact', formatContactId(place.contact))
    const addressField = requireAddressField(shape, place.field)
    if (!isAddressFieldType(addressField.type)) {
      throw badRequestProblem('fieldId', `"${addressField.name}" is not an address: choose an email or phone field`)
    }
    const newFlag = { ...place, ...parseBounceBody(body, now) }
    if (contact.fields[addressField.id] === undefined)
      throw conflictProblem('field-empty', `The contact has no value in "${addressField.name}".`)
    await flagBounces(tx, account, [newFlag], { softBounce: shape.settings.softBounce, replace: true })
  })
}

/** Removes the flag of an address and its soft bounce count. Does nothing if the address has neither. Throws notFound (contact, field). */
export function clearBounce(db: Db, account: AccountId, place: ContactAddressField): Promise<void> {
  return runContactWrite(db, account, async (tx, shape) => {
    const lockedContacts = await lockContactsByIds(tx, account, [place.contact])
    if (lockedContacts.length === 0) throw notFoundProblem('contact', formatContactId(place.contact))
    requireAddressField(shape, place.field)
    const { contact, field: fieldId } = place
    await sql`
      delete from bounce_flags where account = ${account} and contact = ${contact} and field = ${fieldId}`.execute(tx)
    await clearSoftBounces(tx, account, [place])
  })
}
