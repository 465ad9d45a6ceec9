import { isatty } from 'node:tty'
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { redactLogText, toLoggableError } from './lib/errors/safe-error.ts'

/** The printer of readable lines, loaded only if standard error is a terminal: descriptor 2 says so in threads too, unlike `process.stderr`. */
const createPrettyPrinter = isatty(2) ? (await import('pino-pretty')).default : undefined

/** Members that may hold an address, a key or a body are not logged. */
const SECRET_MEMBERS = ['key', 'password', 'authorization', 'req.headers', '*.password', '*.secret', 'headers["x-key"]']

/** An error that is the only argument would become the message of the line unredacted. */
function redactErrorArgument([first, ...messageArguments]: unknown[]): unknown[] {
  const redactedArguments = messageArguments.map((word) => (typeof word === 'string' ? redactLogText(word) : word))
  if (first instanceof Error)
    return [{ err: first }, ...(redactedArguments.length > 0 ? redactedArguments : [first.name])]
  return [typeof first === 'string' ? redactLogText(first) : first, ...redactedArguments]
}

function buildLoggerOptions(level: string): LoggerOptions {
  return {
    level,
    redact: { paths: SECRET_MEMBERS, remove: true },
    serializers: { err: toLoggableError, error: toLoggableError, reason: toLoggableError },
    hooks: {
      logMethod(words, method) {
        method.apply(this, redactErrorArgument(words) as typeof words)
      },
    },
  }
}

/** Structured lines on standard error, or where `destination` takes them; readable ones when that is a terminal. */
export function createLogger({ logLevel }: { logLevel: string }, destination?: DestinationStream): Logger {
  const options = buildLoggerOptions(logLevel)
  if (destination) return pino(options, destination)
  return createPrettyPrinter
    ? pino(
        options,
        createPrettyPrinter({
          colorize: true,
          destination: 2,
          ignore: 'pid,hostname',
          translateTime: 'SYS:HH:MM:ss.l',
        }),
      )
    : pino(options, pino.destination(2))
}
