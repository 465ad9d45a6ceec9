import type { AccountId } from '../../lib/account.ts'
import type { UserLocale } from './people-schemas.ts'

/** A mail to people of an account, in their language. */
export interface UserMail {
  account: AccountId
  to: string
  /** Undefined: that of the account. */
  locale: UserLocale | undefined
}

/** Sends mails to people through the gateway of their account. Reports if a mail was really sent. */
export interface UserMailer {
  invitation(mail: UserMail, about: { accountName: string; link: string }): Promise<boolean>
}
