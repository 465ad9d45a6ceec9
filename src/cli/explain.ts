import { readConfig, type ServiceConfig } from '../config.ts'
import { OperatorError } from '../lib/errors/operator-error.ts'
import { Problem } from '../lib/errors/problem.ts'

type Fault = NodeJS.ErrnoException & { port?: number; address?: string }

/** Why a listener did not start, by the code of the error. */
const LISTENING: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be taken by this account',
  EADDRNOTAVAIL: 'is no address of this machine',
}

/** Which setting a port comes from, and the one of its address. */
function listener(config: ServiceConfig, port: number | undefined): { port: string; host: string } {
  if (port === config.smtpInPort && port !== 0) return { port: 'STENTOR_SMTP_IN_PORT', host: 'STENTOR_SMTP_IN_HOST' }
  if (port === config.metricsPort && port !== 0) return { port: 'STENTOR_METRICS_PORT', host: 'STENTOR_HTTP_HOST' }
  return { port: 'STENTOR_HTTP_PORT', host: 'STENTOR_HTTP_HOST' }
}

function explainListening({ code = '', port, address }: Fault, config: ServiceConfig): string | undefined {
  const reason = LISTENING[code]
  if (reason === undefined) return undefined
  const setting = listener(config, port)
  return code === 'EADDRNOTAVAIL'
    ? `${setting.host}: ${address} ${reason}.`
    : `${setting.port}: the port ${port} of ${address} ${reason}: stop that program, or choose another port.`
}

/** The setting that names a file, or the data directory for what is below it. */
function explainFile({ code, path = '' }: Fault, config: ServiceConfig): string | undefined {
  const files = {
    STENTOR_SMTP_IN_CERTIFICATE: config.smtpInCertificate,
    STENTOR_SMTP_IN_KEY: config.smtpInKey,
    STENTOR_ROBOTS_DIR: config.robotsDir,
  }
  const named = Object.entries(files).find(([, file]) => file !== undefined && path.startsWith(file))
  if (named) return `${named[0]}: ${path} cannot be read (${code}).`
  if (!path.startsWith(config.dataDir) && !config.dataDir.startsWith(path)) return undefined
  return `STENTOR_DATA_DIR: ${path} cannot be made, read or written (${code}): choose a directory that this account may write.`
}

/** SQLSTATEs of a server that does not let this program in. */
const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'the password is wrong',
  '28000': 'the server does not let this account in',
  '3D000': 'there is no such database',
  '42501': 'the account lacks a privilege ("The database" in docs/operations.md)',
  '53300': 'the server has no connection left',
  '57P03': 'the server is starting or stopping',
}

/** Codes of Node and OpenSSL for a certificate that is not accepted. */
const NOT_ACCEPTED = /CERT|HOSTNAME_MISMATCH|INVALID_CA/

/** The address is not repeated: it holds a password. */
function explainDatabase(fault: Fault, config: ServiceConfig): string | undefined {
  if (config.databaseUrl === undefined) return undefined
  const { code = '', syscall, message } = fault
  const { host } = URL.parse(config.databaseUrl) ?? { host: '' }
  const refusal = REFUSALS[code]
  if (refusal !== undefined) return `STENTOR_DATABASE_URL: ${refusal} (${code}).`
  if (NOT_ACCEPTED.test(code))
    return `STENTOR_DATABASE_URL: the certificate of the database at ${host} is not accepted (${code}): see its sslmode and sslrootcert.`
  const first = fault instanceof AggregateError ? (fault.errors[0] as Fault) : fault
  if (first.syscall === 'connect' || syscall === 'getaddrinfo' || /^(ECONNRESET|ETIMEDOUT|EPIPE)$/.test(code))
    return `STENTOR_DATABASE_URL: the database at ${host} cannot be reached (${first.code ?? code}).`
  if (
    /timeout exceeded when trying to connect|timeout expired|Connection terminated|does not support SSL/.test(message)
  )
    return `STENTOR_DATABASE_URL: the database at ${host} cannot be reached (${message}).`
  return undefined
}

function configOf(environment: NodeJS.ProcessEnv): ServiceConfig | undefined {
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
  const fault: Fault = error
  return (
    (fault.syscall === 'listen' || fault.syscall === 'bind' ? explainListening(fault, config) : undefined) ??
    explainDatabase(fault, config) ??
    (fault.path === undefined ? undefined : explainFile(fault, config))
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
  if (error instanceof TypeError && String((error as Fault).code).startsWith('ERR_PARSE_ARGS')) return error.message
  return explainErrorWithConfig(error, configOf(environment))
}
