import { constants, existsSync } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { ProcessRole, ServiceConfig } from '../config.ts'
import { readDestinationTable } from '../gateways/smtp-direct/destinations-file.ts'
import { OperatorError } from '../lib/errors/operator-error.ts'
import { formatErrorReason } from '../lib/errors/reason.ts'
import { listDatabaseUrlFiles } from '../lib/net/database-url.ts'
import { listConfiguredGateways } from '../sending/gateway-registry/configured-gateways.ts'
import { assertMasterKeyFormat } from './commands/master-keys.ts'
import { explainErrorWithConfig } from './explain.ts'

/** The folder of a path that exists already, the path itself or one above it. */
function findExistingFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : findExistingFolder(dirname(path))
}

/** Rejects when the data directory cannot be made or written. */
async function checkDataDirectory({ dataDir }: ServiceConfig): Promise<void> {
  // The dot: a file is no folder.
  await access(join(findExistingFolder(dataDir), '.'), constants.W_OK | constants.X_OK)
}

/** Rejects when a listener could not take its port. */
function checkPortFree(host: string, port: number): Promise<void> {
  const server = createServer()
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => server.close(() => resolve()))
  })
}

/** Rejects when the certificate of the mail listener cannot be read, or is not of its key. */
async function checkMailCertificate({ smtpInCertificate, smtpInKey }: ServiceConfig): Promise<void> {
  if (smtpInCertificate === undefined && smtpInKey === undefined) return
  if (smtpInCertificate === undefined || smtpInKey === undefined)
    throw new OperatorError('STENTOR_SMTP_IN_CERTIFICATE and STENTOR_SMTP_IN_KEY must be set together.')
  const [certificate, key] = [await readFile(smtpInCertificate), await readFile(smtpInKey)]
  try {
    createSecureContext({ cert: certificate, key })
  } catch (error) {
    throw new OperatorError(
      `STENTOR_SMTP_IN_CERTIFICATE and STENTOR_SMTP_IN_KEY cannot be used together: ${formatErrorReason(error)}.`,
    )
  }
}

/** Rejects when a file that the address of the database names cannot be read, or a certificate is not of its key. */
async function checkDatabaseFiles({ databaseUrl }: ServiceConfig): Promise<void> {
  if (databaseUrl === undefined) return
  const readUrlFile = async ([word, file]: [string, string]) =>
    readFile(file).catch((error: NodeJS.ErrnoException) => {
      throw new OperatorError(`STENTOR_DATABASE_URL: the ${word} file ${file} cannot be read (${error.code}).`)
    })
  const urlFiles = Object.entries(listDatabaseUrlFiles(databaseUrl))
  const fileContents = await Promise.all(urlFiles.map(async (entry) => [entry[0], await readUrlFile(entry)] as const))
  const { sslrootcert: authorities, sslcert: clientCertificate, sslkey: key } = Object.fromEntries(fileContents)
  try {
    createSecureContext({ ca: authorities, cert: clientCertificate, key })
  } catch (error) {
    throw new OperatorError(`STENTOR_DATABASE_URL: the certificates cannot be used: ${formatErrorReason(error)}.`)
  }
}

/** Rejects when the folder of the lists of robots cannot be read. */
async function checkRobotLists({ robotsDir }: ServiceConfig): Promise<void> {
  if (robotsDir !== undefined) await access(robotsDir, constants.R_OK | constants.X_OK)
}

async function collectFaults(config: ServiceConfig, checks: readonly (() => unknown)[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(checks.map(async (check) => check()))
  return outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [explainErrorWithConfig(outcome.reason, config)] : [],
  )
}

/** The faults in the settings, each a sentence that names its setting. Creates nothing and does not query a database. */
export function findSettingFaults(config: ServiceConfig): Promise<string[]> {
  return collectFaults(config, [
    () => assertMasterKeyFormat(config),
    () => checkDatabaseFiles(config),
    () => listConfiguredGateways(config),
    () => readDestinationTable(config.destinationsFile),
    () => checkDataDirectory(config),
    () => checkMailCertificate(config),
    () => checkRobotLists(config),
  ])
}

/** The ports that a process with these roles could not take, each a sentence that names its setting. */
export function findPortFaults(config: ServiceConfig, played: readonly ProcessRole[]): Promise<string[]> {
  const ports = [
    { host: config.httpHost, port: config.httpPort },
    { host: config.httpHost, port: config.metricsPort },
    ...(played.includes('inbound') ? [{ host: config.smtpInHost, port: config.smtpInPort }] : []),
  ]
  const checks = ports
    .filter(({ port }) => port !== 0)
    .map(
      ({ host, port }) =>
        () =>
          checkPortFree(host, port),
    )
  return collectFaults(config, checks)
}

/** Throws an OperatorError with all that is wrong with the settings and the ports of a process with these roles. */
export async function requireValidSettings(config: ServiceConfig, played: readonly ProcessRole[]): Promise<void> {
  const faults = [...(await findSettingFaults(config)), ...(await findPortFaults(config, played))]
  if (faults.length > 0) throw new OperatorError(faults.join('\n'))
}
