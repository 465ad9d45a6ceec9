import type { AccountId } from '../../lib/account.ts'
import type { Locale } from './people-schemas.ts'

/** A mail to people of an account, in their language. */
export interface PeopleMail {
  account: AccountId
  to: string
  /** Undefined: that of the account. */
  locale: Locale | undefined
}

/** How mails to people leave: through the gateway of their account. It says whether it was really sent. */
export interface PeopleMails {
  invitation(mail: PeopleMail, about: { accountName: string; link: string }): Promise<boolean>
}
