import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { MasterKey, MasterKeys } from './tokens.ts'

export type { MasterKey, MasterKeys } from './tokens.ts'

const SEAL_LAYOUT = 0
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_NUMBER_COUNT = 16

/** The source of the master keys: an environment variable, otherwise a file. */
export interface MasterKeySource {
  masterKey?: string | undefined
  file: string
}

/** Like loadOrCreateMasterKeys, but creates no file; undefined if there is none. */
export function readMasterKeys({ masterKey, file }: MasterKeySource): MasterKeys | undefined {
  if (masterKey !== undefined) return parseMasterKeys(masterKey, 'STENTOR_MASTER_KEY')
  return existsSync(file) ? parseMasterKeys(readFileSync(file, 'utf8'), file) : undefined
}

/**
 * The master keys: `masterKey` (from the environment) or else `file`, which is made with one new key, mode 0600, when
 * it is not there. Both hold one key as base64 of 32 bytes, or several, newest first, each as `number:base64`,
 * separated by blanks, line ends or commas. Throws an Error that says what is wrong; keys are never repeated in it.
 */
export function loadOrCreateMasterKeys(place: MasterKeySource): MasterKeys {
  if (place.masterKey === undefined) createKeyFile(place.file)
  return readMasterKeys(place)!
}

/** The file is written aside and linked into place: of two processes that start together one makes it, whole. */
function createKeyFile(file: string): void {
  if (existsSync(file)) return
  const temporaryFile = `${file}.${process.pid}`
  writeFileSync(temporaryFile, `1:${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flush: true })
  try {
    linkSync(temporaryFile, file)
  } catch (error) {
    if (!existsSync(file)) throw error
  } finally {
    rmSync(temporaryFile)
  }
}

function parseMasterKeys(text: string, origin: string): MasterKeys {
  const keys = text
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .map((entry) => parseMasterKey(entry, origin))
  const distinctNumbers = new Set(keys.map(({ number }) => number))
  if (keys.length === 0 || distinctNumbers.size < keys.length)
    throw new Error(`${origin} must contain at least one master key, each with its own number.`)
  return keys
}

function parseMasterKey(entry: string, origin: string): MasterKey {
  const parts = /^(?:(\d{1,2}):)?([A-Za-z0-9+/]{43}=)$/.exec(entry)
  const keyNumber = Number(parts?.[1] ?? 1)
  if (parts?.[2] === undefined || keyNumber >= KEY_NUMBER_COUNT)
    throw new Error(`${origin} must contain 32 bytes in base64, or number:base64 with a number from 0 to 15.`)
  return { number: keyNumber, key: Buffer.from(parts[2], 'base64') }
}

/**
 * Seals a secret for storage (AES-256-GCM, a random nonce): layout and key number, nonce, cipher text, tag.
 * `context` says what it belongs to ("gateway 7"); it is not stored, and opening needs the same.
 */
export function sealWithMasterKey(keys: MasterKeys, secret: string | Uint8Array, context: string): Buffer {
  const [newestKey] = keys
  if (newestKey === undefined) throw new Error('There is no master key.')
  const headByte = Buffer.of((SEAL_LAYOUT << 4) | newestKey.number)
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', deriveSealingKey(newestKey), nonce).setAAD(
    buildAssociatedData(headByte, context),
  )
  const body = typeof secret === 'string' ? cipher.update(secret, 'utf8') : cipher.update(secret)
  return Buffer.concat([headByte, nonce, body, cipher.final(), cipher.getAuthTag()])
}

/** Opens what `sealWithMasterKey` made. Throws an Error when it was changed, belongs to another context, or its key is not here. */
export function unsealWithMasterKey(keys: MasterKeys, sealed: Uint8Array, context: string): Buffer {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const [layoutByte = 0] = bytes
  const key = keys.find(({ number }) => number === (layoutByte & 15))
  if (key === undefined || layoutByte >> 4 !== SEAL_LAYOUT || bytes.length < 1 + NONCE_BYTES + TAG_BYTES)
    throw new Error(`The secret of ${context} was sealed with a master key that is not configured.`)
  const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
  const decipher = createDecipheriv('aes-256-gcm', deriveSealingKey(key), nonce, { authTagLength: TAG_BYTES })
    .setAAD(buildAssociatedData(bytes.subarray(0, 1), context))
    .setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  } catch (cause) {
    throw new Error(`The secret of ${context} was changed or belongs elsewhere.`, { cause })
  }
}

/** Sealing has its own key (HKDF-SHA256), apart from those that sign tokens. */
function deriveSealingKey({ key }: MasterKey): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'seal', 32))
}

function buildAssociatedData(head: Buffer, context: string): Buffer {
  return Buffer.concat([head, Buffer.from(context)])
}
