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

type UserMailContext = Pick<ServiceContext, 'db' | 'config' | 'masterKeys' | 'clock' | 'log'>

/** Maximum time a request waits for a mail to be sent. */
const SEND_TIMEOUT_MS = 10_000

function sendWithTimeout(
  context: UserMailContext,
  { account, to }: Pick<UserMail, 'account' | 'to'>,
  letter: UserMailText,
  signal: AbortSignal,
): Promise<AccountMailOutcome> {
  return sendAccountMail(context, { account, to: [to], ...letter, isConfidential: true }, signal)
}

/** Mails that leave while somebody waits; they say whether they were really sent. */
export function createUserMailer(context: UserMailContext): UserMailer {
  return {
    async invitation(mail, { accountName, link }) {
      try {
        const { culture } = await readSendingSettings(context.db, mail.account)
        const mailText = invitationMailTexts[mail.locale ?? (culture.startsWith('fr') ? 'fr' : 'en')](accountName, link)
        return (await sendWithTimeout(context, mail, mailText, AbortSignal.timeout(SEND_TIMEOUT_MS))) === 'sent'
      } catch (error) {
        const reason = error instanceof Error ? error.name : ''
        context.log.warn({ account: mail.account, reason }, 'invitation mail failed: the response contains the link')
        return false
      }
    },
  }
}

/** Mails a link for a new password to the person of an email, when there is one. Throws MailDeferredError. */
export async function mailPasswordReset(
  context: UserMailContext,
  payload: { email: string },
  signal: AbortSignal,
): Promise<void> {
  const { db, masterKeys, clock, config } = context
  const email = unsealWithMasterKey(masterKeys, Buffer.from(payload.email, 'base64'), RESET_EMAIL_CONTEXT).toString()
  const recipientUser = await findUser(db, { email })
  const account =
    recipientUser && canResetPassword(recipientUser) ? await findUserMailAccount(db, recipientUser.id) : undefined
  if (!recipientUser || account === undefined) return
  const token = await createPasswordResetToken(db, recipientUser.id, { mailed: true, now: clock.now() })
  const mailText = passwordResetMailTexts[recipientUser.locale](buildConsoleLink(config.publicUrl, 'reset', token))
  await sendWithTimeout(context, { account, to: email }, mailText, signal)
}

/** Tells a person that somebody signed in as them from a browser that was not known. Throws MailDeferredError. */
export async function mailNewBrowserSignIn(
  context: UserMailContext,
  payload: { session: string },
  signal: AbortSignal,
): Promise<void> {
  const { db } = context
  const signInDetails = await findSessionSignIn(db, Buffer.from(payload.session, 'hex'))
  const account = signInDetails && (await findUserMailAccount(db, signInDetails.person))
  if (!signInDetails || account === undefined) return
  await sendWithTimeout(
    context,
    { account, to: signInDetails.email },
    newBrowserMailTexts[signInDetails.locale](signInDetails),
    signal,
  )
}

/** A notification of the admins of an account. */
interface AdminNotification {
  account: AccountId
  /** The user who made the change, who is not notified. */
  by: string | null
  write(locale: 'en' | 'fr'): UserMailText
}

async function mailOtherAdmins(
  context: UserMailContext,
  { account, by, write }: AdminNotification,
  signal: AbortSignal,
): Promise<void> {
  const admins = await listOtherAdmins(context.db, account, by)
  await Promise.all(
    admins.map(({ email, locale }) =>
      sendWithTimeout(context, { account, to: email }, write(locale === 'fr' ? 'fr' : 'en'), signal),
    ),
  )
}

/** Tells the other admins of an account with approvals that a key which may send was made. Throws MailDeferredError. */
export async function mailApiKeyCreated(
  context: UserMailContext,
  payload: { key: number; by: string | null },
  signal: AbortSignal,
): Promise<void> {
  const createdKey = await findCreatedApiKey(context.db, payload)
  if (!createdKey) return
  const buildText = (locale: 'en' | 'fr') => apiKeyMailTexts[locale](createdKey)
  await mailOtherAdmins(context, { account: createdKey.account, by: payload.by, write: buildText }, signal)
}

/** Tells the other admins of an account that its approvals were switched off. Throws MailDeferredError. */
export async function mailApprovalsDisabled(
  context: UserMailContext,
  payload: { account: AccountId; by: string | null },
  signal: AbortSignal,
): Promise<void> {
  const disabledApprovals = await findDisabledApprovals(context.db, payload)
  if (!disabledApprovals) return
  await mailOtherAdmins(
    context,
    { ...payload, write: (locale) => approvalsOffMailTexts[locale](disabledApprovals) },
    signal,
  )
}
