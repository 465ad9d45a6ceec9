import { generateKeyPairSync } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, stat } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join, normalize, relative } from 'node:path'
import ssh2, { type Connection } from 'ssh2'

export interface SftpPeer {
  port: number
  close(): Promise<void>
}

const { OK, EOF, NO_SUCH_FILE, FAILURE } = ssh2.utils.sftp.STATUS_CODE

function attributes(found: Stats) {
  return {
    mode: found.mode,
    uid: 0,
    gid: 0,
    size: found.size,
    atime: found.atimeMs / 1000,
    mtime: found.mtimeMs / 1000,
  }
}

/** A host key of its own for every server. */
function hostKey(): string {
  return generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs1', format: 'pem' })
    .toString()
}

type Sftp = import('ssh2').SFTPWrapper & {
  on(name: string, listener: (id: number, ...rest: never[]) => void): void
}

/** Serves a directory, as far as a client that lists, reads, moves and makes directories goes. */
function serve(sftp: Sftp, root: string, beforeRead: () => Promise<void>): void {
  const handles = new Map<number, { names?: string[]; file?: FileHandle; path: string }>()
  let last = 0
  const at = (path: string) => join(root, normalize(`/${path}`))
  const give = (entry: { names?: string[]; file?: FileHandle; path: string }) => {
    handles.set(++last, entry)
    const handle = Buffer.alloc(4)
    handle.writeUInt32BE(last)
    return handle
  }
  const of = (handle: Buffer) => handles.get(handle.readUInt32BE())
  const answering = (id: number, work: () => Promise<unknown>) => {
    work().catch((error: NodeJS.ErrnoException) => sftp.status(id, error.code === 'ENOENT' ? NO_SUCH_FILE : FAILURE))
  }
  const listeners: Record<string, (id: number, ...rest: never[]) => Promise<unknown>> = {
    OPENDIR: async (id, path: string) => sftp.handle(id, give({ names: await readdir(at(path)), path })),
    READDIR: async (id, handle: Buffer) => {
      const entry = of(handle)
      const names = entry?.names ?? []
      if (names.length === 0) return sftp.status(id, EOF)
      const listed = names.splice(0).map(async (filename) => {
        const found = await lstat(join(at(entry?.path ?? ''), filename))
        return { filename, longname: filename, attrs: attributes(found) }
      })
      return sftp.name(id, await Promise.all(listed))
    },
    OPEN: async (id, path: string) => sftp.handle(id, give({ file: await open(at(path), constants.O_RDONLY), path })),
    FSTAT: async (id, handle: Buffer) => sftp.attrs(id, attributes(await of(handle)!.file!.stat())),
    READ: async (id, handle: Buffer, offset: number, length: number) => {
      await beforeRead()
      const { bytesRead, buffer } = (await of(handle)?.file?.read(Buffer.alloc(length), 0, length, offset)) ?? {
        bytesRead: 0,
        buffer: Buffer.alloc(0),
      }
      return bytesRead === 0 ? sftp.status(id, EOF) : sftp.data(id, buffer.subarray(0, bytesRead))
    },
    CLOSE: async (id, handle: Buffer) => {
      await of(handle)?.file?.close()
      sftp.status(id, OK)
    },
    REALPATH: async (id, path: string) => {
      const filename = `/${relative(await realpath(root), await realpath(at(path)))}`
      sftp.name(id, [{ filename, longname: filename, attrs: attributes(await stat(at(path))) }])
    },
    MKDIR: async (id, path: string) => {
      await mkdir(at(path))
      sftp.status(id, OK)
    },
    RENAME: async (id, from: string, to: string) => {
      await rename(at(from), at(to))
      sftp.status(id, OK)
    },
  }
  // A client that is gone closes nothing.
  sftp.on('close', () => {
    for (const { file } of handles.values()) file?.close().catch(() => undefined)
  })
  for (const [name, listener] of Object.entries(listeners)) {
    sftp.on(name, (id: number, ...rest: never[]) => answering(id, () => listener(id, ...rest)))
  }
}

/** An SFTP server on loopback that lets one in by a password. `beforeRead`: what each answer with bytes of a file waits for. */
export async function startSftpPeer(
  root: string,
  user: { name: string; password: string },
  beforeRead = async (): Promise<void> => undefined,
): Promise<SftpPeer> {
  const connections = new Set<Connection>()
  const server = new ssh2.Server({ hostKeys: [hostKey()] }, (connection) => {
    connections.add(connection)
    connection.on('error', () => undefined).on('close', () => connections.delete(connection))
    connection.on('authentication', (attempt) => {
      if (attempt.method === 'password' && attempt.username === user.name && attempt.password === user.password)
        attempt.accept()
      else attempt.reject(['password'])
    })
    connection.on('session', (accept) => {
      accept().on('sftp', (open) => serve(open() as unknown as Sftp, root, beforeRead))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const connection of connections) connection.end()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
