import { signInClient } from '../../api/client.ts'
import type { ApiPasskeyResponse } from '../../api/shapes.ts'

type RequestOptions = Parameters<typeof PublicKeyCredential.parseRequestOptionsFromJSON>[0]

/** True if this browser supports passkeys as JSON (WebAuthn, level 3). */
export const hasPasskeySupport = (): boolean =>
  typeof PublicKeyCredential === 'function' && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Asks the person for a passkey; what it answers is sent to the service as JSON. Throws when the person declines. */
export async function requestPasskey(): Promise<ApiPasskeyResponse> {
  const requestOptions = (await signInClient.createPasskeyOptions()) as unknown as RequestOptions
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(requestOptions)
  const credential = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential | null
  if (!credential) throw new DOMException('no passkey was chosen', 'NotAllowedError')
  return credential.toJSON() as unknown as ApiPasskeyResponse
}

type CreationOptions = Parameters<typeof PublicKeyCredential.parseCreationOptionsFromJSON>[0]

/** Makes a passkey by options of the service; what the authenticator answers, as JSON. Throws when the person declines. */
export async function createPasskey(options: object): Promise<ApiPasskeyResponse> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as CreationOptions)
  const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential | null
  if (!credential) throw new DOMException('no passkey was made', 'NotAllowedError')
  return credential.toJSON() as unknown as ApiPasskeyResponse
}
