import { signWithDkim, signWithDkimInPool } from '../../../lib/crypto/dkim.ts'
import type { DkimSigningKey } from '../../../lib/crypto/dkim-keys.ts'
import type { ComposedMail } from './mime.ts'

/** Headers covered by a signature, in the order they are named. */
const SIGNED_HEADER_NAMES = [
  'from',
  'to',
  'cc',
  'subject',
  'date',
  'message-id',
  'reply-to',
  'mime-version',
  'content-type',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'feedback-id',
  'precedence',
  'auto-submitted',
]

/** A message with a DKIM-Signature of each key of its From domain in front; as it is when there are none. Senders only. */
export function signMail(mail: ComposedMail, keys: readonly DkimSigningKey[]): ComposedMail {
  if (keys.length === 0) return mail
  const signatures = signWithDkim(mail.headers, mail.relaxedBody(), {
    domain: mail.domain,
    keys,
    names: SIGNED_HEADER_NAMES,
  })
  return { ...mail, headers: [...signatures, ...mail.headers] }
}

/** The same, for mail that is made on the main thread: no signature is worked out there. */
export async function signMailOffThread(mail: ComposedMail, keys: readonly DkimSigningKey[]): Promise<ComposedMail> {
  if (keys.length === 0) return mail
  const signing = { domain: mail.domain, keys, names: SIGNED_HEADER_NAMES }
  const signatures = await signWithDkimInPool(mail.headers, mail.relaxedBody(), signing)
  return { ...mail, headers: [...signatures, ...mail.headers] }
}
