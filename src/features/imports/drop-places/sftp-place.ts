import { createHash, timingSafeEqual } from 'node:crypto'
import { posix } from 'node:path'
import { promisify } from 'node:util'
import type { Client, ConnectConfig, SFTPWrapper } from 'ssh2'
import { type DropPlace, type DroppedFile, listCandidateNames, requireListedFile } from './drop-place.ts'
import { requirePathBelow } from './open-below.ts'

/** How an SFTP server is reached. `hostKey`: SHA-256 of its key in base64, as it was when the place was configured. */
export interface SftpSettings {
  host: string
  port: number
  username: string
  path: string
  hostKey: string
}

export interface SftpSecrets {
  password?: string
  privateKey?: string
}

const TIMEOUT_MS = 20_000
const NO_SUCH_FILE = 2
/** File types in the mode that a server reports. */
const TYPE_MASK = 0o170000
const REGULAR = 0o100000

/** The fingerprint of a server's key. */
function fingerprint(key: Buffer): string {
  return createHash('sha256').update(key).digest('base64')
}

/** The library comes with the first connection: few installations have such a place, and it takes 5 MB. */
async function connect(config: ConnectConfig, signal?: AbortSignal): Promise<Client> {
  const { Client } = await import('ssh2')
  signal?.throwIfAborted()
  const client = new Client()
  const cut = () => client.destroy()
  signal?.addEventListener('abort', cut)
  client.on('close', () => signal?.removeEventListener('abort', cut))
  return new Promise((resolve, reject) => {
    client.on('ready', () => resolve(client))
    // Kept for the life of the connection: an unhandled error would end the process.
    client.on('error', reject)
    client.on('close', () => reject(new Error('the SFTP server closed the connection')))
    client.connect({ ...config, readyTimeout: TIMEOUT_MS, keepaliveInterval: TIMEOUT_MS })
  })
}

type Done<Result> = (error: Error | null | undefined, result: Result) => void

type Target = Omit<SftpSettings, 'hostKey'>

function configOf({ host, port, username }: Target, { password, privateKey }: SftpSecrets): ConnectConfig {
  return { host, port, username, ...(password && { password }), ...(privateKey && { privateKey }) }
}

/** Connects once, to check the credentials, and gives the fingerprint of the server's key. Rejects when not. */
export async function fetchSftpHostKey(target: Target, secrets: SftpSecrets): Promise<string> {
  let learned = ''
  const hostVerifier = (key: Buffer): boolean => {
    learned = fingerprint(key)
    return true
  }
  const client = await connect({ ...configOf(target, secrets), hostVerifier })
  client.end()
  return learned
}

function verifierOf(expected: string): (key: Buffer) => boolean {
  return (key) => {
    const [known, shown] = [Buffer.from(expected), Buffer.from(fingerprint(key))]
    return known.length === shown.length && timingSafeEqual(known, shown)
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === NO_SUCH_FILE
}

/** The bytes of a file as it was listed. `isStill`: whether its name leads to the path, asked when it is open. Rejects otherwise. */
async function* readListed(
  sftp: SFTPWrapper,
  path: string,
  file: DroppedFile,
  isStill: () => Promise<boolean>,
): AsyncGenerator<Buffer> {
  const handle = await promisify(sftp.open.bind(sftp) as (path: string, flags: 'r', done: Done<Buffer>) => void)(
    path,
    'r',
  )
  const stream = sftp.createReadStream(path, { handle })
  // Closing the file is a request too: it may fail after the last read.
  stream.on('error', () => undefined)
  try {
    const { mode, size, mtime } = await promisify(sftp.fstat.bind(sftp))(handle)
    requireListedFile(file, { isFile: (mode & TYPE_MASK) === REGULAR, bytes: size, modifiedAt: mtime * 1000 })
    if (!(await isStill())) throw new Error('exchanged while it was opened')
    yield* stream
  } finally {
    stream.destroy()
  }
}

/**
 * A folder of an SFTP server as a drop place. Rejects when the server is unavailable, refuses the login, or shows another key.
 * `signal` closes the connection.
 */
export async function openSftpDropPlace(
  settings: SftpSettings,
  secrets: SftpSecrets,
  signal?: AbortSignal,
): Promise<DropPlace> {
  const client = await connect({ ...configOf(settings, secrets), hostVerifier: verifierOf(settings.hostKey) }, signal)
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
    client.sftp((error, opened) => (error ? reject(error) : resolve(opened)))
  })
  const realpath = promisify(sftp.realpath.bind(sftp) as (path: string, done: Done<string>) => void)
  const readdir = promisify(sftp.readdir.bind(sftp))
  const inside = async (folder: string, name = ''): Promise<string> => {
    const path = requirePathBelow(settings.path, posix.join(settings.path, folder, name))
    return requirePathBelow(await realpath(settings.path), await realpath(path))
  }
  const list = async (folder: string): Promise<DroppedFile[]> => {
    try {
      const entries = await readdir(await inside(folder))
      return entries
        .filter(({ attrs }) => (attrs.mode & TYPE_MASK) === REGULAR)
        .map(({ filename, attrs }) => ({ name: filename, bytes: attrs.size, modifiedAt: attrs.mtime * 1000 }))
    } catch (error) {
      if (isMissing(error)) return []
      throw error
    }
  }
  return {
    list,
    async *read(folder, file) {
      const path = await inside(folder, file.name)
      yield* readListed(sftp, path, file, async () => (await inside(folder, file.name)) === path)
    },
    async move(folder, name, into) {
      const from = await inside(folder, name)
      // Fails where it is there already; whether it is, the listing shows.
      await promisify(sftp.mkdir.bind(sftp) as (path: string, done: Done<void>) => void)(
        posix.join(await inside(folder), into),
      ).catch(() => undefined)
      const target = await inside(folder, into)
      const taken = new Set((await readdir(target)).map(({ filename }) => filename))
      for (const free of listCandidateNames(name)) {
        if (!taken.has(free)) return promisify(sftp.rename.bind(sftp))(from, posix.join(target, free))
      }
    },
    close: async () => void client.end(),
  }
}
