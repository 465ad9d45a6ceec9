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
  const { name, asked_by: asked, decided_by: decided } = await loadApproval(context.db, { account, id: approval })
  const ids = [asked, decided].flatMap((who) => (who?.type === 'person' && who.id !== null ? who.id : []))
  const people = await filterAccountUsers(context.db, account, ids)
  await Promise.all(
    people.map(({ email, locale }) => {
      const letter = campaignHeldMailTexts[locale === 'fr' ? 'fr' : 'en'](name)
      return sendAccountMail(context, { account, to: [email], ...letter, isConfidential: true }, signal)
    }),
  )
}
