import { readConfig, type ServiceConfig } from '../config.ts'
import { OperatorError } from '../lib/errors/operator-error.ts'
import { Problem } from '../lib/errors/problem.ts'

type SystemFault = NodeJS.ErrnoException & { port?: number; address?: string }

/** Why a listener did not start, by the code of the error. */
const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program. Stop that program or choose another port',
  EACCES: 'requires a privilege that this system account does not have. Choose port 1024 or higher',
  EADDRNOTAVAIL: 'is not an address of this machine',
}

/** The setting that a port comes from, and the setting of its address. */
function findListenerSettings(config: ServiceConfig, port: number | undefined): { port: string; host: string } {
  if (port === config.smtpInPort && port !== 0) return { port: 'STENTOR_SMTP_IN_PORT', host: 'STENTOR_SMTP_IN_HOST' }
  if (port === config.metricsPort && port !== 0) return { port: 'STENTOR_METRICS_PORT', host: 'STENTOR_HTTP_HOST' }
  return { port: 'STENTOR_HTTP_PORT', host: 'STENTOR_HTTP_HOST' }
}

function explainListenFault({ code = '', port, address }: SystemFault, config: ServiceConfig): string | undefined {
  const reason = LISTEN_FAULTS[code]
  if (reason === undefined) return undefined
  const listenerSettings = findListenerSettings(config, port)
  return code === 'EADDRNOTAVAIL'
    ? `${listenerSettings.host}: ${address} ${reason}.`
    : `${listenerSettings.port}: port ${port} of ${address} ${reason}.`
}

/** The setting that names a file, or the data directory for what is below it. */
function explainFileFault({ code, path = '' }: SystemFault, config: ServiceConfig): string | undefined {
  const filesBySetting = {
    STENTOR_SMTP_IN_CERTIFICATE: config.smtpInCertificate,
    STENTOR_SMTP_IN_KEY: config.smtpInKey,
    STENTOR_ROBOTS_DIR: config.robotsDir,
  }
  const matchingSetting = Object.entries(filesBySetting).find(([, file]) => file !== undefined && path.startsWith(file))
  if (matchingSetting) return `${matchingSetting[0]}: ${path} cannot be read (${code}).`
  if (!path.startsWith(config.dataDir) && !config.dataDir.startsWith(path)) return undefined
  return `STENTOR_DATA_DIR: ${path} cannot be created, read or written (${code}). Choose a directory that this system account can write to.`
}

/** SQLSTATEs of a server that does not let this program in. */
const CONNECTION_REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'the password is wrong',
  '28000': 'the server rejects this user',
  '3D000': 'the database does not exist',
  '42501': 'the user lacks a privilege (see "The database" in docs/operations/postgresql.md)',
  '53300': 'the server has no free connections',
  '57P03': 'the server is starting or stopping',
}

/** Codes of Node and OpenSSL for a certificate that is not accepted. */
const CERTIFICATE_FAULTS = /CERT|HOSTNAME_MISMATCH|INVALID_CA/

/** The address is not repeated: it holds a password. */
function explainDatabaseFault(fault: SystemFault, config: ServiceConfig): string | undefined {
  if (config.databaseUrl === undefined) return undefined
  const { code = '', syscall, message } = fault
  const { host } = URL.parse(config.databaseUrl) ?? { host: '' }
  const refusal = CONNECTION_REFUSALS[code]
  if (refusal !== undefined) return `STENTOR_DATABASE_URL: ${refusal} (${code}).`
  if (CERTIFICATE_FAULTS.test(code))
    return `STENTOR_DATABASE_URL: the certificate of the database at ${host} is not trusted (${code}). Check sslmode and sslrootcert.`
  const firstFault = fault instanceof AggregateError ? (fault.errors[0] as SystemFault) : fault
  if (firstFault.syscall === 'connect' || syscall === 'getaddrinfo' || /^(ECONNRESET|ETIMEDOUT|EPIPE)$/.test(code))
    return `STENTOR_DATABASE_URL: the database at ${host} cannot be reached (${firstFault.code ?? code}).`
  if (
    /timeout exceeded when trying to connect|timeout expired|Connection terminated|does not support SSL/.test(message)
  )
    return `STENTOR_DATABASE_URL: the database at ${host} cannot be reached (${message}).`
  return undefined
}

function tryReadConfig(environment: NodeJS.ProcessEnv): ServiceConfig | undefined {
  try {
    return readConfig(environment)
  } catch {
    return undefined
  }
}

/** One sentence for an error that has one, naming the setting where one is at fault. */
export function findErrorExplanation(error: unknown, config: ServiceConfig | undefined): string | undefined {
  if (error instanceof OperatorError || error instanceof Problem) return error.message
  if (!(error instanceof Error) || !config) return undefined
  const fault: SystemFault = error
  return (
    (fault.syscall === 'listen' || fault.syscall === 'bind' ? explainListenFault(fault, config) : undefined) ??
    explainDatabaseFault(fault, config) ??
    (fault.path === undefined ? undefined : explainFileFault(fault, config))
  )
}

/** As `explainError`, where the settings can be read. */
export function explainErrorWithConfig(error: unknown, config: ServiceConfig | undefined): string {
  return (
    findErrorExplanation(error, config) ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))
  )
}

/** The message a user gets for an error: one sentence that names the setting where one is at fault, else the error with its stack. */
export function explainError(error: unknown, environment: NodeJS.ProcessEnv): string {
  // parseArgs: an option that is not known.
  if (error instanceof TypeError && String((error as SystemFault).code).startsWith('ERR_PARSE_ARGS'))
    return error.message
  return explainErrorWithConfig(error, tryReadConfig(environment))
}
