import { chmod, chown, copyFile, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { isRunningAsRoot, resolvePostgresAccount } from '../../../src/database/embedded/account.ts'
import { removeEmbeddedPostgres, startEmbeddedPostgres } from '../../../src/database/embedded.ts'
import { databaseFolder } from './database.ts'

const CERTIFICATES = join(import.meta.dirname, '../../fixtures/tls')

/** A certificate of the fixtures, by the beginning of its name. */
type CertificateName = 'test-only' | 'other-name'

/** The file of a certificate of the fixtures, or of its key. */
export function fixtureCertificate(name: CertificateName, part: 'cert' | 'key' = 'cert'): string {
  return join(CERTIFICATES, `${name}-${part}.pem`)
}

/** A database server of a test's own: who may come in is for the test to say. */
export interface OwnServer {
  /** The address of a database, for an account and with the words of a query (`sslmode=require`). */
  address(account: string, database: string, query?: string): string
  /** Runs statements as the superuser of the server, one by one. */
  administer(database: string, statements: readonly string[]): Promise<void>
  /** Shows this certificate to whoever connects from now on. */
  present(name: CertificateName): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts a server that lets in whom the lines of `access` (pg_hba.conf) do, with TLS by the certificate `test-only`, which is also the
 * authority for those of clients.
 */
export async function startOwnServer(access: readonly string[]): Promise<OwnServer> {
  const directory = await mkdtemp(join(await databaseFolder(), 'stentor-database-'))
  await chmod(directory, 0o755)
  const [certificate, key, hba] = ['server-cert.pem', 'server-key.pem', 'access.conf'].map((name) =>
    join(directory, name),
  )
  async function present(name: CertificateName): Promise<void> {
    await copyFile(fixtureCertificate(name), certificate!)
    await copyFile(fixtureCertificate(name, 'key'), key!)
    // PostgreSQL refuses a key that others may read.
    await chmod(key!, 0o600)
    const account = isRunningAsRoot() ? await resolvePostgresAccount() : undefined
    if (account) for (const file of [certificate!, key!]) await chown(file, account.uid, account.gid)
  }
  await present('test-only')
  await writeFile(hba!, `hostnossl all postgres 127.0.0.1/32 trust\n${access.map((line) => `${line}\n`).join('')}`)
  await chmod(hba!, 0o644)
  const server = await startEmbeddedPostgres({
    directory,
    log: () => undefined,
    settings: {
      hba_file: hba!,
      fsync: 'off',
      ssl: 'on',
      ssl_cert_file: certificate!,
      ssl_key_file: key!,
      ssl_ca_file: fixtureCertificate('test-only'),
    },
  })
  function address(account: string, database: string, query = ''): string {
    return `postgres://${account}@${new URL(server.url).host}/${database}${query && `?${query}`}`
  }
  async function administer(database: string, statements: readonly string[]): Promise<void> {
    const client = new pg.Client(address('postgres', database, 'sslmode=disable'))
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  return {
    address,
    administer,
    async present(name) {
      await present(name)
      await administer('postgres', ['select pg_reload_conf()'])
    },
    async stop() {
      await server.stop()
      await removeEmbeddedPostgres(directory)
    },
  }
}
