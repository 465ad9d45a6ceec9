import type { AccountId } from '../lib/account.ts'
import { sealWithMasterKey, unsealWithMasterKey } from '../lib/crypto/seal.ts'
import type { MasterKeys } from '../lib/crypto/tokens.ts'
import type { ScriptSecretSealer } from './scripting-object.ts'

/** Secrets of scripts of an account. They are not bound to what names them, so that a copy of it keeps them. */
export function createScriptSecretSealer(masterKeys: MasterKeys, account: AccountId): ScriptSecretSealer {
  const formatContext = (name: string): string => `script secret ${account} ${name}`
  return {
    seal: (name, secret) => sealWithMasterKey(masterKeys, secret, formatContext(name)).toString('base64'),
    open: (name, sealed) =>
      unsealWithMasterKey(masterKeys, Buffer.from(sealed, 'base64'), formatContext(name)).toString('utf8'),
  }
}
