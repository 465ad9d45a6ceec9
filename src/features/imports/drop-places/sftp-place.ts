import { createHash, timingSafeEqual } from 'node:crypto'
import { posix } from 'node:path'
import { promisify } from 'node:util'
import type { Client, ConnectConfig, SFTPWrapper } from 'ssh2'
import { type DropPlace, type DroppedFile, listCandidateNames, requireListedFile } from './drop-place.ts'
import { requirePathBelow } from './open-below.ts'

/** Connection settings of an SFTP server. `hostKey`: SHA-256 of its key in base64, as it was when the place was configured. */
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

const CONNECT_TIMEOUT_MS = 20_000
const NO_SUCH_FILE = 2
/** File types in the mode that a server reports. */
const FILE_TYPE_MASK = 0o170000
const REGULAR_FILE_TYPE = 0o100000

/** The fingerprint of a server's key. */
function computeFingerprint(key: Buffer): string {
  return createHash('sha256').update(key).digest('base64')
}

/** The library comes with the first connection: few installations have such a place, and it takes 5 MB. */
async function connectClient(config: ConnectConfig, signal?: AbortSignal): Promise<Client> {
  const { Client } = await import('ssh2')
  signal?.throwIfAborted()
  const client = new Client()
  const destroyClient = () => client.destroy()
  signal?.addEventListener('abort', destroyClient)
  client.on('close', () => signal?.removeEventListener('abort', destroyClient))
  return new Promise((resolve, reject) => {
    client.on('ready', () => resolve(client))
    // Kept for the life of the connection: an unhandled error would end the process.
    client.on('error', reject)
    client.on('close', () => reject(new Error('the SFTP server closed the connection')))
    client.connect({ ...config, readyTimeout: CONNECT_TIMEOUT_MS, keepaliveInterval: CONNECT_TIMEOUT_MS })
  })
}

type NodeCallback<Result> = (error: Error | null | undefined, result: Result) => void

type SftpTarget = Omit<SftpSettings, 'hostKey'>

function buildConnectConfig(
  { host, port, username }: SftpTarget,
  { password, privateKey }: SftpSecrets,
): ConnectConfig {
  return { host, port, username, ...(password && { password }), ...(privateKey && { privateKey }) }
}

/** Connects once, to check the credentials, and gives the fingerprint of the server's key. Rejects when not. */
export async function fetchSftpHostKey(target: SftpTarget, secrets: SftpSecrets): Promise<string> {
  let hostKeyHash = ''
  const hostVerifier = (key: Buffer): boolean => {
    hostKeyHash = computeFingerprint(key)
    return true
  }
  const client = await connectClient({ ...buildConnectConfig(target, secrets), hostVerifier })
  client.end()
  return hostKeyHash
}

function createHostVerifier(expected: string): (key: Buffer) => boolean {
  return (key) => {
    const [expectedBytes, receivedBytes] = [Buffer.from(expected), Buffer.from(computeFingerprint(key))]
    return expectedBytes.length === receivedBytes.length && timingSafeEqual(expectedBytes, receivedBytes)
  }
}

function isFileMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === NO_SUCH_FILE
}

/** The bytes of a file as it was listed. `isStill`: whether its name leads to the path, asked when it is open. Rejects otherwise. */
async function* readListedFile(
  sftp: SFTPWrapper,
  path: string,
  file: DroppedFile,
  isStill: () => Promise<boolean>,
): AsyncGenerator<Buffer> {
  const handle = await promisify(
    sftp.open.bind(sftp) as (path: string, flags: 'r', done: NodeCallback<Buffer>) => void,
  )(path, 'r')
  const stream = sftp.createReadStream(path, { handle })
  // Closing the file is a request too: it may fail after the last read.
  stream.on('error', () => undefined)
  try {
    const { mode, size, mtime } = await promisify(sftp.fstat.bind(sftp))(handle)
    requireListedFile(file, {
      isFile: (mode & FILE_TYPE_MASK) === REGULAR_FILE_TYPE,
      bytes: size,
      modifiedAt: mtime * 1000,
    })
    if (!(await isStill())) throw new Error('replaced while it was opened')
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
  const client = await connectClient(
    { ...buildConnectConfig(settings, secrets), hostVerifier: createHostVerifier(settings.hostKey) },
    signal,
  )
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
    client.sftp((error, opened) => (error ? reject(error) : resolve(opened)))
  })
  const realpath = promisify(sftp.realpath.bind(sftp) as (path: string, done: NodeCallback<string>) => void)
  const readdir = promisify(sftp.readdir.bind(sftp))
  const resolveInside = async (folder: string, name = ''): Promise<string> => {
    const path = requirePathBelow(settings.path, posix.join(settings.path, folder, name))
    return requirePathBelow(await realpath(settings.path), await realpath(path))
  }
  const listFiles = async (folder: string): Promise<DroppedFile[]> => {
    try {
      const entries = await readdir(await resolveInside(folder))
      return entries
        .filter(({ attrs }) => (attrs.mode & FILE_TYPE_MASK) === REGULAR_FILE_TYPE)
        .map(({ filename, attrs }) => ({ name: filename, bytes: attrs.size, modifiedAt: attrs.mtime * 1000 }))
    } catch (error) {
      if (isFileMissing(error)) return []
      throw error
    }
  }
  return {
    list: listFiles,
    async *read(folder, file) {
      const path = await resolveInside(folder, file.name)
      yield* readListedFile(sftp, path, file, async () => (await resolveInside(folder, file.name)) === path)
    },
    async move(folder, name, into) {
      const sourcePath = await resolveInside(folder, name)
      // Fails where it is there already; whether it is, the listing shows.
      await promisify(sftp.mkdir.bind(sftp) as (path: string, done: NodeCallback<void>) => void)(
        posix.join(await resolveInside(folder), into),
      ).catch(() => undefined)
      const targetFolder = await resolveInside(folder, into)
      const existingNames = new Set((await readdir(targetFolder)).map(({ filename }) => filename))
      for (const freeName of listCandidateNames(name)) {
        if (!existingNames.has(freeName))
          return promisify(sftp.rename.bind(sftp))(sourcePath, posix.join(targetFolder, freeName))
      }
    },
    close: async () => void client.end(),
  }
}
