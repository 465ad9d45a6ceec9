import { type MasterKeys, sealWithMasterKey, unsealWithMasterKey } from './crypto/seal.ts'

/** The request of an answer: its account and its Idempotency-Key. */
export interface IdempotentAnswerKey {
  account: number
  key: string
}

function buildSealContext({ account, key }: IdempotentAnswerKey): string {
  return `answer ${account} ${key}`
}

/** Seals an answer that is kept for repetitions of its request: it may show a secret, which is never stored in clear. */
export function sealIdempotentAnswer(keys: MasterKeys, of: IdempotentAnswerKey, body: string | Uint8Array): Buffer {
  return sealWithMasterKey(keys, body, buildSealContext(of))
}

/** The body of a kept answer. Throws an Error when it was changed, is another request's, or its master key is not here. */
export function unsealIdempotentAnswer(keys: MasterKeys, of: IdempotentAnswerKey, sealed: Uint8Array): Buffer {
  return unsealWithMasterKey(keys, sealed, buildSealContext(of))
}
