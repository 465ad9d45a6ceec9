import type { Context } from '../../context.ts'
import type { AccountId } from '../../lib/account.ts'
import { open } from '../../lib/crypto/seal.ts'
import { readSendingSettings } from '../accounts/sending-settings.ts'
import { approvalOff, keyMade, mailAccountOf, placeOf } from '../people/mail-facts.ts'
import { consoleLink, makeReset, mayReset, RESET_CONTEXT } from '../people/members/links.ts'
import { otherAdmins } from '../people/members/members.ts'
import { findPerson } from '../people/people.ts'
import type { PeopleMail, PeopleMails } from '../people/people-mails.ts'
import { type MailOutcome, sendAccountMail } from './account-mail.ts'
import { approvalOffWords, keyWords, type Letter, placeWords, resetWords, welcomeWords } from './people-words.ts'

type MailContext = Pick<Context, 'db' | 'config' | 'masterKeys' | 'clock' | 'log'>

/** How long a request waits for a mail to leave. */
const PATIENCE_MS = 10_000

function send(
  context: MailContext,
  { account, to }: Pick<PeopleMail, 'account' | 'to'>,
  letter: Letter,
  signal: AbortSignal,
): Promise<MailOutcome> {
  return sendAccountMail(context, { account, to: [to], ...letter, isConfidential: true }, signal)
}

/** Mails that leave while somebody waits; they say whether they were really sent. */
export function peopleMails(context: MailContext): PeopleMails {
  return {
    async invitation(mail, { accountName, link }) {
      try {
        const { culture } = await readSendingSettings(context.db, mail.account)
        const letter = welcomeWords[mail.locale ?? (culture.startsWith('fr') ? 'fr' : 'en')](accountName, link)
        return (await send(context, mail, letter, AbortSignal.timeout(PATIENCE_MS))) === 'sent'
      } catch (error) {
        const reason = error instanceof Error ? error.name : ''
        context.log.warn(
          { account: mail.account, reason },
          'an invitation could not be mailed: its link is in the answer',
        )
        return false
      }
    },
  }
}

/** Mails a link for a new password to the person of an email, when there is one. Throws MailDeferred. */
export async function mailReset(context: MailContext, payload: { email: string }, signal: AbortSignal): Promise<void> {
  const { db, masterKeys, clock, config } = context
  const email = open(masterKeys, Buffer.from(payload.email, 'base64'), RESET_CONTEXT).toString()
  const person = await findPerson(db, { email })
  const account = person && mayReset(person) ? await mailAccountOf(db, person.id) : undefined
  if (!person || account === undefined) return
  const token = await makeReset(db, person.id, { mailed: true, now: clock.now() })
  const letter = resetWords[person.locale](consoleLink(config.publicUrl, 'reset', token))
  await send(context, { account, to: email }, letter, signal)
}

/** Tells a person that somebody signed in as them from a browser that was not known. Throws MailDeferred. */
export async function mailPlace(
  context: MailContext,
  payload: { session: string },
  signal: AbortSignal,
): Promise<void> {
  const { db } = context
  const place = await placeOf(db, Buffer.from(payload.session, 'hex'))
  const account = place && (await mailAccountOf(db, place.person))
  if (!place || account === undefined) return
  await send(context, { account, to: place.email }, placeWords[place.locale](place), signal)
}

/** What is told to the admins of an account. */
interface Tidings {
  account: AccountId
  /** The person who did it, who is not told. */
  by: string | null
  write(locale: 'en' | 'fr'): Letter
}

async function toOtherAdmins(
  context: MailContext,
  { account, by, write }: Tidings,
  signal: AbortSignal,
): Promise<void> {
  const admins = await otherAdmins(context.db, account, by)
  await Promise.all(
    admins.map(({ email, locale }) =>
      send(context, { account, to: email }, write(locale === 'fr' ? 'fr' : 'en'), signal),
    ),
  )
}

/** Tells the other admins of an account with approvals that a key which may send was made. Throws MailDeferred. */
export async function mailKey(
  context: MailContext,
  payload: { key: number; by: string | null },
  signal: AbortSignal,
): Promise<void> {
  const made = await keyMade(context.db, payload)
  if (!made) return
  const write = (locale: 'en' | 'fr') => keyWords[locale](made)
  await toOtherAdmins(context, { account: made.account, by: payload.by, write }, signal)
}

/** Tells the other admins of an account that its approvals were switched off. Throws MailDeferred. */
export async function mailApprovalOff(
  context: MailContext,
  payload: { account: AccountId; by: string | null },
  signal: AbortSignal,
): Promise<void> {
  const off = await approvalOff(context.db, payload)
  if (!off) return
  await toOtherAdmins(context, { ...payload, write: (locale) => approvalOffWords[locale](off) }, signal)
}
