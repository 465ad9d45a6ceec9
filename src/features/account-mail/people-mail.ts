import type { ServiceContext } from '../../context.ts'
import type { AccountId } from '../../lib/account.ts'
import { unsealWithMasterKey } from '../../lib/crypto/seal.ts'
import { readSendingSettings } from '../accounts/sending-settings.ts'
import {
  findCreatedApiKey,
  findDisabledApprovals,
  findSessionSignIn,
  findUserMailAccount,
} from '../people/mail-facts.ts'
import {
  buildConsoleLink,
  canResetPassword,
  createPasswordResetToken,
  RESET_EMAIL_CONTEXT,
} from '../people/members/links.ts'
import { listOtherAdmins } from '../people/members/members.ts'
import { findUser } from '../people/people.ts'
import type { UserMail, UserMailer } from '../people/people-mails.ts'
import { type AccountMailOutcome, sendAccountMail } from './account-mail.ts'
import {
  apiKeyMailTexts,
  approvalsOffMailTexts,
  invitationMailTexts,
  newBrowserMailTexts,
  passwordResetMailTexts,
  type UserMailText,
} from './people-words.ts'

type MailContext = Pick<ServiceContext, 'db' | 'config' | 'masterKeys' | 'clock' | 'log'>

/** How long a request waits for a mail to leave. */
const PATIENCE_MS = 10_000

function send(
  context: MailContext,
  { account, to }: Pick<UserMail, 'account' | 'to'>,
  letter: UserMailText,
  signal: AbortSignal,
): Promise<AccountMailOutcome> {
  return sendAccountMail(context, { account, to: [to], ...letter, isConfidential: true }, signal)
}

/** Mails that leave while somebody waits; they say whether they were really sent. */
export function createUserMailer(context: MailContext): UserMailer {
  return {
    async invitation(mail, { accountName, link }) {
      try {
        const { culture } = await readSendingSettings(context.db, mail.account)
        const letter = invitationMailTexts[mail.locale ?? (culture.startsWith('fr') ? 'fr' : 'en')](accountName, link)
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

/** Mails a link for a new password to the person of an email, when there is one. Throws MailDeferredError. */
export async function mailPasswordReset(
  context: MailContext,
  payload: { email: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, masterKeys, clock, config } = context
  const email = unsealWithMasterKey(masterKeys, Buffer.from(payload.email, 'base64'), RESET_EMAIL_CONTEXT).toString()
  const person = await findUser(db, { email })
  const account = person && canResetPassword(person) ? await findUserMailAccount(db, person.id) : undefined
  if (!person || account === undefined) return
  const token = await createPasswordResetToken(db, person.id, { mailed: true, now: clock.now() })
  const letter = passwordResetMailTexts[person.locale](buildConsoleLink(config.publicUrl, 'reset', token))
  await send(context, { account, to: email }, letter, signal)
}

/** Tells a person that somebody signed in as them from a browser that was not known. Throws MailDeferredError. */
export async function mailNewBrowserSignIn(
  context: MailContext,
  payload: { session: string },
  signal: AbortSignal,
): Promise<void> {
  const { db } = context
  const place = await findSessionSignIn(db, Buffer.from(payload.session, 'hex'))
  const account = place && (await findUserMailAccount(db, place.person))
  if (!place || account === undefined) return
  await send(context, { account, to: place.email }, newBrowserMailTexts[place.locale](place), signal)
}

/** What is told to the admins of an account. */
interface Tidings {
  account: AccountId
  /** The person who did it, who is not told. */
  by: string | null
  write(locale: 'en' | 'fr'): UserMailText
}

async function toOtherAdmins(
  context: MailContext,
  { account, by, write }: Tidings,
  signal: AbortSignal,
): Promise<void> {
  const admins = await listOtherAdmins(context.db, account, by)
  await Promise.all(
    admins.map(({ email, locale }) =>
      send(context, { account, to: email }, write(locale === 'fr' ? 'fr' : 'en'), signal),
    ),
  )
}

/** Tells the other admins of an account with approvals that a key which may send was made. Throws MailDeferredError. */
export async function mailApiKeyCreated(
  context: MailContext,
  payload: { key: number; by: string | null },
  signal: AbortSignal,
): Promise<void> {
  const made = await findCreatedApiKey(context.db, payload)
  if (!made) return
  const write = (locale: 'en' | 'fr') => apiKeyMailTexts[locale](made)
  await toOtherAdmins(context, { account: made.account, by: payload.by, write }, signal)
}

/** Tells the other admins of an account that its approvals were switched off. Throws MailDeferredError. */
export async function mailApprovalsDisabled(
  context: MailContext,
  payload: { account: AccountId; by: string | null },
  signal: AbortSignal,
): Promise<void> {
  const off = await findDisabledApprovals(context.db, payload)
  if (!off) return
  await toOtherAdmins(context, { ...payload, write: (locale) => approvalsOffMailTexts[locale](off) }, signal)
}
