import { type MasterKeys, open, seal } from './seal.ts'

/** The answer of which request: the account's, with that Idempotency-Key. */
export interface AnswerOf {
  account: number
  key: string
}

function contextOf({ account, key }: AnswerOf): string {
  return `answer ${account} ${key}`
}

/** An answer as it is kept for repetitions of its request. Some show a secret, such as a webhook's, which nobody keeps in clear. */
export function sealAnswer(keys: MasterKeys, of: AnswerOf, body: string | Uint8Array): Buffer {
  return seal(keys, body, contextOf(of))
}

/** The body of a kept answer. Throws an Error when it was changed, is another request's, or its master key is not here. */
export function openAnswer(keys: MasterKeys, of: AnswerOf, sealed: Uint8Array): Buffer {
  return open(keys, sealed, contextOf(of))
}
