import type { ServiceContext } from '../../context.ts'
import type { AccountId } from '../../lib/account.ts'
import { sendAccountMail } from '../account-mail/account-mail.ts'
import { campaignHeldMailTexts } from '../account-mail/people-words.ts'
import { filterAccountUsers } from '../people/members/colleagues.ts'
import { loadApproval } from './stored.ts'

/** Tells who asked and who decided that a campaign did not begin, as it was approved for other criteria. Throws MailDeferredError. */
export async function mailCampaignHeld(
  context: Pick<ServiceContext, 'db' | 'config' | 'masterKeys' | 'clock' | 'log'>,
  { account, approval }: { account: AccountId; approval: string },
  signal: AbortSignal,
): Promise<void> {
  const { name, asked_by: requester, decided_by: decider } = await loadApproval(context.db, { account, id: approval })
  const userIds = [requester, decider].flatMap((participant) =>
    participant?.type === 'person' && participant.id !== null ? participant.id : [],
  )
  const recipients = await filterAccountUsers(context.db, account, userIds)
  await Promise.all(
    recipients.map(({ email, locale }) => {
      const mailTexts = campaignHeldMailTexts[locale === 'fr' ? 'fr' : 'en'](name)
      return sendAccountMail(context, { account, to: [email], ...mailTexts, isConfidential: true }, signal)
    }),
  )
}
