import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { dkimVerify } from 'mailauth'

const SCRIPT = join(import.meta.dirname, '../../fixtures/mail/read-mail.py')
/** Debian's own comes with dkimpy where that is installed; another one may stand before it in the path. */
const PYTHONS = ['/usr/bin/python3', 'python3']

/** Records of the domain name system: texts by name. */
export type Records = Readonly<Record<string, string>>

/** A part of a message as Python's `email` reads it; `content` is decoded. */
export interface ReadPart {
  type: string
  charset: string | null
  encoding: string
  disposition: string | null
  name: string | null
  content: string
}

/** A message as Python's `email` reads it. */
export interface ReadMail {
  subject: string
  from: [name: string, address: string][]
  to: [name: string, address: string][]
  cc: [name: string, address: string][]
  replyTo: [name: string, address: string][]
  /** Of every header, in order. */
  names: string[]
  headers: Record<string, string>
  /** Of the message and all its parts, in order. */
  types: string[]
  parts: ReadPart[]
  defects: string[]
  /** Whether each DKIM-Signature verifies; null without dkimpy. */
  signatures: boolean[] | null
}

/** A Python that is there, one with dkimpy if there is one; undefined: none. */
export const python: string | undefined = ['import email, dkim', 'import email']
  .flatMap((program) => PYTHONS.map((command) => ({ command, program })))
  .find(({ command, program }) => spawnSync(command, ['-c', program]).status === 0)?.command

/** The reason to skip tests that use Python; false when it is installed. */
export const withoutPython = python === undefined && 'python3 is not installed: npm run test:setup'

/** Reads messages with Python's `email`, and verifies them with dkimpy. */
export function readWithPython(messages: readonly Buffer[], records: Records = {}): ReadMail[] {
  assert.ok(python !== undefined, 'python3 is not installed')
  const input = JSON.stringify({ messages: messages.map((message) => message.toString('base64')), records })
  return JSON.parse(execFileSync(python, [SCRIPT], { input, maxBuffer: 1 << 28 }).toString())
}

/** What mailauth says of each DKIM-Signature of a message. */
export interface Verified {
  result: string
  domain: string
  selector: string
  algorithm: string
}

/** Verifies a message with mailauth, strictly, by these records. */
export async function verifyWithMailauth(message: Buffer, records: Records): Promise<Verified[]> {
  const resolver = async (name: string): Promise<string[][]> => {
    const text = records[name]
    if (text === undefined) throw Object.assign(new Error(`no ${name}`), { code: 'ENOTFOUND' })
    return [[text]]
  }
  const { results } = await dkimVerify(message, { resolver, strict: true })
  return results.map(({ status, signingDomain = '', selector = '', algo = '' }) => ({
    result: status.result,
    domain: signingDomain,
    selector,
    algorithm: algo,
  }))
}
