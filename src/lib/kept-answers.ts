import { type MasterKeys, open, seal } from './crypto/seal.ts'

/** The request of an answer: its account and its Idempotency-Key. */
export interface AnswerOf {
  account: number
  key: string
}

function contextOf({ account, key }: AnswerOf): string {
  return `answer ${account} ${key}`
}

/** Seals an answer that is kept for repetitions of its request: it may show a secret, which is never stored in clear. */
export function sealAnswer(keys: MasterKeys, of: AnswerOf, body: string | Uint8Array): Buffer {
  return seal(keys, body, contextOf(of))
}

/** The body of a kept answer. Throws an Error when it was changed, is another request's, or its master key is not here. */
export function openAnswer(keys: MasterKeys, of: AnswerOf, sealed: Uint8Array): Buffer {
  return open(keys, sealed, contextOf(of))
}
